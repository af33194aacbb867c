"""The engine of a recording in which nobody says what is bet: hold'em is followed by its cards alone, any
other game by the hand engine, to which nobody reports bets.
"""

import itertools
from typing import Final

from tablebridge.engine.games import FORMS
from tablebridge.engine.table import Table
from tablebridge.model.events import Button, Entry, Game, Hand, House, Rules, Seats, TableEvent
from tablebridge.model.instant import START
from tablebridge.tracking.follower import Follower
from tablebridge.tracking.tracker import Engine

_STAKES: Final = (1, 2)
_LIKE_HOLDEM: Final = ("nlhe", "flhe")


def stand_in(game: str, seats: tuple[int, ...], button: int) -> Engine:
    """An engine that follows one hand of a game, which has begun, from the left of `button`. Raises
    ValueError if there is no such game, or it is played against the house.
    """
    form = FORMS.get(game)
    if form is None or form.banked:
        raise ValueError(f"{game[:40]!r} is no game that can be followed by its cards; write one such as plo")
    if game in _LIKE_HOLDEM:
        return Follower(seats, button)
    table = Table("recording")
    begin: tuple[TableEvent, ...] = (
        Rules("tda-2022"),
        Game(game, _STAKES, _STAKES if form.button else None),
        House("betting", "untold"),
        Seats(seats),
        *((Button(button),) if form.button else ()),
        Hand(),
    )
    # Numbers below those of the recording's own entries.
    for number, event in zip(itertools.count(-len(begin)), begin, strict=False):
        table.apply(Entry(number, START, event))
    return table
