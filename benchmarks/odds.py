"""What the equities of a picture cost, by game, street and number of players, beside a plain loop of
phevaluator over as many boards, in one run.

The loop takes the package's own functions for cards, all boards from the flop on and boards drawn one by one
before it, and shares ties as we do. Each deal is a new one, so that nothing is remembered; in milliseconds of
processor time.
"""

import time
from collections.abc import Iterable
from itertools import combinations
from random import Random

from phevaluator import evaluate_cards, evaluate_omaha_cards

from benchmarks.figures import Figure, Options, Say, percentile
from tablebridge.model.cards import DECK_52, Card
from tablebridge.odds.equity import equities

DEALS, QUICK = 120, 20
LOOPS = 10
GAMES = {"hold'em": ("high", 2), "Omaha": ("omaha-high", 4)}
STREETS = {"before the flop": (0, 50.0), "flop": (3, 10.0), "turn": (4, 10.0)}
PLAYERS = (2, 6)

Hands = tuple[tuple[Card, ...], ...]


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
    return figures


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
        shares = equities(ranking, holes, board, ())
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
