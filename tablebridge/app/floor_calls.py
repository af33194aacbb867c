"""What the table asks of the floor: its findings' alerts, its questions, and which ruling answers one."""

from collections import deque
from collections.abc import Iterable
from typing import Final

import msgspec

from tablebridge.app.dealer_facts import DealerFacts, HeldFinding
from tablebridge.engine.floor.questions import questions
from tablebridge.engine.table import Table
from tablebridge.floor.alerts import CALLED, Alerts
from tablebridge.model.alerts import Alert, AlertChange
from tablebridge.model.errors import Refused
from tablebridge.model.events import Entry, Ruling
from tablebridge.model.findings import Finding
from tablebridge.model.floor_marks import Shelve, Unshelve
from tablebridge.model.instant import Instant
from tablebridge.model.views import Question

_RULINGS_KEPT: Final = 50


class FloorCalls:
    """The calls of one table: `add` each entry, then `raise_` each of its findings, then `after` with its
    time.
    """

    def __init__(self, table: Table, alerts: Alerts, facts: DealerFacts) -> None:
        self._table = table
        self._alerts = alerts
        self._facts = facts
        self._rulings: deque[int] = deque(maxlen=_RULINGS_KEPT)
        self._asked: frozenset[str] = frozenset()
        # The number of the entry that comes next, and the questions before it.
        self._questions: tuple[int, tuple[Question, ...]] = (0, ())

    def kept(self) -> tuple[int, ...]:
        """The rulings that are remembered, as they are kept on disk."""
        return tuple(self._rulings)

    def restore(self, rulings: Iterable[int]) -> None:
        """These are the rulings that are remembered; the table stands where it stood with them."""
        self._rulings.extend(rulings)
        self._asked = frozenset(finding.id for finding in self._table.asked)

    def add(self, entry: Entry) -> None:
        """An entry: a ruling answers what its own findings would ask."""
        if isinstance(entry.event, Ruling):
            self._rulings.append(entry.id)

    def raise_(self, finding: Finding, at: Instant) -> Alert | None:
        """The alert of a finding, if it wants one. What the floor ruled itself calls nobody, nor does what
        the dealer may still take back.
        """
        if finding.evidence[0] in self._rulings or self._facts.hold(finding, at):
            return None
        return self._alerts.raise_(finding, at)

    def release(self, held: Iterable[HeldFinding]) -> tuple[Alert, ...]:
        """The alerts of findings that the dealer can no longer take back."""
        return tuple(
            alert for kept in held if (alert := self._alerts.raise_(kept.finding, kept.at)) is not None
        )

    def after(self, entry: Entry) -> tuple[Alert, ...]:
        """The alerts that are raised, or raised again, because the table waits for the floor since this
        entry; and those that it ruled on, with the chips that go back by the ruling.
        """
        asked = self._table.asked
        before, self._asked = self._asked, frozenset(finding.id for finding in asked)
        raised = tuple(
            alert
            for finding in asked
            if finding.id not in before
            and finding not in self._facts
            and (alert := self._alerts.wait(finding, entry.at)) is not None
        )
        return raised + self._refunded(entry, before - self._asked)

    def _refunded(self, entry: Entry, answered: frozenset[str]) -> tuple[Alert, ...]:
        """The alerts of these questions, if the entry is a ruling by which chips go back."""
        if not answered or not isinstance(entry.event, Ruling):
            return ()
        ruled = (finding for finding in self._table.open_findings if finding.evidence[0] == entry.id)
        refunds = next((finding.refunds for finding in ruled if finding.refunds), {})
        if not refunds:
            return ()
        return tuple(
            alert for id in sorted(answered) if (alert := self._alerts.refund(id, refunds)) is not None
        )

    def questions(self) -> tuple[Question, ...]:
        """What the floor is to decide, with the choices. They are made once per entry."""
        following = self._table.next_entry()
        if self._questions[0] != following:
            self._questions = following, questions(self._table)
        return self._questions[1]

    def check_mark(self, mark: Shelve | Unshelve) -> None:
        """Raise Refused if the alert may not be put on the shelf or taken from it."""
        self._alerts.check_mark(mark)
        if isinstance(mark, Shelve) and any(asked.finding == mark.alert for asked in self.questions()):
            raise Refused("The table waits for the floor: this alert cannot be put on the shelf.")

    def check(self, change: AlertChange, *, back: bool = False) -> AlertChange:
        """The change of an alert, with the words of its ruling as its note. Raises Refused if it is
        impossible, above all if the table waits for a ruling and this is none.
        """
        self._alerts.check(change, back=back)
        self._check_call(change)
        question = next((asked for asked in self.questions() if asked.finding == change.alert), None)
        if not change.line:
            if question is not None and change.to in ("ruled", "closed"):
                raise Refused("The table waits for the floor: choose one of the rulings of this alert.")
            return change
        for choice in question.choices if question is not None and change.to == "ruled" else ():
            if choice.line == change.line:
                return msgspec.structs.replace(
                    change, note=". ".join(filter(None, (choice.words, change.note)))
                )
        raise Refused("The table does not wait for this ruling; look at it again.")

    def _check_call(self, change: AlertChange) -> None:
        """Raise Refused if a call of the floor is ended from afar without a reason."""
        alert = self._alerts.open(change.alert)
        explained = change.note.strip() or alert.cleared or any(step.note for step in alert.life)
        if alert.finding == CALLED and change.to in ("ruled", "closed") and not explained:
            raise Refused(
                "Give the reason in the note: the call was not settled at the table, where the dealer ends "
                "it."
            )

    def settling(self, by: str) -> tuple[AlertChange, ...]:
        """The changes that close the calls of the floor, settled at the table by this person."""
        return tuple(
            AlertChange(alert.id, "closed", by, "Settled at the table.", over=True)
            for alert in self._alerts.active()
            if alert.finding == CALLED
        )
