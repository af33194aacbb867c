"""Plays a script into the hand engine and holds it against the script's expectations.

What a script never mentions is taken as done: a deck that is nowhere shuffled or cut in the script was
shuffled and cut for every hand, and a deck that is nowhere checked was checked. A script that mentions
shuffles or cuts anywhere mentions each of them; the same holds for checks and for all-in buttons.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic

from tablebridge.engine.outcome import Outcome
from tablebridge.engine.script.reader import E, Expected, Script, Statement
from tablebridge.engine.table import Table
from tablebridge.model.errors import ScriptError
from tablebridge.model.events import AllinButton, Cut, DeckCheck, Entry, Game, Rules, Shuffled, TableEvent
from tablebridge.model.findings import SEVERITIES, Finding
from tablebridge.model.instant import START, later
from tablebridge.model.seat_events import SEATED


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether one expectation holds. `said`: what the engine said if it does not, else empty."""

    expected: Expected
    said: str

    @property
    def holds(self) -> bool:
        return not self.said


@dataclass(frozen=True, slots=True)
class Played(Generic[E]):
    """One statement, what it led to, and how its expectations fared."""

    statement: Statement[E]
    outcome: Outcome
    verdicts: tuple[Verdict, ...]

    @property
    def unnamed(self) -> tuple[Finding, ...]:
        """The findings above `info` that no expectation of the statement names: false alarms until a person
        says otherwise.
        """
        named = [
            finding
            for expected in self.statement.expected
            if expected.expectation.finding is not None
            for finding in expected.expectation.finding.among(self.outcome)
        ]
        return tuple(
            finding
            for finding in self.outcome.findings
            if finding.severity != SEVERITIES[0] and finding not in named
        )


def play(script: Script[TableEvent], table: Table | None = None) -> Iterator[Played[TableEvent]]:
    """Play the statements one after the other, each as the entry with the number of its line.

    Raises ScriptError if the script asks for a rulebook or a game that does not exist.
    """
    table = Table("table") if table is None else table
    types = {type(statement.event) for statement in script.statements}
    table.reports(
        shuffles=not types.isdisjoint({Shuffled, Cut}),
        checks=DeckCheck in types,
        buttons=AllinButton in types,
    )
    for statement in script.statements:
        entry = Entry(statement.number, later(START, statement.at_s), statement.event)
        outcome = table.apply(entry)
        if outcome.ignored and isinstance(statement.event, (Rules, Game, *SEATED)):
            raise ScriptError(f"{script.name}:{statement.number}: {outcome.ignored}")
        verdicts = tuple(
            Verdict(expected, expected.expectation.check(table, outcome)) for expected in statement.expected
        )
        yield Played(statement, outcome, verdicts)
