"""The end of a hand against the house: whose hand is better, whether the house's plays at all, and what each
box gets.

The hand of the house lies at the last seat of the list, but in video poker, where there is none. What comes
of a hand stands with its seat as its last word. In pai gow the two cards of the low hand are those that were
set, else those that were tabled first; who wins one of the two hands only has a draw, and equal hands are no
win of the player. The house settles with the seats in ascending order.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from tablebridge.engine.hand import Hand
from tablebridge.engine.house import bets
from tablebridge.engine.house.games import BANKED, JACKPOT_SHARES, ROYAL_FOR_FIVE, Pays, row
from tablebridge.engine.house.made_hands import Wild, made, made_wild
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.boxes import Line, Settlement
from tablebridge.engine.setup import chosen
from tablebridge.engine.showdown import payment
from tablebridge.engine.showdown.ranking import qualifies, rank
from tablebridge.model.cards import Card, face, is_known
from tablebridge.model.sentences import phrase

_PLAYS_ALWAYS: Final = "pai-gow"
_ALONE: Final = "video-poker"
_MOST_COINS: Final = 5


class Made(NamedTuple):
    """A hand that is known. `values`: its rank in each way of ranking, lower is better; `word`: its row in a
    pay table.
    """

    values: tuple[int, ...]
    word: str


class Compared(NamedTuple):
    """A seat's hand beside the one of the house. `ours`, `theirs`: None if it is not known; `plays`: whether
    the one of the house qualifies; `result`: `wins`, `loses` or `draws`, empty if somebody's is not known.
    """

    seat: int
    live: bool
    ours: Made | None
    theirs: Made | None
    plays: bool
    result: str


class Unknown(Exception):
    """A box cannot be settled: a hand that decides it is not known, or nobody said what the seat decided."""


def settle(hand: Hand, notes: Notes, held: Mapping[int, Sequence[Card]]) -> None:
    """Say of each hand that is known how it stands against the one of the house, and settle its boxes.
    `held`: the cards that lie down, as far as they may decide.
    """
    house = None if hand.form.name == _ALONE else hand.order[-1]
    theirs = None if house is None else _made(hand, house, held)
    plays = theirs is not None and (
        hand.form.name == _PLAYS_ALWAYS or qualifies(hand.form.name, theirs.values[0])
    )
    if house is not None and theirs is not None:
        hand.round.note(house, "qualifies" if plays else "does not qualify")
    compared = [_compared(hand, seat, theirs, held, plays=plays) for seat in hand.order if seat != house]
    for each in compared:
        if each.result and each.live:
            hand.round.note(each.seat, each.result)
    if hand.boxes.stakes and hand.paid:
        _settled_before(hand, notes)
    elif hand.boxes.stakes:
        _settle_boxes(hand, notes, compared, None if theirs is None else plays)


def _compared(
    hand: Hand, seat: int, theirs: Made | None, held: Mapping[int, Sequence[Card]], *, plays: bool
) -> Compared:
    live = seat in hand.live
    shown = live or hand.felt.open_cards.issuperset(hand.felt.cards[seat])
    ours = _made(hand, seat, held) if shown else None
    result = "" if ours is None or theirs is None else _against(ours.values, theirs.values)
    return Compared(seat, live, ours, theirs, plays, result)


def _against(ours: Sequence[int], theirs: Sequence[int]) -> str:
    """Of two hands a seat has to win both, and loses if it wins none."""
    won = sum(mine < its for mine, its in zip(ours, theirs, strict=True))
    lost = sum(mine > its for mine, its in zip(ours, theirs, strict=True))
    if len(ours) > 1:
        return "wins" if won == len(ours) else "loses" if lost == len(ours) else "draws"
    return "wins" if won else "loses" if lost else "draws"


def _made(hand: Hand, seat: int, held: Mapping[int, Sequence[Card]]) -> Made | None:
    """The seat's hand; None if its cards are not known."""
    cards = tuple(hand.showdown.tabled.get(seat, ()) or held[seat])
    if hand.form.name == _ALONE:
        known = [face(card) for card in cards if is_known(card) or card == "joker"]
        wild: Wild = {"deuces": "deuces", "jokers": "jokers"}.get(hand.house.get("wild", ""), "")  # type: ignore[assignment]
        whole = len(known) == hand.hole and (wild == "jokers" or "joker" not in known)
        return Made((), made_wild(known, wild)) if whole else None
    if len(hand.form.rankings) > 1:
        return _set(hand, seat, cards)
    if not payment.whole(hand, cards) or not payment.board_complete(hand):
        return None
    way, faces, board = hand.form.rankings[0], [*map(face, cards)], [*map(face, hand.felt.board)]
    value = rank(way, faces, board)
    return None if value is None else Made((value,), made(way, faces, board))


def _set(hand: Hand, seat: int, cards: Sequence[Card]) -> Made | None:
    """The high hand and the low one, as they were set."""
    known = [face(card) for card in cards if is_known(card) or card == "joker"]
    if len(known) != hand.hole or len(set(known)) != len(known):
        return None
    low = [face(card) for card in hand.boxes.low_hands.get(seat, ())]
    if not set(low) <= set(known):
        return None
    low = low or known[:2]
    five = [card for card in known if card not in low]
    values = [rank(hand.form.rankings[0], five), rank(hand.form.rankings[1], low)]
    natural = [card for card in known if card != "joker"]
    return Made(tuple(value for value in values if value is not None), made("high", natural))


# The boxes.


def _settle_boxes(hand: Hand, notes: Notes, compared: Sequence[Compared], plays: bool | None) -> None:
    """Settle the boxes of each seat whose hand, decision and opponent are known; name the other seats."""
    lines: list[Line] = []
    unknown: list[int] = []
    pool = _Jackpot(hand, notes)
    for each in sorted(compared):
        if each.seat not in hand.boxes.stakes:
            continue
        try:
            lines.extend(_SETTLED[hand.form.name](hand, each, pool))
        except Unknown:
            unknown.append(each.seat)
    net = {
        seat: sum(_gain(line) for line in lines if line.seat == seat)
        for seat in hand.boxes.stakes
        if seat not in unknown
    }
    _book(hand, notes, Settlement(tuple(lines), plays, net))


def _settled_before(hand: Hand, notes: Notes) -> None:
    """The faces that decided it were deleted from the record, which says what each seat gained."""
    _, net = hand.paid[0]
    _book(
        hand, notes, Settlement(net={seat: gain for seat, gain in net.items() if seat in hand.boxes.stakes})
    )


def _book(hand: Hand, notes: Notes, settlement: Settlement) -> None:
    """Chips move as the boxes were settled; seats whose boxes were not are named."""
    hand.boxes.settle(settlement)
    hand.chips.settle_with_house(settlement.net)
    unknown = sorted(hand.boxes.stakes.keys() - settlement.net.keys())
    if unknown:
        args = {"reason": "untabled", "seats": ", ".join(map(str, unknown))}
        hand.leave_open(phrase("hand-incomplete", "untabled", args))
        hand.find(notes, "hand-incomplete", args=args)


def _gain(line: Line) -> int:
    return {"pays": line.amount, "takes": -line.amount, "pushes": 0}[line.result]


class _Jackpot:
    """The jackpot while the seats are settled: who wins a share of it leaves the starting one to the next."""

    def __init__(self, hand: Hand, notes: Notes) -> None:
        self._hand = hand
        self._notes = notes
        self._now = chosen(hand.house, "jackpot") or 0
        self._reset = chosen(hand.house, "jackpot-reset") or 0

    def wins(self, seat: int, word: str, stake: int, pays: Pays) -> int:
        """What the jackpot bet of this seat wins, 0 if nothing."""
        share = JACKPOT_SHARES.get(word)
        if share is not None and word not in pays:
            amount = self._now * share // 100
            self._now = self._reset
            self._hand.find(
                self._notes,
                "jackpot",
                "share",
                seat=seat,
                args={"percent": share, "amount": amount},
                rule="CAR-7",
            )
            return amount
        number, to = row(pays, word) or (0, 1)
        amount = stake * number // to
        if amount:
            self._hand.find(self._notes, "jackpot", "fixed", seat=seat, args={"amount": amount}, rule="CAR-7")
        return amount


def _table(hand: Hand, box: str) -> Pays:
    return hand.boxes.tables.get(box) or BANKED[hand.form.name].pays.get(box, {})


def _paid(hand: Hand, seat: int, box: str, stake: int, word: str) -> Line:
    """A box by its pay table."""
    pays = row(_table(hand, box), word)
    if pays is None:
        return Line(seat, box, "takes", stake)
    amount = stake * pays[0] // pays[1]
    return Line(seat, box, "pays", amount) if amount else Line(seat, box, "pushes", 0)


def _by(result: str, seat: int, box: str, stake: int, won: int | None = None) -> Line:
    """A box that goes with the hand: paid one to one, or `won`, taken, or given back."""
    match result:
        case "wins":
            return Line(seat, box, "pays", stake if won is None else won)
        case "loses":
            return Line(seat, box, "takes", stake)
        case _:
            return Line(seat, box, "pushes", 0)


def _decided(hand: Hand, each: Compared) -> int:
    """The later bet of a live hand. Raises Unknown if nobody reported what the seat did, or a hand is not
    known.
    """
    play = hand.boxes.played.get(each.seat)
    if play is None or not each.result:
        raise Unknown
    return play


def _of_known(each: Compared) -> Made:
    if each.ours is None:
        raise Unknown
    return each.ours


def _three_card(hand: Hand, each: Compared, _: _Jackpot) -> Iterator[Line]:
    seat, ante, plus = each.seat, hand.boxes.of(each.seat, "ante"), hand.boxes.of(each.seat, "pair-plus")
    if not each.live:
        yield from (
            Line(seat, box, "takes", put) for box, put in (("ante", ante), ("pair-plus", plus)) if put
        )
        return
    if ante:
        play = _decided(hand, each)
        yield _by(each.result if each.plays else "wins", seat, "ante", ante)
        yield _by(each.result if each.plays else "draws", seat, "play", play)
        bonus = _paid(hand, seat, "ante-bonus", ante, _of_known(each).word)
        if bonus.result == "pays":
            yield bonus
    if plus:
        yield _paid(hand, seat, "pair-plus", plus, _of_known(each).word)


def _caribbean(hand: Hand, each: Compared, pool: _Jackpot) -> Iterator[Line]:
    seat, ante, jackpot = each.seat, hand.boxes.of(each.seat, "ante"), hand.boxes.of(each.seat, "jackpot")
    if ante and not each.live:
        yield Line(seat, "ante", "takes", ante)
    elif ante and chosen(hand.house, "caribbean-raise") == 0:
        if not each.result:
            raise Unknown
        yield _by(each.result, seat, "ante", ante, _won(hand, each, ante))
    elif ante:
        play = _decided(hand, each)
        yield _by(each.result if each.plays else "wins", seat, "ante", ante)
        yield _by(each.result if each.plays else "draws", seat, "play", play, _won(hand, each, play))
    if jackpot:
        # A hand that was folded and not shown wins nothing.
        word = _of_known(each).word if each.live or each.ours else ""
        won = pool.wins(seat, word, jackpot, _table(hand, "jackpot"))
        yield Line(seat, "jackpot", "pays", won) if won else Line(seat, "jackpot", "takes", jackpot)


def _won(hand: Hand, each: Compared, stake: int) -> int:
    number, to = row(_table(hand, "play"), _of_known(each).word) or (1, 1)
    return stake * number // to


def _pai_gow(hand: Hand, each: Compared, _: _Jackpot) -> Iterator[Line]:
    seat, bet, bonus = each.seat, hand.boxes.of(each.seat, "bet"), hand.boxes.of(each.seat, "bonus")
    if bet and not each.live:
        yield Line(seat, "bet", "takes", bet)
    elif bet:
        if not each.result:
            raise Unknown
        cards = hand.felt.cards[seat]
        low = hand.boxes.low_hands.get(seat, ())
        fouled = bool(low) and bets.fouls(hand, cards, low)
        yield _by("loses" if fouled else each.result, seat, "bet", bet)
    if bonus:
        yield _paid(hand, seat, "bonus", bonus, _of_known(each).word if each.live else "")


def _uth(hand: Hand, each: Compared, _: _Jackpot) -> Iterator[Line]:
    seat = each.seat
    ante, blind, trips, bonus = (hand.boxes.of(seat, box) for box in ("ante", "blind", "trips", "bonus"))
    if ante and not each.live:
        yield Line(seat, "ante", "takes", ante)
        if blind:
            yield Line(seat, "blind", "takes", blind)
    elif ante:
        play = _decided(hand, each)
        yield _by(each.result if each.plays else "draws", seat, "ante", ante)
        yield _by(each.result, seat, "play", play)
        if blind:
            yield _blind(hand, each, "blind", blind)
    if trips:
        yield _paid(
            hand,
            seat,
            "trips",
            trips,
            each.ours.word if each.ours else "" if not each.live else _of_known(each).word,
        )
    if bonus:
        if each.live and not each.result:
            raise Unknown
        yield (
            _blind(hand, each, "bonus", bonus)
            if each.result == "wins"
            else Line(seat, "bonus", "takes", bonus)
        )


def _blind(hand: Hand, each: Compared, box: str, stake: int) -> Line:
    """A box that is paid by its table if the hand wins, goes back if its table has no such hand, and is lost
    with a worse hand.
    """
    if each.result != "wins":
        return _by(each.result, each.seat, box, stake)
    line = _paid(hand, each.seat, box, stake, _of_known(each).word)
    return line if line.result == "pays" else Line(each.seat, box, "pushes", 0)


def _video_poker(hand: Hand, each: Compared, _: _Jackpot) -> Iterator[Line]:
    seat, bet = each.seat, hand.boxes.of(each.seat, "bet")
    word = _of_known(each).word
    if word == "royal" and bet == _MOST_COINS and "bet" not in hand.boxes.tables:
        yield Line(seat, "bet", "pays", ROYAL_FOR_FIVE)
    else:
        yield _paid(hand, seat, "bet", bet, word)


_SETTLED: Final[Mapping[str, Callable[[Hand, Compared, _Jackpot], Iterator[Line]]]] = {
    "three-card": _three_card,
    "caribbean": _caribbean,
    "pai-gow": _pai_gow,
    "uth": _uth,
    "video-poker": _video_poker,
}
