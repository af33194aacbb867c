"""How much work an entry is, by functions called and not by time, so that a busy machine fails nothing.

What concerns the boundaries of a hand, or one type of event, is looked at there. A check that is added to
every entry, and a part that is copied with every entry, shows here.
"""

import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any, Final

import pytest

import tablebridge
from tablebridge.engine.table import Table
from tablebridge.model import events as ev
from tablebridge.model.cards import DECK_52
from tablebridge.model.instant import START

SEATS: Final = range(1, 10)
ROOT: Final = tablebridge.__path__[0]
MOST: Final = {
    "a card is dealt": 15,
    "the blinds are called": 19,
    "a fold": 21,
    "a raise": 33,
    "a burn": 11,
    "a street": 44,
    "a hand begins": 55,
    "a hand is paid": 32,
}
"""Functions of the project that one such entry of a nine-handed hand may call, about a tenth more than it
does.
"""
_BEFORE: Final[tuple[ev.TableEvent, ...]] = (
    ev.Game("nlhe", (50, 100)),
    ev.Seats(tuple(SEATS)),
    ev.Button(9),
    ev.Stacks(everyone=10_000),
)
_DEAL: Final = tuple(ev.Deal(seat, DECK_52[lap * 9 + seat]) for lap in (0, 1) for seat in SEATS)
_PREFLOP: Final = (
    *(ev.Action("call", seat) for seat in (3, 4)),
    *(ev.Action("fold", seat) for seat in (5, 6, 7, 8, 9)),
    ev.Action("call", 1),
    ev.Action("check", 2),
)
_FLOP: Final = (
    ev.Burn(),
    ev.Street("flop", DECK_52[20:23]),
    ev.Action("bet", 1, 200),
    ev.Action("raise", 2, 600),
    ev.Action("fold", 3),
    ev.Action("fold", 4),
    ev.Action("fold", 1),
)
_PLAYED: Final = (*_BEFORE, ev.Hand(), *_DEAL, *_PREFLOP, *_FLOP)
HAND: Final = (*_PLAYED, ev.End())
AT: Final = {
    "a card is dealt": HAND.index(_DEAL[4]),
    "the blinds are called": HAND.index(_PREFLOP[0]),
    "a fold": HAND.index(_PREFLOP[3]),
    "a raise": HAND.index(_FLOP[3]),
    "a burn": HAND.index(_FLOP[0]),
    "a street": HAND.index(_FLOP[1]),
    "a hand begins": HAND.index(ev.Hand()),
    "a hand is paid": HAND.index(ev.End()),
}


def called(work: Callable[[], Any]) -> Counter[str]:
    """The functions of the project that `work` calls, and how often."""
    found: Counter[str] = Counter()

    def note(frame: FrameType, what: str, _: object) -> None:
        if what == "call" and frame.f_code.co_filename.startswith(ROOT):
            found[frame.f_code.co_name] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return found


@pytest.mark.parametrize("entry", MOST)
def test_an_entry_calls_no_more_functions_than_it_needs(entry: str) -> None:
    table, entries = Table("table 1"), [ev.Entry(at, START, event) for at, event in enumerate(HAND, 1)]
    for before in entries[: AT[entry]]:
        assert not table.apply(before).ignored
    work = called(lambda: table.apply(entries[AT[entry]]))
    assert work.total() <= MOST[entry], work.most_common()


def test_an_entry_late_in_the_night_is_no_more_work() -> None:
    """What a table has taken so far costs the next entry nothing."""
    table, hands = Table("table 1"), []
    for _ in range(6):
        hands.append([called(partial(play, table, event)).total() for event in HAND])
    assert hands[3] == hands[4] == hands[5]


def play(table: Table, event: ev.TableEvent) -> None:
    assert not table.apply(ev.Entry(table.next_entry(), START, event)).ignored
