"""Lines joined to what they say together: inventories, and what bytes mean outside a conversation."""

from typing import Final

import msgspec

from tablebridge.sdk import ButtonPress, DeviceStatus, Reading, Reason, Rejected, Sweep
from tablebridge.sdk.framing import crc_mcrf4xx, rejected
from tablebridge_drivers.metratec import lines
from tablebridge_drivers.metratec.lines import (
    Antenna,
    Command,
    Count,
    Data,
    Identity,
    Input,
    NoTags,
    Round,
    Said,
    Selected,
    Tag,
    TagAnswer,
    Why,
    Word,
    read_line,
    receiver,
)

MOST_TAGS: Final = 256


class Inventory(msgspec.Struct, frozen=True):
    """One visit of an antenna; `antenna` None: the reader did not say which."""

    antenna: int | None
    tags: tuple[str, ...]
    complete: bool = True

    def sweep(self, antenna: int) -> Sweep:
        """As a reading; `antenna` is taken if the reader named none."""
        return Sweep(
            antenna if self.antenna is None else self.antenna,
            tuple(sorted(set(self.tags))),
            complete=self.complete,
        )


class Block:
    """Tag lines up to the line that ends them."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._tags: list[str] = []
        self._antenna: int | None = None
        self._complete = True
        self._damaged = False

    @property
    def begun(self) -> bool:
        return bool(self._tags) or self._antenna is not None

    def damage(self) -> None:
        """A line of it was lost: what is gathered up to its end is no inventory, for the rest may belong to
        another antenna.
        """
        self._damaged = True

    def tag(self, uid: str) -> None:
        if len(self._tags) < MOST_TAGS:
            self._tags.append(uid)
        else:
            self._damaged = True

    def antenna(self, number: int) -> None:
        self._antenna = number

    def slot_failed(self) -> None:
        self._complete = False

    def end(self, count: int | None = None) -> Inventory | Rejected | None:
        """The inventory, or why it is none; None if the reason was reported when it was found. `count`: tags
        it must have.
        """
        tags, antenna, complete, damaged = tuple(self._tags), self._antenna, self._complete, self._damaged
        self.clear()
        if damaged:
            return None
        if count is not None and count != len(tags):
            return rejected(
                Reason.IMPOSSIBLE_VALUE, f"an inventory of {len(tags)} tags ends with a count of {count}"
            )
        return Inventory(antenna, tags, complete)


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What lines of either dialect mean outside a conversation. An inventory without an antenna is a sweep of
    antenna 0.
    """
    fold = _Fold()
    cutter = receiver()
    for line in (*cutter.feed(data), *cutter.silence()):
        if line:
            fold.add(read_line(line) if isinstance(line, bytes) else line)
    fold.end()
    return tuple(fold.found)


class _Fold:
    """Lines joined to what they say.

    A line that cannot be read may be one of an inventory, or stand before it. So what came before it is
    dropped, and what comes behind it is reported if the count proves that no tag is missing. If it does not,
    the lost line has been reported already.
    """

    def __init__(self) -> None:
        self.found: list[Reading | Rejected] = []
        self._block, self._at, self._events = Block(), Block(), Block()
        self._lost = False
        self._raw = False

    def add(self, said: Said | Rejected) -> None:
        # The lines of inventories first, by their exact type: a pattern that does not fit is slow.
        raw, self._raw = self._raw, False
        if type(said) is Tag and not (raw or said.at):
            self._block.tag(said.uid)
        elif type(said) is Antenna:
            self._block.antenna(said.number)
        elif type(said) is Count:
            self._counted(said.tags)
        else:
            self._raw = said == TagAnswer("TDT")
            self._say(said, raw)

    def _say(self, said: Said | Rejected, raw: bool) -> None:
        match said:
            case Rejected():
                self.found.append(said)
                self._lose()
            case Tag(uid) | Data(uid) if raw:
                self._answer(bytes.fromhex(uid) if isinstance(uid, str) else uid)
            case Tag(uid):
                (self._events if said.events else self._at).tag(uid)
            case NoTags() | Round():
                self._inventory(
                    (self._events if isinstance(said, Round) or said.events else self._at).end(),
                    said.antenna if isinstance(said, Round) else None,
                )
            case Word(word):
                self._word(word)
            case _:
                self._other(said)

    def end(self) -> None:
        if self._block.begun and not self._lost:
            self.found.append(rejected(Reason.TOO_SHORT, "an inventory without its end (IVF)"))
        for block in (self._at, self._events):
            if block.begun:
                self._inventory(block.end())

    def _counted(self, count: int) -> None:
        inventory, lost, self._lost = self._block.end(count), self._lost, False
        if not lost or (count and isinstance(inventory, Inventory)):
            self._inventory(inventory)

    def _lose(self) -> None:
        self._block.clear()
        self._lost = True
        for block in (self._at, self._events):
            if block.begun:
                block.slot_failed()

    def _inventory(self, inventory: Inventory | Rejected | None, antenna: int | None = None) -> None:
        if isinstance(inventory, Inventory):
            self.found.append(inventory.sweep(antenna or 0))
        elif inventory is not None:
            self.found.append(inventory)

    def _word(self, word: str) -> None:
        if word in lines.SLOT:
            self._block.slot_failed()
        elif word == "OK" and self._at.begun:
            self._inventory(self._at.end())
        elif word in lines.READY:
            self.found.append(DeviceStatus("ok", lines.READY[word]))
        elif word in lines.UNASKED:
            self.found.append(DeviceStatus("ok" if word == "HBT" else "restarted", lines.UNASKED[word]))
        else:
            self.found.append(
                DeviceStatus(
                    "failed" if word in lines.BROKEN else "degraded", f"{word}: {lines.REFUSAL[word]}"
                )
            )

    def _answer(self, answer: bytes) -> None:
        """Flags, data, CRC-16/X-25 low byte first: the CRC of the air."""
        if len(answer) < 3 or crc_mcrf4xx(answer[:-2]) ^ 0xFFFF != int.from_bytes(answer[-2:], "little"):
            self.found.append(rejected(Reason.CHECKSUM, "the answer of a tag", answer))
        elif answer[0] & 1:
            self.found.append(DeviceStatus("degraded", f"a tag answered with error {answer[1]:02X}"))
        else:
            self.found.append(DeviceStatus("ok", f"a tag answered with {answer[1:-2].hex().upper()}"))

    def _other(self, said: Said) -> None:
        match said:
            case Input(pin, high):
                self.found.append(ButtonPress(pin, high))
            case Identity(text):
                self.found.append(DeviceStatus("identified", text))
            case Why(text):
                self.found.append(DeviceStatus("degraded", text))
            case Selected(antenna):
                self.found.append(DeviceStatus("ok", "selected", antenna))
            case Command(text):
                self.found.append(rejected(Reason.UNEXPECTED, "a command, not an answer", text.encode()))
            case Data(data):
                reason = Reason.TOO_SHORT if len(data) < 8 else Reason.TOO_LONG
                self.found.append(rejected(reason, "hex digits that are no UID", data))
                self._lose()
            case _:
                pass
