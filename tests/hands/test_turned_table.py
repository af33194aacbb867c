"""A table turned round is the same table: scripts hold with their seats, button and answers moved on.

Order of play wraps after seat 10, so only games with a button can be turned: stud and the games against the
house are dealt from the first seat. House rulebooks are read from beside the script, so theirs stay as well.
"""

import re

import pytest
from hands.suite import HOUSES, by_folder, hands, path_of

from tablebridge.engine.script.reader import read
from tablebridge.engine.script.runner import play

SEATS = 10
LISTS = (
    "absent",
    "clock",
    "penalty",
    "ask",
    "! live",
    "! dead",
    "! show-order",
    "! dealt-in",
    "! dealt-out",
    "! blinds",
    "! waits",
    "changes-seat",
)
"""Lines that name seats and nothing else."""

FIRST = (
    "button",
    "deal",
    "holds",
    "draw",
    "expose",
    "pick-up",
    "table",
    "muck",
    "mixed",
    "post",
    "check",
    "fold",
    "call",
    "bet",
    "raise",
    "allin",
    "say",
    "chips-in",
    "chips-back",
    "allin-button",
    "clock-expired",
    "draw-clock",
    "arrives",
    "warning",
    "infraction",
    "penalty-over",
    "disqualified",
    "leaves",
    "enters",
    "sits-out",
    "returns",
    "missed",
    "adds",
    "removes",
    "rebuy",
    "button-card",
    "! posted",
    "! owes",
    "! missed",
    "! buy-in",
    "ask-pot",
    "chips-of",
    "stack-chips",
    "race-card",
    "exchange",
    "lammer",
    "in-doubt",
    "collect",
    "no-look",
    "straddle",
    "kill",
    "called-on",
    "behind",
    "token",
    "dispute",
    "! odd-chips",
    "! race-won",
    "! penalty-left",
    "! ladder",
    "! button",
    "! may",
    "! may-not",
    "! call",
    "! min-raise",
    "! max-raise",
    "! wins",
    "! stack",
    "! ruled",
    "! returned",
    "! to-act",
    "! to-draw",
    "! next-button",
)
"""Lines whose first word after their name is a seat."""

TEXTS = {script: path_of(script).read_text(encoding="utf-8") for script in hands()}
TURNED = [
    script
    for script, text in TEXTS.items()
    if "\nbutton" in text
    and "\ngame stud" not in text
    # What is handed over lists seats ascending.
    and "\n! handover absent" not in text
    and "\n! handover warnings" not in text
    and "\n! handover penalties" not in text
    and not script.startswith(HOUSES)
]
FOLDERS = by_folder(TURNED)


def turned(text: str, by: int) -> str:
    return "\n".join(_line(line, by) for line in text.splitlines())


def _line(line: str, by: int) -> str:
    if line.startswith("@"):
        time, _, statement = line.partition(" ")
        return f"{time} {_line(statement, by)}"
    name = " ".join(line.split()[: 2 if line.startswith("!") else 1])
    if name == "seats":
        ranges = [word.partition("-") for word in line.split()[1:]]
        seats = [seat for first, _, last in ranges for seat in range(int(first), int(last or first) + 1)]
        return " ".join(["seats", *map(str, sorted(_moved(seat, by) for seat in seats))])
    if name == "stacks":
        return re.sub(r"(\d+):", lambda found: f"{_moved(found[1], by)}:", line)
    counted = line.split()[3:4] in (["hands"], ["rounds"])
    if name in LISTS and not counted and not re.search(r"seat|rule|cause", line.removeprefix(name)):
        return re.sub(r"\b\d+\b", lambda found: str(_moved(found[0], by)), line)
    if name in FIRST or counted:
        return re.sub(r"\d+", lambda found: str(_moved(found[0], by)), line, count=1)
    if name == "ruling":
        return re.sub(r"(ruling [a-z-]+ )(\d+)\b", lambda found: found[1] + str(_moved(found[2], by)), line)
    return (
        line
        if line.startswith("#")
        else re.sub(r"seat (\d+)", lambda found: f"seat {_moved(found[1], by)}", line)
    )


def _moved(seat: str | int, by: int) -> int:
    return (int(seat) - 1 + by) % SEATS + 1


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("by", [1, 7])
def test_a_turned_table_is_ruled_the_same(folder: str, by: int) -> None:
    differs = [
        f"{script}:{one.expected.number}: {one.said}"
        for script in FOLDERS[folder]
        for step in play(read(turned(TEXTS[script], by), script))
        for one in step.verdicts
        if one.said
    ]
    assert differs == []
