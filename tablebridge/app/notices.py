"""What the dealer is to know beside what comes next: notices of the hand, warnings until the floor has closed
them, and which steps of their remedies are done.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from tablebridge.app.dealer_facts import DealerFacts
from tablebridge.engine.table import Table
from tablebridge.floor.alerts import CALLED, Alerts, for_staff
from tablebridge.model.alerts import Alert
from tablebridge.model.errors import Refused
from tablebridge.model.events import Entry, Hand
from tablebridge.model.findings import SEVERITIES, Finding
from tablebridge.model.key_events import StepDone
from tablebridge.model.sentences import sentence_of
from tablebridge.model.views import NoticeView

_MOST: Final = 8
_LOOKED_AT: Final = 50
"""The most alerts that are looked at: of more, the dealer sees the most severe."""


class Shown(NamedTuple):
    """The notices that go into a message, and how many stand beside these."""

    notices: tuple[NoticeView, ...]
    more: int


class Notices:
    """The notices of one table. Folded from entries and alerts."""

    def __init__(self, table: Table, alerts: Alerts, facts: DealerFacts) -> None:
        self._table = table
        self._alerts = alerts
        self._facts = facts
        self._done: dict[str, tuple[int, ...]] = {}

    def kept(self) -> dict[str, tuple[int, ...]]:
        """The steps that were done, by finding, as they are kept on disk."""
        return dict(self._done)

    def restore(self, done: Mapping[str, tuple[int, ...]]) -> None:
        """These steps were done."""
        self._done = dict(done)

    def add(self, entry: Entry) -> None:
        """An entry that the engine has applied: a step, or a hand that begins."""
        event = entry.event
        if isinstance(event, StepDone):
            others = tuple(number for number in self._done.get(event.finding, ()) if number != event.number)
            self._done[event.finding] = tuple(sorted((*others, event.number))) if event.done else others
        elif isinstance(event, Hand):
            self._done = {finding: done for finding, done in self._done.items() if finding in self._alerts}

    def shown(self) -> Shown:
        """The notices that stand: the most severe first, then the newest; no more than go into a message."""
        found = {
            alert.id: self._of_alert(alert) for alert in self._alerts.active(_LOOKED_AT) if not alert.cleared
        }
        for finding in (*self._facts.held(), *self._table.open_findings):
            if finding in self._facts or (finding.severity == "notice" and self._stands(finding)):
                found.setdefault(finding.id, self._of_finding(finding))
        # The dealer's own call has a place of its own on the page.
        standing = [notice for notice in found.values() if notice.finding != CALLED]
        standing.sort(key=lambda notice: (SEVERITIES.index(notice.severity), _age(notice.id)), reverse=True)
        unseen = max(0, len(self._alerts) - _LOOKED_AT)
        return Shown(tuple(standing[:_MOST]), max(0, len(standing) - _MOST) + unseen)

    def _stands(self, finding: Finding) -> bool:
        """Whether a notice stands: one of a hand ends with it."""
        return self._table.street != "over" or finding.street == "over" or bool(finding.device)

    def check(self, event: StepDone) -> None:
        """Raise Refused unless this is a step of a notice that stands."""
        notice = next((notice for notice in self.shown().notices if notice.id == event.finding), None)
        if notice is None:
            raise Refused("This notice does not stand any more; look at the page again.")
        if not 1 <= event.number <= len(notice.remedy):
            raise Refused("This notice has no such step; look at the page again.")

    def _of_alert(self, alert: Alert) -> NoticeView:
        return NoticeView(
            alert.id,
            alert.finding,
            alert.severity,
            alert.sentence,
            alert.rulebook,
            alert.rule,
            alert.cause,
            alert.seat,
            alert.remedy,
            self._done.get(alert.id, ()),
            alert.text,
            alert.args,
            alert.refunds,
        )

    def _of_finding(self, finding: Finding) -> NoticeView:
        said = for_staff(finding)
        return NoticeView(
            said.id,
            said.finding,
            said.severity,
            sentence_of(said),
            said.rulebook,
            said.rule,
            said.cause,
            said.seat,
            said.remedy,
            self._done.get(said.id, ()),
            said.text,
            said.args,
            said.refunds,
        )


def _age(finding: str) -> tuple[int, str]:
    """Sorts the ids of findings, `812.0` or `812.typed`, by their entry."""
    entry, _, number = finding.partition(".")
    return int(entry) if entry.isdecimal() else 0, number
