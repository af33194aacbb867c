"""NXP PN5180 by SPI: cards of ISO/IEC 15693 and of ISO/IEC 14443 type A.

Source: NXP's PN5180A0xx/C3,C4 product data sheet, revision 4.0 of 30 August 2022, against which it was
compared: 11.4 (host interface, p. 18 to 41), 11.8.7 (transceive states), 11.9 (registers, p. 84 to 106);
NXP's NxpNfcRdLib (phhalHw_Pn5180.c) for what RX_COLL_POS counts. The inventory of 16 slots is AN12650's, as
tueddy/PN5180-Library has it; the note itself could not be had.
"""

from ..board import Dead
from .iso14443 import inventory as inventory_type_a

_WRITE, _OR, _AND, _READ, _EEPROM = 0x00, 0x01, 0x02, 0x04, 0x07
_SEND, _RECEIVE, _LOAD_RF, _RF_ON, _RF_OFF = 0x09, 0x0A, 0x11, 0x16, 0x17
_SYSTEM, _IRQ, _IRQ_CLEAR, _CRC_RX, _RX_STATUS, _TX_CONFIG, _CRC_TX = 0x00, 0x02, 0x03, 0x12, 0x13, 0x18, 0x19
_RECEIVED, _SENT, _BEGINS = 1 << 0, 1 << 1, 1 << 14
_DAMAGED, _COLLIDED = 0x30000, 1 << 18
_PRODUCT_VERSION = 0x10
_PROTOCOLS = {"iso15693": (0x0D, 0x8D), "iso14443": (0x00, 0x80)}
_BUSY_MS = 20
_FIELD_MS = 5
_MOST_INVENTORIES = 40


class Pn5180:
    """One chip. `bus` has `exchange`; `busy()` and `reset(level)` are its pins; `standards`: which cards, in
    this order.
    """

    def __init__(self, bus, busy, reset, pause, now_ms, standards):
        self._bus = bus
        self._busy = busy
        self._reset = reset
        self._pause = pause
        self._now_ms = now_ms
        self._standards = standards

    def start(self):
        """Reset the chip and look whether it is one."""
        self._reset(0)
        self._pause(1)
        self._reset(1)
        self._pause(5)
        version = self._ask(bytes((_EEPROM, _PRODUCT_VERSION, 2)), 2)
        if version in (b"\x00\x00", b"\xff\xff"):
            raise Dead("the PN5180 does not answer: its version reads %02X%02X" % (version[1], version[0]))
        self.off()

    def visit(self):
        """UIDs of the cards on the antenna, and whether the visit came to its end."""
        found, whole = [], True
        for standard in self._standards:
            self._command(bytes((_LOAD_RF,) + _PROTOCOLS[standard]))
            self._command(bytes((_RF_ON, 0)))
            try:
                self._pause(_FIELD_MS)
                look = self._inventory if standard == "iso15693" else self._type_a
                seen, complete = look()
            finally:
                self.off()
            found.extend(seen)
            whole = whole and complete
        return found, whole

    def off(self):
        """Take the field away."""
        self._command(bytes((_RF_OFF, 0)))

    # ISO/IEC 15693-3: inventory.

    def _inventory(self):
        """All cards: if several answer in one of 16 slots, their next four bits are asked for in 16 more."""
        found, whole, masks = [], True, [(0, 0)]
        for _ in range(_MOST_INVENTORIES):
            if not masks:
                return found, whole
            size, mask = masks.pop(0)
            seen, collided = self._sixteen_slots(size, mask)
            if size and not seen and not collided:
                # Something answered in this slot, and nobody does now.
                whole = False
            found.extend(uid for uid in seen if uid not in found)
            if size < 60:
                masks.extend((size + 4, slot << size | mask) for slot in collided)
            elif collided:
                whole = False
        return found, False

    def _sixteen_slots(self, size, mask):
        self._command(bytes((_LOAD_RF,) + _PROTOCOLS["iso15693"]))
        self._transmit(bytes((0x06, 0x01, size)) + mask.to_bytes(8, "little")[: (size + 7) // 8], 0)
        seen, collided = [], []
        for slot in range(16):
            answer = self._answer()
            if answer == b"":
                collided.append(slot)
            elif answer is not None:
                if len(answer) != 10 or answer[0] & 1:
                    collided.append(slot)
                else:
                    seen.append(bytes(reversed(answer[2:])).hex().upper())
            if slot < 15:
                # AN12650: what is sent next is an end of frame alone, which begins the next slot.
                self._masked(_TX_CONFIG, _AND, 0xFFFFFB3F)
                self._transmit(b"", 0)
        return seen, collided

    # ISO/IEC 14443-3 type A.

    def _type_a(self):
        self._masked(_CRC_TX, _AND, 0xFFFFFFFE)
        self._masked(_CRC_RX, _AND, 0xFFFFFFFE)
        return inventory_type_a(self._transceive)

    def _transceive(self, data, last_bits, align):
        self._masked(_CRC_RX, _AND, 0xFFFFFC3F)
        if align:
            self._masked(_CRC_RX, _OR, align << 6)
        self._transmit(data, last_bits)
        if not self._came():
            return None, 0
        status = self._read(_RX_STATUS)
        # RX_COLL_POS is as many bits as came before it, those of the alignment counted too.
        collision = (status >> 19 & 0x7F) + 1 if status & _COLLIDED else 0
        if status & _DAMAGED and not collision:
            return b"", 0
        return self._received(status & 0x1FF), collision

    # Frames.

    def _transmit(self, data, last_bits):
        self._masked(_SYSTEM, _AND, 0xFFFFFFF8)
        self._masked(_SYSTEM, _OR, 0x03)
        self._masked(_IRQ_CLEAR, _WRITE, 0x000FFFFF)
        self._command(bytes((_SEND, last_bits)) + data)

    def _came(self):
        """Whether an answer has come, once what was sent is out."""
        until = self._now_ms() + 15
        while not self._read(_IRQ) & _SENT:
            if self._now_ms() >= until:
                raise Dead("the PN5180 does not send")
        self._pause(1)
        irq = self._read(_IRQ)
        if not irq & (_RECEIVED | _BEGINS):
            return False
        until = self._now_ms() + 15
        while not irq & _RECEIVED:
            if self._now_ms() >= until:
                return True
            irq = self._read(_IRQ)
        return True

    def _answer(self):
        """An answer of a slot: None if nobody spoke, empty if it cannot be read."""
        if not self._came():
            return None
        status = self._read(_RX_STATUS)
        if status & (_DAMAGED | _COLLIDED) or not status & 0x1FF:
            return b""
        return self._received(status & 0x1FF)

    def _received(self, count):
        return self._ask(bytes((_RECEIVE, 0)), count) if count else b""

    # The host interface: a command, and for some an answer in a transfer of its own (11.4.1).

    def _masked(self, register, how, value):
        self._command(bytes((how, register)) + value.to_bytes(4, "little"))

    def _read(self, register):
        return int.from_bytes(self._ask(bytes((_READ, register)), 4), "little")

    def _ask(self, command, count):
        self._command(command)
        return bytes(self._exchange(b"\xff" * count))

    def _command(self, command):
        self._exchange(command)

    def _exchange(self, data):
        self._await_free()
        answer = self._bus.exchange(data)
        self._await_free()
        return answer

    def _await_free(self):
        until = self._now_ms() + _BUSY_MS
        while self._busy():
            if self._now_ms() >= until:
                raise Dead("the PN5180 stays busy")
