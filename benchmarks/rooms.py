"""Whether a room of many tables keeps everybody and everything for a night, and how fast.

200 tables with 1,500 players are played down to the last one. No hand is played: at each hand some chips of a
table change owner, and whoever has none left is out. Levels go up, tables are broken by a seeded draw, and
every move is made that is due. After each event it is checked that nobody sits twice or is lost and that no
chip is; after each hand, that the big blind passed nobody who sits there.
"""

import time
from itertools import pairwise
from random import Random
from typing import Final

from benchmarks.figures import Figure, Options, Say
from tablebridge.room import events as ev
from tablebridge.room.fold import apply
from tablebridge.room.room import Room
from tablebridge.room.tables import SeatedTable

TABLES, PLAYERS, STACK, SIZE = 200, 1_500, 20_000, 9
HANDS_A_LEVEL: Final = 25
QUICK: Final = 10
SEED: Final = 11


class Broken(Exception):
    """What a room may never lose was lost."""


class Night:
    """One event from the first hand to the winner. `events`: how many were applied, in `seconds`."""

    def __init__(self, tables: int, players: int, seed: int) -> None:
        self.room = Room()
        self.events = 0
        self.seconds = 0.0
        self.hands = 0
        self.moves = 0
        self.breaks = 0
        self._players = players
        self._chance = Random(seed)
        self._seat_everybody(tables)

    def play(self, say: Say) -> None:
        """Until one player is left."""
        rounds = 0
        while self.room.tables.left > 1:
            if rounds % HANDS_A_LEVEL == 0:
                self._apply(ev.Level(1 + rounds // HANDS_A_LEVEL))
                say(f"rooms: {self.room.tables.left} players left")
            rounds += 1
            for table in [table for table in self.room.tables.tables.values() if len(table.players) > 1]:
                if len(table.players) > 1:
                    self._play_hand(table, rounds)
                    self._do_what_is_due()
            self._check()

    def _seat_everybody(self, tables: int) -> None:
        self._apply(ev.Open("nlhe", SIZE))
        self._apply(ev.Rules("tda-2022"))
        names = [f"table-{number + 1}" for number in range(tables)]
        for name in names:
            self._apply(ev.Seated(name, ()))
        for number in range(self._players):
            seat = 1 + number // tables
            self._apply(ev.Sits(names[number % tables], seat, f"player {number}", STACK))
        for name in names:
            last = max(self.room.tables.tables[name].players)
            self._apply(ev.Positions(name, last - 2, last - 1, last))

    def _play_hand(self, table: SeatedTable, rounds: int) -> None:
        before = table.big
        self._apply(ev.NextHand((table.name,)))
        _passes_nobody(table, before)
        self.hands += 1
        stacks = {seat: player.stack or 0 for seat, player in table.players.items()}
        loser, winner = self._chance.sample(sorted(stacks), 2)
        # A pot grows with the level; one in six is for all the chips.
        most = min(stacks[loser], stacks[winner])
        lost = most if self._chance.random() < 1 / 6 else min(most, 100 * (1 + rounds // HANDS_A_LEVEL))
        after = {loser: stacks[loser] - lost, winner: stacks[winner] + lost}
        self._apply(ev.Chips(table.name, after))
        if after[loser] == 0:
            self._apply(ev.Busts(table.name, {loser: stacks[loser]}))

    def _do_what_is_due(self) -> None:
        tables = self.room.tables
        playing = [table for table in tables.tables.values() if table.players]
        if len(playing) > 1 and tables.left <= SIZE * (len(playing) - 1):
            self._break(min(playing, key=lambda table: len(table.players)))
        while (move := self.room.balance) is not None and move.seat is not None:
            self._apply(ev.Moves(move.table, move.seat, move.to, move.to_seat))
            self.moves += 1

    def _break(self, table: SeatedTable) -> None:
        self._apply(ev.Break(table.name, f"night {self.events}"))
        self.breaks += 1
        for seat in list(table.players):
            to, to_seat = self.room.new_places[table.name, seat]
            self._apply(ev.Moves(table.name, seat, to, to_seat))

    def _apply(self, event: ev.Event) -> None:
        self.events += 1
        began = time.perf_counter()
        outcome = apply(self.room, self.events, event)
        self.seconds += time.perf_counter() - began
        if outcome.ignored:
            raise Broken(f"{event}: {outcome.ignored}")

    def _check(self) -> None:
        tables = self.room.tables
        sitting = [player for _, player in tables.playing()]
        names = {player.name for player in sitting} | {player.name for _, player in tables.gone}
        if len(sitting) + len(tables.gone) != self._players or len(names) != self._players:
            raise Broken("A player was lost, or sits twice.")
        if sum(player.stack or 0 for player in sitting) != self._players * STACK:
            raise Broken("Chips were lost, or made.")
        if any(
            tables.tables[name].players[seat].name != player for player, (name, seat) in tables.named.items()
        ):
            raise Broken("A name does not stand where its player sits.")


def _passes_nobody(table: SeatedTable, before: int | None) -> None:
    """Raise Broken if the big blind went past somebody, or stays with the same of several players."""
    if before is None or table.big is None:
        return
    for seat in table.after(before, SIZE):
        if seat == table.big:
            break
        if seat in table.players:
            raise Broken(f"The big blind of {table.name} went past seat {seat}.")


def run(options: Options, say: Say) -> list[Figure]:
    shrink = QUICK if options.quick else 1
    night = Night(TABLES // shrink, PLAYERS // shrink, SEED)
    night.play(say)
    places = sorted(player.first for _, player in night.room.tables.gone)
    twice = sum(first == second for first, second in pairwise(places))
    title = f"{TABLES // shrink} tables, {PLAYERS // shrink} players"
    return [
        Figure(f"{title}: events", night.events / night.seconds, "events/s", better="higher"),
        Figure("hands", night.hands, "hands"),
        Figure("players moved to balance tables", night.moves, "moves"),
        Figure("tables broken", night.breaks, "tables"),
        Figure("players lost, seated twice, or with a place of another", twice, "players", limit=0),
        Figure("chips lost or made", 0, "chips", limit=0),
    ]
