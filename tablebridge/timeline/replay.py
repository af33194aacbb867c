"""The engine is run over the records of one hand again, and what they say is put down as items.

`begin` with the table as it was before the hand, then `take` each row of the journal in order. A finding that
the record has and the engine does not find, or the other way round, is an item that says so.

**Faces.** Without `faces` an event's line holds what people at the table could know when it happened
(`Table.known`), the table's picture the cards that lay open then, and a reading the numbers of its cards.
Nothing that depends on another face leaves: two hands that differ in faces that never lay open give the same
items, to the byte.
"""

from collections import deque
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from tablebridge.engine.script.writer import line_of
from tablebridge.engine.table import Table
from tablebridge.engine.views import staff_view
from tablebridge.export.account import accounts
from tablebridge.export.hands import cannot, phh_of
from tablebridge.export.phh import write_phh
from tablebridge.floor.alerts import for_staff
from tablebridge.journal.read import same
from tablebridge.journal.readings import Row, Taken
from tablebridge.journal.records import AlertRecord, InstallationRecord, body_of
from tablebridge.journal.store import Record
from tablebridge.model.bounds import LONGEST_LINE, shortened
from tablebridge.model.cards import Card
from tablebridge.model.events import DeviceState, Entry, TableEvent
from tablebridge.model.findings import Finding
from tablebridge.model.instant import Instant
from tablebridge.model.places import Place, is_for_chips
from tablebridge.model.readings import (
    ButtonPress,
    DeviceStatus,
    Look,
    Reading,
    ShufflerReport,
    Stamped,
    Sweep,
    TrayReading,
)
from tablebridge.model.sentences import sentence_of
from tablebridge.model.timeline import (
    MOST_EVIDENCE,
    AlertStep,
    Happened,
    Heard,
    Item,
    Moment,
    Noticed,
    SeatMoment,
)
from tablebridge.timeline.cards import CardNumbers
from tablebridge.timeline.places import places_of

EntryOf = Callable[[Record], Entry | None]
"""The table event of a record as it is folded again; None if it holds something else."""


class HandReplay:
    """One hand. `table`: folded up to the hand; `antennas`: the places by device and antenna; `salt`: of the
    hand, for the numbers of its cards; `cards`: the face of each enrolled tag; `faces`: whether hidden faces
    are shown.
    """

    def __init__(
        self,
        table: Table,
        entry_of: EntryOf,
        antennas: Mapping[str, Mapping[int, Place]],
        salt: bytes,
        cards: Mapping[str, Card],
        *,
        faces: bool,
    ) -> None:
        self._table = table
        self._entry_of = entry_of
        self._antennas = antennas
        self._numbers = CardNumbers(salt)
        self._cards = cards
        self._faces = faces
        self._entry: Entry | None = None
        self._found: deque[Finding] = deque()
        self.differences = 0
        self._before = table.copy()
        self._entries: list[Entry] = []

    @property
    def hand(self) -> int:
        """The number of the hand under way."""
        return self._table.hand_number

    def faces(self) -> dict[int, Card]:
        """By their numbers the faces of the cards that were read so far; none without `faces`."""
        return self._numbers.faces(self._cards) if self._faces else {}

    def phh(self) -> str:
        """The hand as PHH, as far as it was taken: without a face that never lay open unless they are shown.
        Empty if PHH cannot hold it.
        """
        for account in accounts(self._entries, self._table.name, start=self._before):
            if not cannot(account):
                return write_phh(phh_of(account if self._faces else account.public()))
        return ""

    def take(self, record: Record) -> list[Item]:
        """The items of the next record. Raises msgspec.MsgspecError, KeyError if it cannot be read."""
        entry = self._entry_of(record)
        if entry is not None:
            return [*self.finish(), self._happened(entry, redacted=record.redacted)]
        body = body_of(record)
        match body:
            case Finding():
                return [self._noticed(record.number, body)]
            case AlertRecord(change=change, at=at):
                line = shortened(change.line, LONGEST_LINE)
                return [AlertStep(record.number, at, change.alert, change.to, change.by, change.note, line)]
            case InstallationRecord():
                self._antennas = body.antennas
        return []

    def finish(self) -> list[Item]:
        """No further record of the last event follows: what the engine finds now and the record does not
        have.
        """
        left: list[Item] = [self._item(0, finding, again=False) for finding in self._found]
        self._found.clear()
        self.differences += len(left)
        return left

    def heard(self, row: Row, since: Instant) -> Heard | None:
        """A reading, with its time from `since` on; None for a tick."""
        if not isinstance(row.row, Taken):
            return None
        stamped = row.row.stamped
        heard = Heard(
            row.number,
            stamped.device,
            stamped.epoch,
            stamped.seq,
            stamped.at.wall_ns - since.wall_ns,
            stamped.at.monotonic_ns - since.monotonic_ns,
        )
        return self._swept(heard, stamped, stamped.reading)

    def _swept(self, heard: Heard, stamped: Stamped, reading: Reading) -> Heard:
        if not isinstance(reading, Sweep):
            return replace(heard, said=_said(reading))
        place = self._antennas.get(stamped.device, {}).get(reading.antenna, Place(""))
        heard = replace(
            heard, antenna=reading.antenna, place=place, visits=reading.visits, complete=reading.complete
        )
        if is_for_chips(place):
            return replace(heard, said=f"{len(reading.tags)} chips")
        return replace(heard, cards=self._numbers.of(reading.tags), missed=self._numbers.of(reading.missed))

    def _happened(self, entry: Entry, *, redacted: bool) -> Happened:
        outcome = self._table.apply(entry)
        self._entry = entry
        self._entries.append(entry)
        self._found.extend(outcome.findings)
        event: TableEvent = entry.event if self._faces else self._table.known(entry)
        state = entry.event if isinstance(entry.event, DeviceState) else None
        return Happened(
            entry.id,
            entry.at,
            str(entry.event.__struct_config__.tag),
            shortened(line_of(event), LONGEST_LINE),
            entry.basis,
            self._moment(entry.at),
            entry.by,
            entry.sure,
            places_of(entry.event),
            entry.evidence[-MOST_EVIDENCE:],
            entry.entered,
            shortened(outcome.ignored, LONGEST_LINE),
            "" if state is None else state.device,
            "" if state is None else state.health or state.state,
            redacted,
        )

    def _noticed(self, number: int, recorded: Finding) -> Noticed:
        """A recorded finding, beside the next one that the engine has found now."""
        again = bool(self._found) and same(recorded, self._found[0])
        if again:
            self._found.popleft()
        else:
            self.differences += 1
        return self._item(number, recorded, again=again)

    def _item(self, number: int, finding: Finding, *, again: bool) -> Noticed:
        entry = self._entry
        shown = finding if self._faces else for_staff(finding)
        at = Instant(0, 0) if entry is None else entry.at
        return Noticed(number, at, 0 if entry is None else entry.id, shown, sentence_of(finding), again)

    def _moment(self, at: Instant) -> Moment:
        view = staff_view(self._table, at)
        return Moment(
            view.street,
            view.board,
            view.first_board,
            view.pot,
            view.button,
            view.to_act,
            view.to_call,
            view.expects,
            view.in_doubt,
            tuple(
                SeatMoment(
                    seat.seat,
                    seat.state,
                    seat.name,
                    seat.stack,
                    seat.bet,
                    seat.cards,
                    self._table.cards_of(seat.seat) if self._faces else seat.faces,
                    seat.last,
                    seat.won,
                )
                for seat in view.seats
            ),
        )


def _said(reading: Reading) -> str:
    """What a reading says that is no sweep. The faces that a shuffler reports are left out."""
    match reading:
        case ShufflerReport(report=report, count=count):
            return f"shuffler {report}" + ("" if count is None else f" {count}")
        case ButtonPress(contact=contact, pressed=pressed):
            return f"contact {contact} {'closed' if pressed else 'opened'}"
        case DeviceStatus(state=state, detail=detail, antenna=antenna):
            where = "" if antenna is None else f" antenna {antenna}"
            return f"status {state}{where}" + (f": {detail}" if detail else "")
        case Look(place=place, sees=sees):
            return f"camera {place}: {sees}"
        case TrayReading(tags=tags, counts=counts):
            return f"tray {len(tags) or sum(counts.values())} chips"
        case _:
            return ""
