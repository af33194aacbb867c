"""What the equities of a picture cost, by game, street and number of players, beside a plain loop of
phevaluator over as many boards, in one run.

The loop takes the package's own functions for cards, all boards from the flop on and boards drawn one by one
before it, and shares ties as we do. Each deal is a new one, so that nothing is remembered; in milliseconds of
processor time.
"""

import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import combinations
from random import Random

from phevaluator import evaluate_cards, evaluate_omaha_cards

from benchmarks.figures import Figure, Options, Say, percentile
from tablebridge.model.cards import DECK_52, Card
from tablebridge.odds.draws import draw_equities
from tablebridge.odds.equity import equities
from tablebridge.odds.shares import Equities
from tablebridge.odds.stud import stud_equities

Hands = tuple[tuple[Card, ...], ...]

DEALS, QUICK = 120, 20
LOOPS = 10
GAMES = {"hold'em": ("high", 2), "Omaha": ("omaha-high", 4)}
STREETS = {"before the flop": (0, 50.0), "flop": (3, 10.0), "turn": (4, 10.0)}
PLAYERS = (2, 6)
HIGH, HIGH_LOW = ("omaha-high",), ("omaha-high", "omaha-low8")
OMAHA = {
    "Omaha hi-lo": (4, HIGH_LOW),
    "Omaha with five cards": (5, HIGH),
    "Omaha hi-lo with five cards": (5, HIGH_LOW),
    "Omaha with six cards": (6, HIGH),
    "Omaha hi-lo with six cards": (6, HIGH_LOW),
}
"""Games with a board that phevaluator has no loop for: own cards, and rankings."""
OTHERS: dict[str, tuple[int, float, Callable[[Hands], Equities | None]]] = {
    "stud, third street": (3, 50.0, lambda holes: stud_equities(("high",), holes, ())),
    "stud, sixth street": (6, 10.0, lambda holes: stud_equities(("high",), holes, ())),
    "stud hi-lo, third street": (3, 50.0, lambda holes: stud_equities(("high", "low8"), holes, ())),
    "razz, third street": (3, 50.0, lambda holes: stud_equities(("low-a5",), holes, ())),
    "five-card draw, one draw": (5, 50.0, lambda holes: draw_equities("high", holes, (), 1)),
    "2-7, three draws": (5, 50.0, lambda holes: draw_equities("low-27", holes, (), 3)),
    "badugi, three draws": (4, 50.0, lambda holes: draw_equities("badugi", holes, (), 3)),
}
"""Games that phevaluator has no loop for: cards of each hand, the most ms, and our function."""


def run(options: Options, say: Say) -> list[Figure]:
    figures: list[Figure] = []
    for game, (ranking, hole) in GAMES.items():
        for street, (cards, most_ms) in STREETS.items():
            for players in PLAYERS:
                name = f"{game}, {street}, {players} players"
                say(f"odds: {name}")
                ours, loops, boards = _measured(
                    ranking, hole, players, cards, QUICK if options.quick else DEALS
                )
                p50, loop = percentile(ours, 50), percentile(loops, 50)
                figures += [
                    Figure(f"{name}: p50 of {boards} boards", p50, "ms", "phevaluator in a loop", loop),
                    Figure(f"{name}: p99", percentile(ours, 99), "ms", limit=most_ms),
                ]
    for name, (cards, most_ms, function) in OTHERS.items():
        for players in PLAYERS:
            say(f"odds: {name}, {players} players")
            figures += _others(f"{name}, {players} players", cards, players, most_ms, function, options)
    for game, (hole, rankings) in OMAHA.items():
        for street, (cards, most_ms) in STREETS.items():
            for players in PLAYERS:
                name = f"{game}, {street}, {players} players"
                say(f"odds: {name}")
                figures += _others(name, hole, players, most_ms, partial(_on_board, rankings, cards), options)
    return figures


def _on_board(rankings: tuple[str, ...], cards: int, holes: Hands) -> Equities | None:
    """The equities on a board of this many cards."""
    rest = [card for card in DECK_52 if not any(card in hole for hole in holes)]
    return equities(rankings, holes, tuple(Random(str(holes)).sample(rest, cards)), ())


def _others(
    name: str,
    cards: int,
    players: int,
    most_ms: float,
    function: Callable[[Hands], Equities | None],
    options: Options,
) -> list[Figure]:
    """How long each of some deals takes."""
    rng, took, endings = Random(name), [], 0
    for _ in range(QUICK if options.quick else DEALS):
        deck = rng.sample(DECK_52, 52)
        holes = tuple(tuple(deck[cards * seat : cards * (seat + 1)]) for seat in range(players))
        begun = time.process_time()
        shares = function(holes)
        took.append((time.process_time() - begun) * 1000)
        assert shares is not None
        endings = shares.boards
    return [
        Figure(f"{name}: p50 of {endings} endings", percentile(took, 50), "ms"),
        Figure(f"{name}: p99", percentile(took, 99), "ms", limit=most_ms),
    ]


def _measured(
    ranking: str, hole: int, players: int, cards: int, deals: int
) -> tuple[list[float], list[float], int]:
    """How long each deal took us, and some of them the loop, in ms; and how many boards there were."""
    rng, boards = Random(f"{ranking} {players} {cards}"), 0
    ours: list[float] = []
    loops: list[float] = []
    for at in range(deals + 1):
        deck = rng.sample(DECK_52, 52)
        holes = tuple(tuple(deck[hole * seat : hole * (seat + 1)]) for seat in range(players))
        board, rest = tuple(deck[-cards:] if cards else ()), deck[hole * players : 52 - cards]
        equities.cache_clear()
        begun = time.process_time()
        shares = equities((ranking,), holes, board, ())
        took = (time.process_time() - begun) * 1000
        assert shares is not None
        boards = shares.boards
        if at:  # the first one makes the sample
            ours.append(took)
        if 1 <= at <= LOOPS:
            drawn = (
                (rng.sample(rest, 5) for _ in range(boards)) if not cards else combinations(rest, 5 - cards)
            )
            begun = time.process_time()
            _loop(ranking, holes, board, drawn)
            loops.append((time.process_time() - begun) * 1000)
    return ours, loops, boards


def _loop(
    ranking: str, holes: Hands, board: tuple[Card, ...], drawn: Iterable[Iterable[Card]]
) -> list[float]:
    won, number = [0.0] * len(holes), 0
    for come in drawn:
        whole = (*board, *come)
        ranks = [
            evaluate_cards(*whole, *hand) if ranking == "high" else evaluate_omaha_cards(*whole, *hand)
            for hand in holes
        ]
        best = min(ranks)
        for at, rank in enumerate(ranks):
            won[at] += (rank == best) / ranks.count(best)
        number += 1
    return [each / number for each in won]
