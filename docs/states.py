"""Writes docs/states.md from the tables that the code executes: `python docs/states.py > docs/states.md`."""

import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from tablebridge.engine.cards.board_streets import STREETS
from tablebridge.engine.consequences import CONSEQUENCES
from tablebridge.engine.phases import MEANINGS, TRANSITIONS
from tablebridge.floor.alerts import ORDER

HEAD: Final = """\
# States and what leads from one to another

Made by `python docs/states.py > docs/states.md` from the tables that the code executes.

"""
HAND: Final = """\
## A hand

`tablebridge/engine/phases.py`. A hand begins on the first street of its game.

"""
BOARD: Final = """\
## A street that comes to the board

`tablebridge/engine/cards/board_streets.py`.

| it comes | then |
| --- | --- |
"""
CONSEQUENCE: Final = """\
## What a fact about cards leads to

Beside its findings: `tablebridge/engine/consequences.py`, executed by the fold in the order in which they
come. A hand that is over has no further consequences.

| consequence | meaning |
| --- | --- |
"""
ALERT: Final = """\
## An alert

`tablebridge/floor/alerts.py`. A step may be left out, none is taken back; who rules, rules for good.

"""


def first_sentence(documented: object) -> str:
    return " ".join((documented.__doc__ or "").strip().split("\n\n")[0].split())


def diagram(arrows: Iterator[str]) -> str:
    return "```mermaid\nstateDiagram-v2\n" + "".join(f"  {arrow}\n" for arrow in arrows) + "```\n\n"


def hand() -> Iterator[str]:
    yield "[*] --> street"
    for phase, steps in TRANSITIONS.items():
        for step, following in steps.items():
            yield f"{phase} --> {following}: {MEANINGS[step]}"


def alert() -> Iterator[str]:
    yield f"[*] --> {ORDER[0]}"
    for before, after in pairwise(ORDER):
        yield f"{before} --> {after}"
    yield f"{ORDER[-1]} --> [*]"


def text() -> str:
    board = "".join(f"| {moment} | {first_sentence(handler)} |\n" for moment, handler in STREETS.items())
    rows = "".join(
        f"| `{consequence.__name__}` | {first_sentence(consequence)} |\n" for consequence in CONSEQUENCES
    )
    return (
        HEAD
        + HAND
        + diagram(hand())
        + BOARD
        + board
        + "\n"
        + CONSEQUENCE
        + rows
        + "\n"
        + ALERT
        + diagram(alert()).rstrip("\n")
        + "\n"
    )


if __name__ == "__main__":
    sys.stdout.write(text())
