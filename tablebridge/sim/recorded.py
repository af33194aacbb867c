"""Recorded hands (PHH) as hands to be played.

Player 1 sits in seat 1; the last player has the button. Cards that nobody knows are played with cards that
the hand does not use: the table sees them, so what it reconstructs is compared with them left out.
"""

from random import Random
from typing import Final

import msgspec

from tablebridge.export.phh import PhhHand
from tablebridge.model.cards import DECK_52, UNKNOWN, Card, parse_card
from tablebridge.sim.hands import HOLES, STREETS, Act, Betting, Board, GiveUp, Hand, Show, Step

_GAMES: Final = {"NT": "nlhe", "FT": "flhe", "PO": "plo", "FO/8": "flo8"}
_OTHERS: Final = {
    "NS": "short-deck hold'em",
    "F7S": "seven card stud",
    "F7S/8": "seven card stud eight or better",
    "FR": "razz",
    "N2L1D": "no-limit single draw",
    "F2L3D": "fixed-limit triple draw",
    "FB": "badugi",
}
MOST_SEATS: Final = 10


class Skipped(Exception):
    """The hand cannot be played at this table; the message says why."""


def hand_of(record: PhhHand, rng: Random) -> tuple[Hand, PhhHand]:
    """The hand to be played, and the record with the folds written out that it leaves to be understood.
    Raises Skipped.
    """
    game = _GAMES.get(record.variant)
    if game is None:
        raise Skipped(
            f"{_OTHERS.get(record.variant, record.variant)} is not played here, only hold'em and Omaha"
        )
    players = len(record.starting_stacks)
    if not 2 <= players <= MOST_SEATS:
        raise Skipped(f"{players} players do not fit this table")
    amounts = [*record.starting_stacks, *record.antes, *record.blinds_or_straddles]
    if any(amount != int(amount) for amount in amounts):
        raise Skipped("it has parts of chips")
    order = tuple(range(1, players + 1))
    blinds = _blinds([int(amount) for amount in record.blinds_or_straddles])
    ante, bb_ante = _antes([int(amount) for amount in record.antes])
    bets = _bets(record) if game in ("flhe", "flo8") else None
    stacks = {seat: int(stack) for seat, stack in zip(order, record.starting_stacks, strict=True)}
    if not any(action.startswith("d ") for action in record.actions):
        raise Skipped("no cards are dealt in it")
    actions = _Actions(order, Betting(order, blinds, stacks, ante, bb_ante), blinds[1])
    for action in record.actions:
        actions.add(action)
    if any(len(hole) != HOLES[game] for hole in actions.holes.values()):
        raise Skipped(f"a player has not {HOLES[game]} cards")
    hand = Hand(
        order,
        order[-1],
        blinds,
        stacks,
        _complete(actions.holes, actions.steps, rng),
        tuple(actions.steps),
        ante,
        bb_ante,
        bets,
        game,
    )
    return hand, msgspec.structs.replace(record, actions=tuple(actions.written))


class _Actions:
    """The actions of a record as steps. `written`: with the folds that the record leaves out."""

    def __init__(self, order: tuple[int, ...], betting: Betting, big_blind: int) -> None:
        self.holes: dict[int, list[Card]] = {seat: [] for seat in order}
        self.steps: list[Step] = []
        self.written: list[str] = []
        self._betting = betting
        self._big_blind = big_blind
        self._streets = iter(STREETS)

    def add(self, action: str) -> None:
        """The next action. Raises Skipped."""
        match action.split():
            case ["d", "dh", player, cards]:
                self.holes[int(player[1:])] += _cards(cards)
            case ["d", "db", cards]:
                self.steps.append(Board(next(self._streets), _cards(cards)))
                self._betting.next_round(self._big_blind)
            case [player, "sm", cards] if "?" not in cards and cards != "-":
                self.steps.append(Show(int(player[1:])))
            case [player, "sm", *_]:
                self.steps.append(GiveUp(int(player[1:])))
            case [player, *what]:
                seat = int(player[1:])
                while (silent := self._betting.to_act) is not None and silent != seat:
                    self.steps.append(_fold(self._betting, silent))
                    self.written.append(f"p{silent} f")
                self.steps.append(act := _act(self._betting, seat, what))
                self._betting.play(act)
        self.written.append(action)


def _fold(betting: Betting, seat: int) -> Act:
    """A fold that the file leaves out: the next action in it is by somebody behind."""
    act = Act(seat, "fold")
    betting.play(act)
    return act


def _act(betting: Betting, seat: int, what: list[str]) -> Act:
    if betting.to_act != seat:
        raise Skipped(f"seat {seat} acts in it before its turn")
    match what:
        case ["f"]:
            return Act(seat, "fold")
        case ["cc"]:
            return betting.called(seat)
        case ["cbr", total] if total.isdigit():
            return betting.raised(seat, int(total))
        case _:
            raise Skipped(f"it has the action {' '.join(what)!r}")


def _blinds(amounts: list[int]) -> tuple[int, int]:
    if len(amounts) < 2 or any(amounts[2:]) or not 0 < min(amounts[:2]) <= max(amounts[:2]):
        raise Skipped("its blinds are not one small and one big blind")
    return min(amounts[:2]), max(amounts[:2])


def _bets(record: PhhHand) -> tuple[int, int]:
    if not record.small_bet or not record.big_bet:
        raise Skipped("it is a limit hand without its bets")
    return int(record.small_bet), int(record.big_bet)


def _antes(amounts: list[int]) -> tuple[int, int]:
    """The ante of each player, and the one that the big blind pays for all."""
    if len(set(amounts)) == 1:
        return amounts[0], 0
    big = 0 if len(amounts) == 2 else 1
    if any(amount for player, amount in enumerate(amounts) if player != big):
        raise Skipped("its antes differ from player to player")
    return 0, amounts[big]


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(parse_card(text[at : at + 2]) for at in range(0, len(text), 2))


def _complete(holes: dict[int, list[Card]], steps: list[Step], rng: Random) -> dict[int, tuple[Card, ...]]:
    """Unknown cards become cards that lie nowhere else."""
    used = {card for hole in holes.values() for card in hole} | {
        card for step in steps if isinstance(step, Board) for card in step.cards
    }
    spare = [card for card in DECK_52 if card not in used]
    rng.shuffle(spare)
    known = {
        seat: [spare.pop() if card == UNKNOWN else card for card in hole] for seat, hole in holes.items()
    }
    return {seat: tuple(hole) for seat, hole in known.items()}
