"""NXP MFRC522 by SPI: cards of ISO/IEC 14443 type A.

Source: NXP's MFRC522 product data sheet, revision 3.9 of 27 April 2016, against which registers, bits and
times were compared: 8.1.2 (SPI, p. 10), 8.5 (timer, p. 32), 9.3 (registers), 10.3 (commands, p. 70).
"""

from ..board import Dead
from .iso14443 import inventory

# Section 9.2, table 20: registers.
_COMMAND, _COM_IRQ, _ERROR, _FIFO, _FIFO_LEVEL = 0x01, 0x04, 0x06, 0x09, 0x0A
_BIT_FRAMING, _COLLISION, _MODE, _TX_CONTROL, _TX_ASK = 0x0D, 0x0E, 0x11, 0x14, 0x15
_RF_CONFIG, _T_MODE, _T_PRESCALER, _T_RELOAD_HIGH, _T_RELOAD_LOW, _VERSION = (
    0x26,
    0x2A,
    0x2B,
    0x2C,
    0x2D,
    0x37,
)

_IDLE, _TRANSCEIVE, _SOFT_RESET = 0x00, 0x0C, 0x0F
_POWER_DOWN = 0x10
_ANSWERED, _TIMED_OUT = 0x30, 0x01
_COLLIDED, _UNUSABLE = 0x08, 0x13
"""ErrorReg: CollErr; BufferOvfl, ParityErr, ProtocolErr."""

_FIELD_MS = 5
"""ISO/IEC 14443-3: a card is ready 5 ms after the field has come."""
_TIMER = ((_T_MODE, 0x80), (_T_PRESCALER, 0xA9), (_T_RELOAD_HIGH, 0), (_T_RELOAD_LOW, 40))
"""TAuto; 13.56 MHz / (2 * 169 + 1) is one tick per 25 us (section 8.5); 40 ticks: a card answers within 0.1
ms.
"""


class Rc522:
    """One chip. `bus` has `exchange(data) -> bytes` with its chip select; `pause(ms)` waits and lets other
    things be done; `now_ms()` counts from power-up. `gain`: of the receiver, 0 to 7 (RFCfgReg).
    """

    def __init__(self, bus, pause, now_ms, gain=4):
        self._bus = bus
        self._pause = pause
        self._now_ms = now_ms
        self._gain = gain

    def start(self):
        """Reset the chip and set it up."""
        self._check_version()
        self._write(_COMMAND, _SOFT_RESET)
        for _ in range(50):
            self._pause(1)
            if not self._read(_COMMAND) & _POWER_DOWN:
                break
        else:
            raise Dead("the RC522 does not end its reset")
        for register, value in _TIMER:
            self._write(register, value)
        self._write(_TX_ASK, 0x40)
        self._write(_MODE, 0x3D)
        self._write(_RF_CONFIG, self._gain << 4)
        self._write(_COLLISION, 0x00)
        self.off()

    def visit(self):
        """UIDs of the cards on the antenna, and whether the visit came to its end."""
        if self._forgot():
            self.start()
        self._write(_TX_CONTROL, 0x83)
        try:
            self._pause(_FIELD_MS)
            found = inventory(self._transceive)
        except Dead:
            if not self._forgot():
                raise
            found = [], False
        finally:
            self.off()
        # A chip that forgets in the middle of a visit hears nobody.
        return (found[0], False) if self._forgot() else found

    def _forgot(self):
        """Whether it lost its power for a moment, and with it what it was set to."""
        self._check_version()
        return self._read(_TX_ASK) != 0x40 or self._read(_T_RELOAD_LOW) != 40

    def off(self):
        """Take the field away, which wakes halted cards and leaves other antennas alone."""
        self._write(_TX_CONTROL, 0x80)

    def _check_version(self):
        version = self._read(_VERSION)
        if version in (0x00, 0xFF):
            raise Dead("the RC522 does not answer: its version reads %02X" % version)

    def _transceive(self, data, last_bits, align):
        self._write(_COMMAND, _IDLE)
        self._write(_COM_IRQ, 0x7F)
        self._write(_FIFO_LEVEL, 0x80)
        self._bus.exchange(bytes((_FIFO << 1,)) + data)
        self._write(_BIT_FRAMING, align << 4 | last_bits)
        self._write(_COMMAND, _TRANSCEIVE)
        self._write(_BIT_FRAMING, 0x80 | align << 4 | last_bits)
        came = self._wait()
        if not came & _ANSWERED:
            return None, 0
        error = self._read(_ERROR)
        collision = 0
        if error & _COLLIDED:
            where = self._read(_COLLISION)
            # CollPos counts to 32, which it shows as 0. CollPosNotValid: beyond.
            collision = 33 if where & 0x20 else where & 0x1F or 32
        elif error & _UNUSABLE:
            return b"", 0
        count = self._read(_FIFO_LEVEL) & 0x7F
        return self._read_many(_FIFO, count), collision

    def _wait(self):
        begun = self._now_ms()
        while self._now_ms() - begun < 25:
            came = self._read(_COM_IRQ)
            if came & (_ANSWERED | _TIMED_OUT):
                return came
        raise Dead("the RC522 does not end its command")

    # Section 8.1.2: an address byte is 0AAAAAA0 for writing and 1AAAAAA0 for reading.

    def _write(self, register, value):
        self._bus.exchange(bytes((register << 1, value)))

    def _read(self, register):
        return self._bus.exchange(bytes((0x80 | register << 1, 0)))[1]

    def _read_many(self, register, count):
        return self._bus.exchange(bytes((0x80 | register << 1,)) * count + b"\0")[1:] if count else b""
