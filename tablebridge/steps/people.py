"""People and their phones as a step: who may open which page, who is notified, and the lines of the file of
people. Pure.

Roles with which nobody sees a hidden face are given out here; the others on the terminal of the box alone.
"""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from tablebridge.steps.site_text import quoted as toml

GivenRole = Literal["floor", "dealer", "operator", "technician", "surveillance"]
Duty = Literal["floor", "manager"]
Language = Literal["en", "ru", "es", "zh"]


class Phone(msgspec.Struct, frozen=True):
    """A person who is notified by the topic `topic` of the ntfy server."""

    name: str
    duty: Duty
    language: Language
    topic: str


class PersonRow(msgspec.Struct, frozen=True):
    """A person's token. `waits`: its link was not opened yet; `ended`: it has expired."""

    id: str
    name: str
    role: str
    table: str = ""
    waits: bool = False
    ended: bool = False
    used_wall_s: int = 0


class PhoneRow(msgspec.Struct, frozen=True):
    """A person who is notified. `written`: is in the file of people; `test`: what became of the test."""

    name: str
    duty: Duty
    language: Language
    written: bool
    test: Literal["", "sending", "accepted", "failed"] = ""
    why: str = ""


class Rung(msgspec.Struct, frozen=True):
    """A rung of the ladder: `after_s` seconds later these people are rung."""

    severity: Literal["warning", "critical"]
    after_s: float
    people: tuple[str, ...]


class PeopleView(msgspec.Struct, frozen=True):
    """The step as it is shown. `file`: of the people; `diff`: the lines that it gets."""

    people: tuple[PersonRow, ...]
    phones: tuple[PhoneRow, ...]
    ladder: tuple[Rung, ...]
    file: str
    ntfy: str
    pages: str
    diff: tuple[str, ...] = ()


class Given(msgspec.Struct, frozen=True):
    """What a person gets, once: `links` to sign in with, each good for one browser, and the address of the
    topic for the app, empty without a phone.
    """

    name: str
    role: str
    links: tuple[str, ...]
    topic: str = ""


NTFY: Final = "http://127.0.0.1:2586"


def people_text(before: str, ntfy: str, pages: str, phones: Iterable[Phone]) -> str:
    """The file of people with these phones at its end. `before`: as it is, empty if there is none."""
    lines = [before.rstrip("\n")] if before else _head(ntfy, pages)
    for phone in phones:
        lines += [
            "",
            "[[person]]",
            f"name = {toml(phone.name)}",
            f"duty = {toml(phone.duty)}",
            f"language = {toml(phone.language)}",
            f"ways = [{toml(f'ntfy:{phone.topic}')}]",
        ]
    return "\n".join(lines) + "\n"


def _head(ntfy: str, pages: str) -> list[str]:
    head = ["# Written by `tablebridge setup`. All keys: /etc/tablebridge/people.example.toml."]
    if pages:
        head.append(f"pages = {toml(pages)}")
    return [*head, "", "[ntfy]", f"url = {toml(ntfy or NTFY)}"]


__all__ = [
    "NTFY",
    "Duty",
    "Given",
    "GivenRole",
    "Language",
    "PeopleView",
    "PersonRow",
    "Phone",
    "PhoneRow",
    "Rung",
    "people_text",
]
