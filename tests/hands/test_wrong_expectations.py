"""An expectation that is wrong must fail: every expectation of the suite, altered in one word, has to be
found out.

A word that could be altered without the expectation failing would be a word that nobody looks at. Not altered
is what would be right as well: a step of a remedy into another step of the same remedy, a finding into
another finding of the same event, a seat into a seat that has the same answer (it becomes a seat at which
nobody sits, and where there are no chips).
"""

from collections.abc import Iterator

import pytest
from hands.suite import by_folder, hands, path_of

from tablebridge.cli.scripts import load
from tablebridge.engine.outcome import Outcome
from tablebridge.engine.script.expectations import ACTIONS, STREETS, Expectation, parse_expectation
from tablebridge.engine.script.reader import Expected
from tablebridge.engine.script.runner import play
from tablebridge.engine.table import Table
from tablebridge.model.errors import ScriptError
from tablebridge.model.findings import KINDS, REMEDIES

SWAPS = {
    "yes": "no",
    "no": "yes",
    "face-up": "face-down",
    "face-down": "face-up",
    "live": "dead",
    "dead": "live",
    "may": "may-not",
    "may-not": "may",
    "none": "1",
    "dealt-in": "dealt-out",
    "dealt-out": "dealt-in",
}
"""Words whose contrary cannot hold as well."""

FOLDERS = by_folder(hands())
EMPTY_SEAT = "10"
SEATS = ("dealt-in", "dealt-out", "waits")
LISTS = ("board", "pots", "show-order")
NO_SEAT = ("pot", "to-act", "next-button", "may-not", "dealt-out", "clock-left", "level-left")
WORDS = {"ruled": ACTIONS, "street": STREETS, "remedy": tuple(REMEDIES)}


def mutants(text: str, outcome: Outcome) -> Iterator[str]:
    """The expectation with one word altered: each of its words, into every other that could stand there."""
    words = text.split("#")[0].removeprefix("!").split()
    for at, word in enumerate(words):
        for other in altered(words, at, word, outcome):
            yield " ".join(["!", *words[:at], other, *words[at + 1 :]])
    if words[0] == "remedy" and len(words) > 2:
        yield " ".join(["! remedy", *reversed(words[1:])])
    if words[0] in LISTS and len(words) > 2:
        yield " ".join(["!", *words[:-1]])


def altered(words: list[str], at: int, word: str, outcome: Outcome) -> list[str]:
    name = words[0]
    if at == 0 and word in KINDS:
        found = {finding.finding for finding in outcome.findings}
        return [other for other in KINDS if other not in {word, *found}]
    if word in SWAPS:
        return [SWAPS[word]]
    if name == "remedy":
        prescribed = {step for finding in outcome.findings for step in finding.remedy}
        return [step for step in REMEDIES if at and step not in prescribed]
    if name in WORDS and word in WORDS[name]:
        return [other for other in WORDS[name] if other != word]
    if name in KINDS and words[at - 1] == "cause":
        return [cause for cause in KINDS[name].causes if cause != word]
    if name in KINDS and words[at - 1] == "rule":
        return [f"{word}x", word[:-1] or "1"]
    if at == 1 and name not in (*LISTS, *NO_SEAT):
        return [EMPTY_SEAT] if words[-1] not in ("0", "none") and name != "buy-in" else []
    if name in SEATS:
        return [EMPTY_SEAT] if name != "dealt-out" else []
    if word.isdigit():
        return [str(int(word) + step) for step in (-1, 1, 100) if int(word) + step > 0 and name != "may-not"]
    if len(word) in (2, 3) and word[1] in "cdhs":
        return [f"{'2' if word[0] == 'T' else 'T'}{word[1]}"]
    return []


def wrong(expected: tuple[Expected, ...], outcome: Outcome) -> Iterator[tuple[Expected, str, Expectation]]:
    """The mutants of the expectations below one statement, each read in the place of what it came from."""
    above: list[Expectation] = []
    for one in expected:
        for text in mutants(one.text, outcome):
            try:
                mutant = parse_expectation(text, above)
            except ScriptError:
                # Not even a sentence of the language: found out when it is read.
                continue
            if not right_as_well(one.expectation, mutant, outcome):
                yield one, text, mutant
        above.append(one.expectation)


def right_as_well(expectation: Expectation, mutant: Expectation, outcome: Outcome) -> bool:
    """Whether the mutant is about another finding of the event than the expectation, and true of that."""
    if expectation.finding is None or mutant.finding is None:
        return False
    meant = expectation.finding.among(outcome)
    return any(finding not in meant for finding in mutant.finding.among(outcome))


def survivors(script: str) -> Iterator[str]:
    """The mutants of a script that hold."""
    table = Table("table")
    for played in play(load(path_of(script)), table):
        for one, text, mutant in wrong(played.statement.expected, played.outcome):
            if not mutant.check(table, played.outcome):
                yield f"{script}:{one.number}: {one.text} -> {text}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_wrong_expectation_fails(folder: str) -> None:
    assert [one for script in FOLDERS[folder] for one in survivors(script)] == []
