"""In what two rulebooks differ."""

from collections.abc import Iterator
from dataclasses import dataclass

from tablebridge.rulebooks.book import Rulebook
from tablebridge.rulebooks.choices import BURNS, CHOICES, STREETS
from tablebridge.rulebooks.house_sections import SETS


@dataclass(frozen=True, slots=True)
class Difference:
    """`section` and `key` as in a house rulebook. `first`, `second`: what each book has there; empty if it
    has nothing.
    """

    section: str
    key: str
    first: str
    second: str


def differences(first: Rulebook, second: Rulebook) -> tuple[Difference, ...]:
    """Everything that the second book has otherwise than the first, section by section."""
    found = (
        *_choices(first, second),
        *_lists(first, second),
        *_cases(first, second),
        *_clauses(first, second),
    )
    return tuple(difference for difference in found if difference.first != difference.second)


def _choices(first: Rulebook, second: Rulebook) -> Iterator[Difference]:
    for key, choice in CHOICES.items():
        yield Difference(
            "choices", key, choice.answer(getattr(first, key)), choice.answer(getattr(second, key))
        )
    for street in STREETS:
        yield Difference("premature", street, BURNS[first.premature[street]], BURNS[second.premature[street]])


def _lists(first: Rulebook, second: Rulebook) -> Iterator[Difference]:
    for section in SETS:
        before, after = getattr(first, section), getattr(second, section)
        for cause in sorted(before | after):
            yield Difference(section, cause, _yes(cause in before), _yes(cause in after))


def _cases(first: Rulebook, second: Rulebook) -> Iterator[Difference]:
    for finding, cause in sorted({*first.rules, *second.rules}):
        yield Difference(
            "rules",
            _case(finding, cause),
            first.rule(finding, cause) or "",
            second.rule(finding, cause) or "",
        )
    for finding, cause in sorted({*first.remedies, *second.remedies}):
        yield Difference(
            "remedies",
            _case(finding, cause),
            " ".join(first.remedy(finding, cause)),
            " ".join(second.remedy(finding, cause)),
        )


def _clauses(first: Rulebook, second: Rulebook) -> Iterator[Difference]:
    before, after = ({clause.number: clause.text for clause in book.clauses} for book in (first, second))
    for number in {**before, **after}:
        yield Difference("clauses", number, before.get(number, ""), after.get(number, ""))


def _case(finding: str, cause: str) -> str:
    return " ".join(filter(None, (finding, cause)))


def _yes(listed: bool) -> str:
    return "yes" if listed else "no"
