"""The retention rules of one table are carried out by its engine, the journal's one writer.

While no hand is under way a portion is done every few minutes: the hands of a portion are read, what is
deleted and that it was is one transaction, and then the disk forgets it. How far each rule has come is noted
in the journal. The last two hands of a table can still be corrected and are kept until two more have begun;
so are the names in force.

Nothing is deleted by a clock that is not synchronised, nor because of a time that such a clock wrote.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from itertools import islice
from typing import Final

from tablebridge.app.redaction import (
    Instead,
    Stretch,
    names_in,
    stretches,
    without_hidden_faces,
    without_names,
    without_snapshots,
)
from tablebridge.engine.table import Table
from tablebridge.journal.chain import Rule
from tablebridge.journal.records import entry_of
from tablebridge.journal.store import Journal
from tablebridge.model.instant import Instant
from tablebridge.settings.site import Retention as Rules

EVERY_S: Final = 300
SOON_S: Final = 10
"""From one portion to the next if there is more to do."""
MOST_HANDS: Final = 20
"""The hands of a portion, which takes about 40 ms."""
_BY: Final = "the site file's retention"


class Retention:
    """Carries out the rules on the journal of one table. `transaction`: begins one at this time."""

    def __init__(
        self,
        journal: Journal,
        rules: Rules,
        table: Table,
        transaction: Callable[[Instant], AbstractContextManager[None]],
    ) -> None:
        self._journal = journal
        self._rules = rules
        self._table = table
        self._transaction = transaction
        self._due_ns = 0

    def tick(self, now: Instant) -> None:
        """Do the next portion of each rule, if it is time and no hand is under way."""
        if not self._rules.any or now.monotonic_ns < self._due_ns or not now.clock_synchronised:
            return
        if self._table.street in ("over", "void"):
            with self._transaction(now):
                all_done = self._portion(now)
            self._journal.redactor.erase()
            self._due_ns = now.monotonic_ns + (EVERY_S if all_done else SOON_S) * 1_000_000_000

    def _portion(self, now: Instant) -> bool:
        """Whether no rule has more to do."""
        hands = []
        if (before_ns := self._rules.before_ns("readings", now)) is not None:
            hands.append(self._readings(before_ns))
        if (before_ns := self._rules.before_ns("hole_cards", now)) is not None:
            hands.append(self._hole_cards(before_ns, now))
        if (before_ns := self._rules.before_ns("names", now)) is not None:
            hands.append(self._names(before_ns, now))
        return max(hands) < MOST_HANDS

    def _readings(self, before_ns: int) -> int:
        hands = self._old("readings", before_ns)
        if hands:
            self._journal.forget_readings(hands[-1].end)
            self._done("readings", hands)
        return len(hands)

    def _hole_cards(self, before_ns: int, now: Instant) -> int:
        hands = self._old("hole_cards", before_ns)
        instead: Instead = {}
        for hand in hands:
            instead |= without_hidden_faces(self._journal, hand)
        if hands:
            # With the deck's file they say the faces.
            self._journal.forget_readings(hands[-1].end)
        self._delete("hole_cards", instead, hands, now)
        return len(hands)

    def _names(self, before_ns: int, now: Instant) -> int:
        """Names are deleted when others have taken their place for long enough."""
        hands = self._old("names", before_ns)
        instead: Instead = {}
        if hands:
            for record in names_in(self._journal, self._since("names"), hands[-1].end):
                in_force = f"{record.kind}-in-force"
                if number := self._journal.noted(in_force):
                    instead |= without_names(next(self._journal.records(number)))
                self._journal.note(in_force, record.number)
        self._delete("names", instead, hands, now)
        return len(hands)

    def _delete(self, rule: Rule, instead: Instead, hands: list[Stretch], now: Instant) -> None:
        if not hands:
            return
        instead = without_snapshots(self._journal, self._since(rule), hands[-1].settled) | instead
        if instead:
            self._journal.redactor.redact(instead, rule, _BY, now.wall_ns)
        self._done(rule, hands)

    def _since(self, rule: Rule) -> int:
        return max(self._journal.noted(_done(rule)), self._journal.redactor.first)

    def _done(self, rule: str, hands: list[Stretch]) -> None:
        self._journal.note(_done(rule), hands[-1].end)

    def _old(self, rule: str, before_ns: int) -> list[Stretch]:
        """The next hands that this rule has not come to, as far as they ended before this time."""
        hands: list[Stretch] = []
        count = 0
        for hand in islice(stretches(self._journal, self._journal.noted(_done(rule))), MOST_HANDS):
            hands.append(hand)
            at = self._at(hand.end)
            if at.clock_synchronised:
                if at.wall_ns >= before_ns:
                    break
                count = len(hands)
        return hands[:count]

    def _at(self, number: int) -> Instant:
        entry = entry_of(next(self._journal.records(number)))
        assert entry is not None, f"no hand begins with record {number}"
        return entry.entered or entry.at


def _done(rule: str) -> str:
    return f"{rule}-done"
