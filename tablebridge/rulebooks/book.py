"""What a rulebook is to the engine: rules by finding, remedies, and the choices where books decide differently."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One rulebook as data. `rules` and `remedies` are keyed by finding and cause; the cause `""` stands for any cause.

    `misdeals`: the causes for which the book has the cards dealt again while it is in time.
    `voiding`: the causes of a fouled deck that stop the hand by themselves, whenever found; others are the floor's.
    `clock_without_bet`: what running out of time does to a hand that faces no bet.
    """

    name: str
    title: str
    rules: Mapping[Key, str]
    remedies: Mapping[Key, tuple[str, ...]]
    misdeals: frozenset[str]
    voiding: frozenset[str]
    clock_without_bet: Literal["check", "dead"] = "check"

    def rule(self, finding: str, cause: str | None = None) -> str | None:
        """The book's own number for this finding, or None where it has no clause."""
        return self.rules.get((finding, cause or "")) or self.rules.get((finding, ""))

    def remedy(self, finding: str, cause: str | None = None) -> tuple[str, ...]:
        """The steps that the book prescribes, in its order; empty where there is nothing to do."""
        steps = self.remedies.get((finding, cause or ""))
        return self.remedies.get((finding, ""), ()) if steps is None else steps
