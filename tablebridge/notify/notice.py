"""What one person is sent of one incident, and what is written in it.

A notice is read on lock screens: it has the table, a kind of trouble, ages and names of the staff. Its texts
are made of a call (`model/calls.py`), which has nothing else.
"""

import time
from typing import Final, Literal

import msgspec

from tablebridge.model.calls import Call
from tablebridge.model.instant import seconds_between
from tablebridge.notify.words import KINDS, OTHER_KIND, WORDS, Words
from tablebridge.settings.people import Language

CRITICAL, WARNING, QUIET = 5, 4, 2
"""Priorities as ntfy counts them, from 1 to 5; an alert that rings again has the highest."""
What = Literal["ring", "update", "withdraw", "test"]


class Notice(msgspec.Struct, frozen=True):
    """One notice. `id`: of what it says; `key`: of its person and incident, the same for all that follow,
    which replace it. `go`: the secret of the pass that takes its alerts, empty if it has none; `labels`: of
    its two buttons.
    """

    id: str
    key: str
    person: str
    what: What
    priority: int = QUIET
    title: str = ""
    body: str = ""
    go: str = ""
    labels: tuple[str, str] = ("", "")


class Text(msgspec.Struct, frozen=True):
    """Title and body of a notice."""

    title: str
    body: str


def priority(call: Call) -> int:
    """How loud a call is."""
    if call.ring is not None or call.severity == "critical":
        return CRITICAL
    return WARNING


def text_of(table: str, call: Call, count: int, language: Language) -> Text:
    """What is written of an incident with so many calls (`count`), of which this one names it."""
    words = WORDS[language]
    kind = words.kinds[KINDS.get(call.finding, OTHER_KIND)]
    name = words.table.format(name=table.removeprefix("table-")) if table else words.box
    title = words.title.format(table=name, kind=kind)
    since = words.raised.format(time=time.strftime("%H:%M", time.localtime(call.raised_at.wall_ns / 1e9)))
    several = words.several.format(count=count) if count > 1 else ""
    return Text(title, " ".join(part for part in (since, _said(call, words), several) if part))


def test_text(language: Language) -> Text:
    """What is written of a test."""
    return Text(WORDS[language].test_title, WORDS[language].test_body)


def labels(language: Language) -> tuple[str, str]:
    """What stands on the buttons."""
    return WORDS[language].go, WORDS[language].open


def _said(call: Call, words: Words) -> str:
    if call.cleared:
        return words.cleared
    if call.ring is not None:
        age = _age(seconds_between(call.changed_at, call.ring.at))
        return words.again[call.ring.why].format(age=age, by=call.by)
    return words.changed.get(call.state, "").format(by=call.by)


def _age(seconds: float) -> str:
    """Minutes and seconds: 1:30."""
    whole: Final = int(seconds)
    return f"{whole // 60}:{whole % 60:02d}"
