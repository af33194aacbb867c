"""What would come of a command, tried on a copy of the table: nothing is recorded, and the table does not
change.

All that the copy says is what everybody at the table would see after the command. The fold does not know
faces that lie down (`engine/hidden`) until a hand ends; so where antennas know some, no end of a hand is
tried out, and no line before one.
"""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from tablebridge.app.commands import events_of, own_last
from tablebridge.bus.messages import Command
from tablebridge.engine.outcome import Outcome
from tablebridge.engine.table import Table
from tablebridge.model.errors import Refused
from tablebridge.model.events import End, Entry, Hand, TableEvent
from tablebridge.model.findings import Finding
from tablebridge.model.instant import START
from tablebridge.model.preview import MOST, Foreseen, Moment, Preview, Taken
from tablebridge.model.sentences import sentence_of

_OVER: Final = ("over", "void")
_OF_THE_SHUFFLE: Final = "shuffle-suspect"
"""The finding that a hand's end makes of hidden faces, also that of a void hand."""


def preview(command: Command, table: Table, rev: int) -> Preview:
    """What would come of lines, a correction or an undo. It never raises."""
    try:
        if command.last:
            command = replace(command, undo=own_last(command, table))
        events = events_of(command, table)
    except Refused as refused:
        return Preview(command.id, False, str(refused), rev)
    before = _moment(table)
    if table.hides and _may_end(command, events, table):
        return Preview(command.id, True, rev=rev, before=before, after=before, ends=True)
    tried = table.copy()
    by = f"{command.by} ({command.role})"
    outcomes = [tried.apply(Entry(tried.next_entry(), START, event, "operator", by=by)) for event in events]
    if tried.hides and tried.street == "over":
        return Preview(command.id, True, rev=rev, before=before, after=before, ends=True)
    return _compared(Preview(command.id, True, rev=rev, before=before), table, tried, outcomes)


def _may_end(command: Command, events: Iterable[TableEvent], table: Table) -> bool:
    """Whether a hand ends by these events, or is over at what they correct."""
    place = next((at for at in (command.undo, command.change, command.before) if at is not None), None)
    if place is not None and (table.ended_after(place) or table.begins(place) or table.street == "over"):
        return True
    return any(isinstance(event, (End, Hand)) for event in events)


def _compared(preview: Preview, table: Table, tried: Table, outcomes: list[Outcome]) -> Preview:
    """What is otherwise at the copy."""
    known, found = _findings(table), _findings(tried)
    return replace(
        preview,
        sentence=" ".join(outcome.ignored for outcome in outcomes if outcome.ignored),
        taken=tuple(
            Taken(ruled.seat, ruled.action, ruled.amount) for outcome in outcomes for ruled in outcome.ruled
        )[:MOST],
        back=tuple((back.seat, back.amount) for outcome in outcomes for back in outcome.returned)[:MOST],
        comes=tuple(_foreseen(found[key]) for key in found if found[key] != known.get(key))[-MOST:],
        goes=tuple(_foreseen(known[key]) for key in known if known[key] != found.get(key))[-MOST:],
        after=_moment(tried),
    )


def _findings(table: Table) -> dict[str, Finding]:
    """The findings of the hand, by their ids, without the cards: those are another's to see."""
    return {
        finding.id: replace(finding, cards=(), public_cards=())
        for finding in table.open_findings
        if finding.finding != _OF_THE_SHUFFLE and finding.id not in table.lasting
    }


def _foreseen(finding: Finding) -> Foreseen:
    return Foreseen(finding.finding, finding.severity, sentence_of(finding), finding.rulebook, finding.rule)


def _moment(table: Table) -> Moment:
    seat = table.acting
    return Moment(
        table.pot,
        seat,
        0 if seat is None else table.to_call(seat),
        table.street,
        () if table.street in _OVER else table.live,
    )
