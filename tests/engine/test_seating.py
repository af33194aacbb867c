"""Nights at a table to which players come and go at random: in each hand it holds who is dealt in, and for
what.
"""

from random import Random
from typing import Final

import pytest

from tablebridge.engine.script.statements import parse_line
from tablebridge.engine.seating.positions import passed
from tablebridge.engine.table import Table
from tablebridge.engine.views import public_view, staff_view
from tablebridge.model.events import Entry
from tablebridge.model.instant import START, later
from tablebridge.model.views import AsideView

HANDS: Final = 300
BUY_IN: Final = 4_000


class Night:
    """A table with what a person would keep on paper: chips that came and left, and who sat where."""

    def __init__(self, book: str, seed: int) -> None:
        self.table, self.rng, self.chips, self.entries = Table("night"), Random(seed), 0, 0
        self.big: tuple[int, int] | None = None
        # Which player sits at each seat: a new number for each player who comes.
        self.sitting: dict[int, int] = {}
        self.write(f"rules {book}", "game nlhe 50/100", "seats 1 3 5 7 9", "button 9", f"stacks {BUY_IN}")
        for seat in (1, 3, 5, 7, 9):
            self.sits(seat)

    def write(self, *lines: str) -> None:
        for line in lines:
            self.entries += 1
            self.table.apply(Entry(self.entries, later(START, self.entries), parse_line(line)))

    def sits(self, seat: int) -> None:
        self.chips += BUY_IN
        self.sitting[seat] = self.entries

    def move(self) -> None:
        """Somebody comes, goes, sits out, is back, buys chips or changes the seat."""
        rng, players, table = self.rng, self.table.players, self.table
        empty = [seat for seat in range(1, 11) if seat not in table.setup.seats]
        taken = list(table.setup.seats)
        seat, choice = rng.choice(taken), rng.choice(("", " post", " wait"))
        match rng.randrange(8):
            case 0 | 1 if empty:
                self.write(f"enters {(new := rng.choice(empty))} {BUY_IN}{choice}")
                self.sits(new)
            case 2 if len(taken) > 3:
                self.chips -= table.stack(seat)
                self.write(f"leaves {seat}")
                del self.sitting[seat]
            case 3 if len(taken) - len(players.away) > 3:
                self.write(f"sits-out {seat}")
            case 4 if table.setup.absent or players.away:
                back = rng.choice(sorted({*players.away, *table.setup.absent}))
                self.write(f"returns {back}{choice}")
            case 5:
                self.write(f"adds {seat} 300")
                self.chips += 300
            case 6 if empty:
                self.write(f"changes-seat {seat} {(new := rng.choice(empty))}")
                self.sitting[new] = self.sitting.pop(seat)
            case 7 if players.waiting and table.setup.cash:
                self.write(f"returns {rng.choice(players.waiting)} post")

    def hand(self) -> None:
        """One hand: everybody folds to somebody, or two players go all-in and one of them wins."""
        table, rng = self.table, self.rng
        waited = {seat: table.players.owes(seat) for seat in table.players.waiting}
        flags = {seat: table.players.missed(seat) for seat in table.setup.seats}
        before = table.setup.last
        self.write("hand")
        hand = table.hand
        assert hand is not None
        if table.street != "preflop":
            return
        self.holds(waited, flags, None if before is None else before.big)
        self.write("dealt")
        pushes = rng.random() < 0.2
        while (seat := table.to_act) is not None:
            self.write(f"{'allin' if pushes and rng.random() < 0.5 else 'fold'} {seat}")
        if len(table.live) > 1:
            self.write("burn", "flop 2c 7d Kh", "burn", "turn 3s", "burn", "river 9h")
            winner, *losers = rng.sample(table.live, len(table.live))
            self.write(f"table {winner} Kd Ks", *(f"muck {seat}" for seat in losers))
        self.write("end")

    def holds(self, waited: dict[int, tuple[int, int]], flags: dict[int, str], big: int | None) -> None:
        table = self.table
        hand, players = table.hand, table.players
        assert hand is not None
        dealt, stands = set(hand.order), hand.positions
        # Nobody who waits or sits out is dealt in, and the big blind is somebody's.
        assert not dealt & {*players.waiting, *players.away}
        assert stands.big in dealt
        assert hand.chips.bet[stands.big] == min(100, hand.chips.start[stands.big])
        # Nobody comes in between button and small blind, nor in the club on either if a post is due.
        came = dealt & waited.keys()
        assert not came & (passed(stands.button, stands.small) - {stands.small})
        if table.setup.book.name == "raise-club":
            owing = {seat for seat in came if any(waited[seat])}
            assert not owing & {stands.button, stands.small}
        # What was owed is posted once: by who is dealt in, who owes nothing any more.
        for seat, (live, dead) in waited.items():
            if seat in dealt:
                assert players.missed(seat) == "none" and players.owes(seat) == (0, 0)
                if seat not in (stands.big, stands.small):
                    assert players.posted(seat) == (live, dead)
        assert set(hand.entries.posts) <= waited.keys()
        # Nobody is big blind twice in a row, and no blind passes a player without a mark.
        if self.big is not None and len(dealt) > 2:
            assert self.big != (stands.big, self.sitting[stands.big])
        if big is not None and table.setup.cash:
            for seat in passed(big, stands.big) - {stands.big}:
                if seat in table.setup.seats and table.stack(seat) and flags[seat] != "none":
                    assert seat in dealt or players.missed(seat) != "none"
                away = seat in players.away and table.setup.stack(seat) > 0
                if away and not table.setup.seating.players[seat].new:
                    assert players.missed(seat) in ("big", "both")
        self.big = stands.big, self.sitting[stands.big]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("book", ["raise-club", "online-room", "tda-2022", "fspr"])
def test_a_night_of_comings_and_goings(book: str, seed: int) -> None:
    night = Night(book, seed)
    table = night.table
    for _ in range(HANDS):
        while night.rng.random() < 0.5:
            night.move()
        for seat in [seat for seat in table.setup.seats if not table.stack(seat)]:
            night.write(f"rebuy {seat} {BUY_IN}")
            night.chips += BUY_IN
        night.hand()
        assert sum(table.stack(seat) for seat in table.setup.seats) == night.chips
    assert table.hand_number > HANDS * 0.9


def test_staff_see_who_is_away_and_waits_and_nobody_else() -> None:
    night = Night("raise-club", 0)
    night.write("sits-out 3", "missed 5 both", "enters 10 4000")
    assert staff_view(night.table, START).aside == (
        AsideView(3, "away"),
        AsideView(5, "waits", "both", 100, 50),
        AsideView(10, "waits", "none", 100),
    )
    assert public_view(night.table, START).aside == ()
