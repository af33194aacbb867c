"""Every sentence that a process sends to a page in English has its form, so that the page says it in its
language. The sentences are collected from the source: a new one without a form fails here.
"""

from collections.abc import Iterator

import pytest
from rig.documents import ROOT

from tablebridge.archive.findings import KINDS
from tablebridge.languages import NAMES
from tablebridge.languages.texts import texts
from tablebridge.steps.attempt import LATE
from tablebridge.steps.cures import command_of
from tablebridge.stream import asking
from tablebridge.uplink import commands
from tablebridge.web.heard import heard
from web.sentences import Source

ENGLISH, CHINESE = texts("en"), texts("zh")
PACKAGE = ROOT / "tablebridge"


def files(*patterns: str) -> Iterator[Source]:
    """The files of the package that have these names."""
    for pattern in patterns:
        found = sorted(PACKAGE.glob(pattern))
        assert found, pattern
        yield from map(Source, found)


def unknown(sentences: set[str]) -> list[str]:
    """Those that a page would show in English, or say otherwise than they came."""
    return sorted(said for said in sentences if heard(CHINESE, said) == said or heard(ENGLISH, said) != said)


def test_every_line_that_changes_nothing_is_said_in_the_language_of_the_page() -> None:
    sentences = {said for source in files("engine/**/*.py") for said in source.ignored()}
    assert len(sentences) > 70
    assert not unknown(sentences)


@pytest.mark.parametrize(
    ("patterns", "least"),
    [
        (("app/*.py", "floor/*.py"), 45),
        (("room/*.py", "tournament/*.py"), 30),
        (("steps/*.py", "doctor/setup_process/*.py"), 30),
    ],
    ids=["engine", "room", "set-up"],
)
def test_every_refusal_is_said_in_the_language_of_the_page(patterns: tuple[str, ...], least: int) -> None:
    calls = ("Refused", "_Refused", "Wrong", "Unfit")
    sentences = {said for source in files(*patterns) for said in source.given(calls, (0,))}
    replies = {said for source in files("tournament/*.py") for said in source.given(("RoomReply",), (2,))}
    assert len(sentences) >= least and len(replies) == 2
    assert not unknown(sentences | replies)


def test_what_comes_of_an_act_from_the_room_is_said_in_the_language_of_the_page() -> None:
    sentences = {
        said
        for module in (asking, commands)
        for name, said in vars(module).items()
        if name.isupper() and isinstance(said, str) and " " in said
    }
    assert len(sentences) == 11
    assert not unknown(sentences)


def test_what_a_room_finds_about_records_is_said_in_the_language_of_the_page() -> None:
    names = {"table": "t1", "box": "final", "number": 7, "after": 3, "more": "-86400"}
    sentences = {kind.sentence.format(**names) for kind in KINDS.values()}
    sentences |= {kind.todo for kind in KINDS.values()}
    refusals = {said for source in files("archive/settling.py") for said in source.given(("Refused",), (0,))}
    assert len(sentences) == 2 * len(KINDS) and len(refusals) >= 2
    shown = {said for said in refusals if "--is-right" not in said and "Give" not in said}
    shown |= {f"Give {what} letters, on one line." for what in ("a name of 1 to 60", "a reason of 1 to 500")}
    assert not unknown(sentences | shown)


def test_every_check_of_the_doctor_and_its_cure_is_said_in_the_language_of_the_page() -> None:
    checks = ("ok", "warn", "fail", "make")
    sources = list(files("doctor/*.py"))
    sentences = {said for source in sources for said in source.given(checks, (1, 2))}
    sentences |= {said for source in sources for said in source.given(("Check",), (2, 3))}
    assert len(sentences) > 80
    commands = {said for said in sentences if command_of(said) == said or said.startswith("chmod ")}
    assert not unknown(sentences - commands)


def test_what_cannot_be_read_is_said_in_the_language_of_the_page() -> None:
    """Errors to which the caller adds the full stop."""
    sources = files("model/places.py", "model/contacts.py", "doctor/setup_process/place_desk.py")
    sentences = {f"{said}." for source in sources for said in source.given(("ValueError",), (0,))}
    assert len(sentences) == 3
    assert not unknown(sentences)


def test_why_a_device_was_not_chosen_is_said_in_the_language_of_the_page() -> None:
    assert not unknown(set(LATE.values()))
    assert len({heard(texts(language), LATE["opening"]) for language in NAMES}) == len(NAMES)
