"""Hands per second of the hand engine beside those of pokerkit, for the same hands, in one run.

Without --phh it invents no-limit hold'em hands of two to nine players, and others in which nine are dealt in
and at least two show; with it, it takes the no-limit hold'em hands in the folder. Both sides get every hand
card by card and action by action, with its burns, as it would come from a table; reading the files is not
counted. pokerkit is 0.7.7, the version of the development environment.
"""

import gc
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

from pokerkit import Automation, Mode, NoLimitTexasHoldem

from benchmarks.figures import Figure, Options, Say
from tablebridge.engine.table import Table
from tablebridge.export.phh import PhhHand, read_phh
from tablebridge.model import events as ev
from tablebridge.model.cards import Card
from tablebridge.model.errors import ConfigError
from tablebridge.model.instant import START
from tablebridge.sim.hands import Act, Board, Hand, Show, Step, random_hand
from tablebridge.sim.phh_hands import GAMES, fold

Play = Callable[[], Callable[[], list[int]]]
"""Plays a hand; what it gives tells the stacks at its end, which is not counted."""
HANDS, QUICK, SEED = 200, 50, 1
TURN: Final = 50
"""Hands that one side plays before it is the other's turn."""
ROUNDS: Final = 3
"""How often each side plays the same hands; the quickest counts."""
STREETS: Final[tuple[Literal["flop", "turn", "river"], ...]] = ("flop", "turn", "river")
AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def invented(rng: Random) -> PhhHand:
    """A hand of two to nine players as people might play it."""
    return noted(_invented(rng, rng.randint(2, 9)))


def shown(rng: Random) -> PhhHand:
    """A hand of nine players that comes to a showdown in which at least two show."""
    while True:
        hand = _invented(rng, 9)
        if sum(isinstance(step, Show) for step in hand.steps) >= 2:
            return noted(hand)


def _invented(rng: Random, players: int) -> Hand:
    seats = range(1, players + 1)
    return random_hand(rng, seats, seats[-1], (50, 100), dict.fromkeys(seats, 10_000))


def noted(hand: Hand) -> PhhHand:
    player = {seat: f"p{number}" for number, seat in enumerate(hand.order, 1)}
    actions = [f"d dh {player[seat]} {''.join(hand.holes[seat])}" for seat in hand.order]
    boards = [f"d db {''.join(step.cards)}" for step in hand.steps if isinstance(step, Board)]
    acts = [at for at, step in enumerate(hand.steps) if isinstance(step, Act)]
    late = sum(isinstance(step, Board) for step in hand.steps[acts[-1] :])
    for step in hand.steps[: acts[-1] + 1]:
        match step:
            case Act(seat, kind, amount):
                word = {"fold": "f", "check": "cc", "call": "cc"}.get(kind, f"cbr {amount}")
                actions.append(f"{player[seat]} {word}")
            case Board():
                actions.append(boards.pop(0))
    shown = {
        step.seat: isinstance(step, Show)
        for step in hand.steps[acts[-1] + 1 :]
        if not isinstance(step, Board)
    }
    shows = [
        f"{player[seat]} sm {''.join(hand.holes[seat])}" if shown[seat] else f"{player[seat]} sm"
        for seat in show_order(hand.steps[: acts[-1] + 1], tuple(shown))
    ]
    # Hands are shown before a board that is only dealt to its end.
    actions += shows + boards if late else shows
    return PhhHand(
        variant="NT",
        antes=(0,) * len(hand.order),
        blinds_or_straddles=(50, 100, *[0] * (len(hand.order) - 2)),
        min_bet=100,
        starting_stacks=tuple(hand.stacks[seat] for seat in hand.order),
        actions=tuple(actions),
    )


def show_order(played: Sequence[Step], seats: tuple[int, ...]) -> tuple[int, ...]:
    """The seats at the showdown, the last to bet or raise in the last round first; `seats`: from the button's
    left.
    """
    for step in reversed(played):
        if isinstance(step, Board):
            break
        if isinstance(step, Act) and step.kind in ("bet", "raise"):
            return (
                seats[seats.index(step.seat) :] + seats[: seats.index(step.seat)]
                if step.seat in seats
                else seats
            )
    return seats


def entries(hand: PhhHand) -> list[ev.Entry]:
    """The hand as entries; player N sits in seat N, the last player has the button. A record does not tell a
    check from a call nor a bet from a raise; the people at a table do, so a table is asked which it was.
    """
    table, made = Table("table"), []
    for number, event in enumerate(_events(hand), 1):
        if (
            isinstance(event, ev.Action)
            and event.action in ("call", "raise")
            and not table.to_call(event.seat)
        ):
            word: Literal["check", "bet"] = "check" if event.action == "call" else "bet"
            if word == "check" or "bet" in table.may(event.seat):
                event = ev.Action(word, event.seat, event.amount)
        made.append(ev.Entry(number, START, event))
        table.apply(made[-1])
    return made


def _events(hand: PhhHand) -> list[ev.TableEvent]:
    count = len(hand.starting_stacks)
    blinds = sorted(amount for amount in hand.blinds_or_straddles if amount)
    bb_ante = max(hand.antes) if len(set(hand.antes)) > 1 else 0
    made: list[ev.TableEvent] = [
        ev.Game("nlhe", (int(blinds[0]), int(blinds[-1]))),
        ev.Ante(0 if bb_ante else int(hand.antes[0])),
        ev.BbAnte(int(bb_ante)),
        ev.Seats(tuple(range(1, count + 1))),
        ev.Button(count),
        ev.Stacks(by_seat={seat: int(amount) for seat, amount in enumerate(hand.starting_stacks, 1)}),
        ev.Hand(),
    ]
    holes = hand.holes
    made += [ev.Deal(seat, holes[seat][lap]) for lap in (0, 1) for seat in holes]
    streets = iter(STREETS)
    for action in hand.actions:
        match action.split():
            case ["d", "db", cards]:
                made += [ev.Burn(), ev.Street(next(streets), split(cards))]
            case [player, "f"]:
                made.append(ev.Action("fold", int(player[1:])))
            case [player, "cc"]:
                made.append(ev.Action("call", int(player[1:])))
            case [player, "cbr", amount]:
                made.append(ev.Action("raise", int(player[1:]), int(amount)))
            case [player, "sm", cards]:
                made.append(ev.Tabled(int(player[1:]), split(cards)))
            case [player, "sm"]:
                made.append(ev.Muck(int(player[1:])))
    return [*made, ev.End()]


def split(cards: str) -> tuple[Card, ...]:
    return tuple(Card(cards[at : at + 2]) for at in range(0, len(cards), 2))


def ours(hand: PhhHand) -> Play:
    made = entries(hand)
    seats = range(1, len(hand.starting_stacks) + 1)

    def play() -> Callable[[], list[int]]:
        table = Table("table")
        for entry in made:
            table.apply(entry)
        return lambda: [table.stack(seat) for seat in seats]

    return play


def theirs(hand: PhhHand) -> Play:
    holes = hand.holes
    deals = [(holes[seat][lap], seat - 1) for lap in (0, 1) for seat in holes]
    actions = [action.split() for action in hand.actions if not action.startswith("d dh")]

    played: Any = hand  # its amounts are whole numbers here, which their type does not say

    def play() -> Callable[[], list[int]]:
        state = NoLimitTexasHoldem.create_state(
            AUTOMATIONS,
            hand.ante_trimming_status,
            played.antes,
            played.blinds_or_straddles,
            played.min_bet,
            played.starting_stacks,
            len(hand.starting_stacks),
            mode=Mode.CASH_GAME,
        )
        for card, index in deals:
            state.deal_hole(card, index)
        for words in actions:
            match words:
                case ["d", "db", cards]:
                    state.burn_card("??")
                    state.deal_board(cards)
                case [_, "f"]:
                    state.fold()
                case [_, "cc"]:
                    state.check_or_call()
                case [_, "cbr", amount]:
                    state.complete_bet_or_raise_to(int(amount))
                case [_, "sm", cards]:
                    state.show_or_muck_hole_cards(cards)
                case [_, "sm"]:
                    state.show_or_muck_hole_cards(False)
        return lambda: list(state.stacks)

    return play


def timed(pairs: list[tuple[Play, Play]]) -> tuple[float, float]:
    """Hands per second of CPU time of either side, which take turns at the same hands, so that a busy machine
    is busy for both. What else runs there can only make a side slower, so of several times that it plays the
    same hands the quickest counts.
    """
    spent = [0.0, 0.0]
    for first in range(0, len(pairs), TURN):
        quickest = [math.inf, math.inf]
        for side in (0, 1) * ROUNDS:
            plays = [pair[side] for pair in pairs[first : first + TURN]]
            gc.collect()
            began = time.process_time()
            for play in plays:
                play()
            quickest[side] = min(quickest[side], time.process_time() - began)
        spent = [whole + part for whole, part in zip(spent, quickest, strict=True)]
    return len(pairs) / spent[0], len(pairs) / spent[1]


def run(options: Options, say: Say) -> list[Figure]:
    say("engine: the same hands in both")
    if options.phh is not None:
        hands = [hand for hand in recorded(options.phh) if hand.variant == "NT"][
            : QUICK if options.quick else None
        ]
        return [*compared("hands", hands), *every_game(options.phh)]
    rng = Random(SEED)
    count = QUICK if options.quick else HANDS
    return [
        *compared("hands", [invented(rng) for _ in range(count)]),
        *compared("nine-handed hands with a showdown", [shown(rng) for _ in range(count)], goal=10),
    ]


def compared(what: str, hands: Sequence[PhhHand], goal: float | None = None) -> Iterator[Figure]:
    """The same hands in both. `goal`: how many times as many hands per second the engine is to take."""
    pairs, refused, differ = [], 0, 0
    for hand in hands:
        pair = ours(hand), theirs(hand)
        try:
            same = pair[0]()() == pair[1]()()
        except ValueError:
            refused += 1
            continue
        differ += not same
        pairs.append(pair)
    engine, pokerkit = timed(pairs)
    yield Figure(
        f"{what} through the engine", engine, "hands/s", "pokerkit 0.7.7", pokerkit, goal, better="higher"
    )
    yield Figure(f"{what} with other stacks at the end", differ, f"of {len(pairs)}", limit=0)
    yield Figure(f"{what} that pokerkit refuses, left out", refused, f"of {len(hands)}")


def every_game(folder: Path) -> Iterator[Figure]:
    """Recorded hands of all games that the engine knows."""
    differences = [fold(hand).differs(hand) for hand in recorded(folder) if hand.variant in GAMES]
    yield Figure(
        "recorded hands of every game with other stacks at the end",
        sum(map(bool, differences)),
        f"of {len(differences)}",
    )


def recorded(folder: Path) -> Iterator[PhhHand]:
    """The hands of a folder that can be read."""
    for path in sorted(folder.rglob("*.phh")):
        with suppress(ConfigError):
            yield read_phh(path)
