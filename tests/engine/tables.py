"""A table for tests: events in, and all of its state as one comparable value."""

from collections.abc import Iterable
from typing import Any

from tablebridge.engine.hand import Hand
from tablebridge.engine.outcome import Outcome
from tablebridge.engine.table import Table
from tablebridge.engine.views import overlay_view
from tablebridge.model.events import Basis, Entry, TableEvent
from tablebridge.model.findings import Finding
from tablebridge.model.instant import START


class Script:
    """Numbers entries from 1 and keeps what the table said to each."""

    def __init__(self, *events: TableEvent) -> None:
        self.table = Table("table 1")
        self.outcomes: list[Outcome] = []
        self.play(*events)

    def play(self, *events: TableEvent, basis: Basis = "script") -> Outcome:
        outcome = Outcome()
        for event in events:
            outcome = self.table.apply(Entry(len(self.outcomes) + 1, START, event, basis))
            self.outcomes.append(outcome)
        return outcome

    def findings(self) -> list[Finding]:
        return [finding for outcome in self.outcomes for finding in outcome.findings]


def words(findings: Iterable[Finding]) -> list[tuple[str, str | None, int | None]]:
    """Finding, cause and seat of each."""
    return [(finding.finding, finding.cause, finding.seat) for finding in findings]


LASTING = ("typed-face-contradicted", "faces-probed")
"""What corrections do not take back."""


def state(table: Table) -> dict[str, Any]:
    """Everything that a table can be asked, and that corrections may change."""
    seats = range(12)
    findings = [one for one in table.open_findings if one.finding not in LASTING]
    hand = (
        None
        if table.hand is None
        else {name: getattr(table.hand, name) for name in Hand.__struct_fields__ if name != "findings"}
    )
    return {
        "view": overlay_view(table, START),
        "live": table.live,
        "dead": table.dead,
        "face_up": table.face_up,
        "show": table.show_order,
        "substantial": table.substantial_action,
        "next": table.next_button,
        "seats": table.seats,
        "expectation": table.expectation(),
        "findings": findings,
        "hand": hand,
        "setup": table.setup,
        "each": [
            (
                table.stack(seat),
                table.bet(seat),
                table.won(seat),
                table.may(seat),
                table.to_call(seat),
                table.min_raise(seat),
                table.max_raise(seat),
                table.cards_of(seat),
            )
            for seat in seats
        ],
    }
