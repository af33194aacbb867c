"""Bets against the house as they are made: boxes before the deal, the later bet, a fold, a set hand.

| event | when | then |
| --- | --- | --- |
| box | the game has no such box, or the deal has begun | `house-bet` `not-allowed`: it goes back |
| box | below or above the limits of the table | `too-small`, `too-big`: it is void and goes back |
| box | ante and blind of one seat differ (uth) | `must-equal` |
| play | nobody owes it, or a second time | `not-allowed`: it goes back |
| play | another amount than the one asked | `must-equal`: made good, or the excess returned |
| fold | | the hand is dead; what that costs is settled at the end |
| set, table | the low hand outranks the high one (pai gow) | `set-foul`, `set-again` |
"""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from tablebridge.engine.consequences import NONE, Consequences
from tablebridge.engine.hand import Hand
from tablebridge.engine.house.games import BANKED, Banked
from tablebridge.engine.notes import Notes
from tablebridge.engine.setup import Setup, chosen
from tablebridge.engine.showdown.ranking import rank
from tablebridge.model.cards import Card, face
from tablebridge.model.events import Action
from tablebridge.model.house_events import MADE, Box, PayTable, Play, SetHand
from tablebridge.model.places import SEATS

_LOW: Final = 2
_ORDER: Final = "23456789TJQKA"


def placed(setup: Setup, hand: Hand | None, notes: Notes, event: Box) -> None:
    """A bet lies in a box."""
    game, seat, box = BANKED.get(setup.form.name), event.seat, event.box
    if game is None:
        notes.ignored = f"{setup.form.title} has no boxes: they are of games against the house."
        return
    if seat not in SEATS or event.amount < 0:
        return
    if box not in game.boxes or (hand is not None and not hand.over):
        _wrong(setup, notes, seat, "not-allowed", "no-box", game.boxes.get(box, ""), box=box)
        return
    if box == "bonus" and not _pays(setup, game, box):
        _wrong(setup, notes, seat, "not-allowed", "no-table", game.boxes[box], box=box)
        return
    least, most = chosen(setup.house, "limits-min"), chosen(setup.house, "limits-max")
    if box in game.limited and event.amount < (least or 0):
        _wrong(setup, notes, seat, "too-small", "too-small", "", box=box, least=least or 0)
    elif box in game.limited and most is not None and event.amount > most:
        _wrong(setup, notes, seat, "too-big", "too-big", "", box=box, most=most)
    else:
        _lies(setup, notes, game, event)


def _lies(setup: Setup, notes: Notes, game: Banked, event: Box) -> None:
    """The box takes the bet; ante and blind of the game that has both are equal."""
    seat, box = event.seat, event.box
    setup.boxes = {**setup.boxes, seat: {**setup.boxes.get(seat, {}), box: event.amount}}
    other = {"ante": "blind", "blind": "ante"}.get(box, "")
    asked = setup.boxes[seat].get(other, event.amount) if "blind" in game.boxes else event.amount
    if asked != event.amount:
        _wrong(
            setup,
            notes,
            seat,
            "must-equal",
            "must-equal",
            game.boxes[box],
            remedy=_remedy(event.amount, asked),
            box=box,
            asked=asked,
        )


def table_named(setup: Setup, notes: Notes, event: PayTable) -> None:
    """The house pays a box by a table of its own; one with a row that cannot be paid is not taken."""
    game = BANKED.get(setup.form.name)
    if game is not None and event.box not in _paid_boxes(game):
        notes.ignored = (
            f"No table pays the box {event.box} of {setup.form.title}; tables are of "
            f"{', '.join(sorted(_paid_boxes(game)))}."
        )
        return
    for made, (number, to) in event.pays.items():
        if number < 0 or to < 1 or made not in MADE:
            near = get_close_matches(made, MADE, 1)
            hint = f"; perhaps {near[0]}" if near and near[0] != made else ""
            notes.ignored = (
                f"The pay table of {event.box} has a row that cannot be paid: {made}={number}:{to}{hint}."
            )
            return
    setup.pay_tables = {**setup.pay_tables, event.box: dict(event.pays)}


def _paid_boxes(game: Banked) -> frozenset[str]:
    """The boxes that are paid by a table: the game's own, and a bonus."""
    return frozenset(game.pays) | ({"bonus"} & game.boxes.keys())


def play(hand: Hand, notes: Notes, event: Play) -> Consequences:
    """The bet after seeing cards."""
    game, seat = BANKED.get(hand.form.name), event.seat
    if game is None:
        notes.ignored = f"{hand.form.title} has no such bet: it is of games against the house."
        return NONE
    asked = _asked(hand, seat) if game.plays_by and seat in hand.live and seat != hand.order[-1] else ()
    if not asked or seat in hand.boxes.played:
        hand.find(
            notes,
            "house-bet",
            "no-play",
            cause="not-allowed",
            seat=seat if seat in SEATS else None,
            args={"seat": seat},
            rule=game.plays_by or None,
            remedy=("return-excess",),
        )
        return NONE
    right = max((amount for amount in asked if amount <= event.amount), default=min(asked))
    hand.boxes.play(seat, right)
    hand.round.note(seat, f"play {right}")
    if right != event.amount:
        hand.find(
            notes,
            "house-bet",
            "must-equal",
            cause="must-equal",
            seat=seat,
            args={"box": "play", "asked": right},
            rule=game.plays_by,
            remedy=_remedy(event.amount, right),
        )
    return NONE


def _asked(hand: Hand, seat: int) -> Sequence[int]:
    """The amounts that the later bet may have now; none if there is nothing to decide."""
    ante = hand.boxes.of(seat, "ante")
    if not ante:
        return ()
    match hand.form.name:
        case "three-card":
            return (ante,)
        case "caribbean":
            times = chosen(hand.house, "caribbean-raise")
            return () if times == 0 else (ante * (1 if times is None else times),)
        case _:
            board = len(hand.felt.board)
            return (3 * ante, 4 * ante) if not board else (2 * ante,) if board == 3 else (ante,)


def acted(hand: Hand, notes: Notes, event: Action) -> bool:
    """Whether the action is one of a game against the house: a fold, or waiting for the next card."""
    seat = event.seat
    if event.action not in ("fold", "check") or seat not in hand.live or seat == hand.order[-1]:
        return False
    hand.round.note(seat, event.action)
    if event.action == "fold":
        hand.drop(seat)
    return True


def set_hand(hand: Hand, notes: Notes, event: SetHand) -> Consequences:
    """Two of the seat's seven cards are its low hand. It is judged if all seven lie open."""
    seat, low = event.seat, event.cards
    held = hand.felt.cards.get(seat)
    if held is None or len(hand.form.rankings) < 2 or len(set(low)) != _LOW:
        notes.ignored = "Two cards are set by a seat that plays pai gow."
        return NONE
    hand.boxes.set_hand(seat, low)
    judge_set(hand, notes, seat)
    return NONE


def judge_set(hand: Hand, notes: Notes, seat: int) -> None:
    """Whether the low hand that the seat set outranks the high one. Only what lies open is judged."""
    held, low = hand.felt.cards[seat], hand.boxes.low_hands.get(seat, ())
    if not low:
        return
    if hand.felt.open_cards.issuperset(held) and set(low) <= set(held) and fouls(hand, held, low):
        hand.find(notes, "set-foul", seat=seat, rule="PG-1")


def fouls(hand: Hand, held: Sequence[Card], low: Sequence[Card]) -> bool:
    """Whether the two cards outrank the other five of the seven (PG-1)."""
    pair = [face(card) for card in low]
    five = [face(card) for card in held if card not in low]
    if len(five) != hand.hole - _LOW:
        return False
    return _strength(five) < _strength(pair)


def _strength(cards: Sequence[str]) -> tuple[bool, list[int], list[int]]:
    """How hands of five and of two compare: a straight or flush of five is above any two cards; then what is
    repeated most often, and its ranks. A joker is an ace.
    """
    ranks = ["A" if card == "joker" else card[0] for card in cards]
    counts = sorted(((ranks.count(rank), _ORDER.index(rank)) for rank in set(ranks)), reverse=True)
    repeated = [count for count, _ in counts][:2]
    runs = len(cards) > _LOW and repeated[0] == 1 and _above_pairs(rank("pai-gow-high", cards))
    return runs, [*repeated, 1][:2], [value for _, value in counts]


def _above_pairs(high: int | None) -> bool:
    """Whether five cards of different ranks are a straight or a flush."""
    return high is not None and high < (rank("pai-gow-high", ("2c", "2d", "3h", "4s", "5c")) or 0)


def _pays(setup: Setup, game: Banked, box: str) -> bool:
    return box in setup.pay_tables or box in game.pays


def _remedy(amount: int, asked: int) -> tuple[str, ...]:
    return ("make-good",) if amount < asked else ("return-excess",)


def _wrong(
    setup: Setup,
    notes: Notes,
    seat: int,
    cause: str,
    text: str,
    rule: str,
    *,
    remedy: tuple[str, ...] = ("return-excess",),
    **args: str | int,
) -> None:
    notes.find(
        setup.book, "house-bet", text, cause=cause, seat=seat, args=args, rule=rule or None, remedy=remedy
    )
