"""The board and its burns: streets in and out of time, missing and extra burns, four-card flops.

Theory. A street is in time when nobody has to act and more than one hand is live. It then wants one burn
card, and three, one, one cards. If the game has two boards it then wants as many for the second board,
without another burn, and only then is there betting. What is wrong is found, and what can count counts:

| event | when | then |
| --- | --- | --- |
| burn | at any time | the burn of the coming street, premature or not (RP-5) |
| burn | one lies there | `burn-extra` (38); by book the second one may be the street |
| burn | one lies there, and antennas saw none for a street before | that one, read late: nothing |
| burn | one hand is left | `rabbit-hunt`; antennas see cards being gathered, too |
| burn | the card of a street that came without one | by book it is the burn, and the next card the street |
| the next street | in time | on the board; no burn `burn-missing` (39-B), a wrong flop `flop-count` (39-A) |
| the next street | one hand is left | `rabbit-hunt` |
| the next street | before the betting is over | `premature-street`: back, its burn stays (RP-5-A to C) |
| the same street | the second board waits for it | on the second board |
| the same street | the same cards | again: nothing; if both of two boards are named, divided as reported |
| the same street | cards are missing | completed |
| the same street | other cards | `card-out-of-place` |
| the same street | an antenna reads a further card before anybody acts | `flop-count`, `extra-board-card` |
| ruling play-on | after a premature street | that street counts when the betting is over |
| ruling burn | four cards on the flop | that card is the burn of the turn (39-A) |
| ruling burn | a flop without a burn | that card was its burn (39-B) |
| run-twice | no more betting, streets to come | after each board they are dealt once more, as often as said |
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal

from tablebridge.engine.cards import dealing, exposed_cards, faces, seat_streets, wrong_board
from tablebridge.engine.consequences import NONE, START_ROUND, Consequences, Steps
from tablebridge.engine.games import Street
from tablebridge.engine.hand import BESIDE, Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.deal import Early
from tablebridge.engine.parts.felt import run_due
from tablebridge.model import events as ev
from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.places import BOARD, BURN


def burn(hand: Hand, notes: Notes, event: ev.Burn) -> Consequences:
    """A burn card."""
    card = event.card
    if next_run(hand) is not None and (card is None or hand.felt.places.get(card) != BURN):
        _run_again(hand)
    if hand.street not in hand.form.places:
        return
    if not hand.deal.over:
        yield from dealing.finish_deal(hand, notes)
    named = card if card is not None and card != UNKNOWN else None
    if named is not None and hand.felt.places.get(named) == BURN:
        return
    if hand.burns.unburned and _restored(hand, notes, named):
        return
    if len(hand.live) < 2 and notes.basis != "rfid":
        hand.find(notes, "rabbit-hunt", "burn", cards=() if named is None else (named,))
    if hand.deal.exchange is not None:
        exchange = exposed_cards.to_exchange(hand)
        if exchange is not None and named in (None, exchange[1]):
            exposed_cards.exchanged(hand, notes.basis, UNKNOWN)
            return
        hand.deal.no_exchange()
    if hand.burns.burned and notes.basis != hand.burns.basis and (named is None or hand.burns.card is None):
        yield from _same_burn(hand, notes, named)
    else:
        yield from _off_the_deck(hand, notes, named)


def _same_burn(hand: Hand, notes: Notes, card: Card | None) -> Consequences:
    """The burn that lies there is reported by somebody else, perhaps with its face."""
    hand.burns.report_again(notes.basis)
    if card is not None:
        yield from faces.record(hand, notes, card, BURN)
        hand.burns.name(card)


def _off_the_deck(hand: Hand, notes: Notes, card: Card | None) -> Consequences:
    """A card leaves the deck for the burns."""
    if card is None or hand.felt.places.get(card) != BESIDE:
        hand.felt.draw_off()
    hand.burns.count_card()
    if card is not None:
        yield from faces.record(hand, notes, card, BURN)
    if not (hand.burns.burned or hand.street == hand.form.last.name or second_due(hand)):
        hand.burns.lie(card, notes.basis)
    elif notes.basis != "rfid" or not hand.burns.find_unseen():
        hand.find(
            notes,
            "burn-extra",
            cards=() if card is None else (card,),
        )
        if "restore-order" in hand.book.remedy("burn-extra"):
            hand.burns.extra(card)


def _restored(hand: Hand, notes: Notes, card: Card | None) -> bool:
    """Whether the street that came without a burn is taken back: its card is the burn, and the next card the
    street.

    It can be while nobody has acted, by book while less than a significant action has occurred, and no chips
    are in. A burn with no face is this one while betting is to come, if somebody says so; else it is that of
    the next street.
    """
    acted = hand.round.street_actions - (hand.book.misdeal_until == "two-acted")
    if acted > 0 or any(hand.chips.bet.values()) or len(_played(hand)[0]) <= 3:
        return False
    first = _played(hand)[0]
    last = first[-1]
    if card != last and (card is not None or hand.round.to_act is None or notes.basis == "rfid"):
        return False
    hand.felt.last_to_burn(first, hand.felt.board)
    hand.take_back_to(hand.form.streets[hand.form.places[hand.street] - 1].name)
    hand.round.stop()
    hand.burns.put_right(last, notes.basis)
    return True


def street(hand: Hand, notes: Notes, event: ev.Street) -> Consequences:
    """Cards were put on the board in one go."""
    name, cards = event.street, event.cards
    if not hand.form.board:
        return _community(hand, notes, cards)
    if name not in hand.form.places:
        return NONE
    if not hand.deal.over or hand.burns.gone_flop:
        return _comes_after_the_deal(hand, notes, name, cards)
    if hand.form.banked and name == "river" and len(cards) == 2 and hand.street == "flop":
        return _turn_and_river(hand, notes, cards)
    if hand.burns.flop_may_go and wrong_board.may_still_go(hand, cards):
        wrong_board.take_back(hand, notes)
    return _comes(hand, notes, name, cards)


def _turn_and_river(hand: Hand, notes: Notes, cards: tuple[Card, ...]) -> Consequences:
    """Against the house both may come at once (UTH-3)."""
    yield from _comes(hand, notes, "turn", cards[:1])
    yield from _comes(hand, notes, "river", cards[1:])


def _comes_after_the_deal(hand: Hand, notes: Notes, name: str, cards: tuple[Card, ...]) -> Consequences:
    """A street comes while the deal, or a flop that had no burn, is not settled yet."""
    yield from dealing.finish_deal(hand, notes)
    if hand.burns.gone_flop and hand.form.places[name] > hand.form.places["flop"]:
        own = hand.burns.coming
        yield from flop_stands(hand, notes)
        hand.burns.restore(own)
    yield from _comes(hand, notes, name, cards)


def _comes(hand: Hand, notes: Notes, name: str, cards: tuple[Card, ...]) -> Consequences:
    """A street comes, in time or not."""
    if (
        hand.felt.run_from is not None
        and next_run(hand) is not None
        and any(card not in hand.felt.board for card in cards)
    ):
        _run_again(hand)
    if hand.form.boards > 1 and notes.basis != "rfid" and _divided(hand, name, cards):
        return NONE
    return STREETS[_moment(hand, name)](hand, notes, name, cards)


Moment = Literal["again", "past", "decided", "premature", "in time"]
"""When a street of the board comes: while it lies there, after a later one, when one hand is left, before the
betting is over, or when it is due.
"""


def _moment(hand: Hand, name: str) -> Moment:
    form = hand.form
    place, there = form.places[name], form.places.get(hand.street, len(form.places) - 1)
    if place == there:
        return "again"
    if place < there:
        return "past"
    if len(hand.live) < 2:
        return "decided"
    due = place == there + 1 and hand.round.to_act is None
    return "in time" if due and not (form.boards > 1 and second_due(hand)) else "premature"


def run_twice(hand: Hand, notes: Notes, event: ev.RunAgain) -> None:
    """The seats have the rest of the board dealt twice, or more often if the deck has the cards for it."""
    closed = (
        hand.round.to_act is None
        and len(hand.live) > 1
        and sum(hand.chips.stack[seat] > 0 for seat in hand.live) < 2
    )
    if (
        not closed
        or hand.form.board <= len(hand.felt.board)
        or hand.felt.run_from is not None
        or hand.form.boards > 1
    ):
        notes.ignored = "One board is run again, when the betting is over and streets are to come."
        return
    most = _most_runs(hand)
    if not 2 <= event.runs <= most:
        notes.ignored = f"The board is run at least twice, and the deck has cards for {most} runs."
        return
    hand.felt.run_times(event.runs)


def _most_runs(hand: Hand) -> int:
    """For how many runs of the streets to come the stub has cards, burns included."""
    coming = [
        street for street in hand.form.streets if hand.form.board_after(street.name) > len(hand.felt.board)
    ]
    each = sum(street.board + street.burn for street in coming)
    burned = 1 if hand.burns.burned else 0
    return (len(hand.deck) - hand.felt.off_deck + burned) // each


def following(hand: Hand) -> Street | None:
    """The street that comes next, whether or not it is in time; of two boards the second has the same one
    after the first.
    """
    if second_due(hand):
        return hand.form.street(hand.street)
    return hand.form.next(hand.street) or next_run(hand)


def second_due(hand: Hand) -> bool:
    """Whether, of two boards, the first has the street under way and the second waits for it."""
    two = hand.form.boards > 1 and hand.street in hand.form.places
    return two and len(hand.felt.boards[0]) >= hand.form.board_after(hand.street) > len(hand.felt.board)


def next_run(hand: Hand) -> Street | None:
    """The street that begins the next run, if one is complete and the next has not begun."""
    if hand.felt.run_from is None or not run_due(hand.felt) or hand.street != "showdown":
        return None
    return next(
        (street for street in hand.form.streets if hand.form.board_after(street.name) > hand.felt.run_from),
        None,
    )


def board_exposed(hand: Hand, notes: Notes, event: ev.BoardExposed) -> Consequences:
    """A further card was turned up together with the street just dealt."""
    card = event.card
    if hand.felt.places.get(card) == BESIDE:
        return
    hand.felt.draw_off()
    hand.felt.turn_over(card)
    yield from faces.record(hand, notes, card, BESIDE)
    hand.find(
        notes,
        "extra-board-card",
        "turned-up",
        cards=(card,),
        case=wrong_board.extra(hand, hand.street, len(wrong_board.beside(hand))),
    )
    wrong_board.shuffled_in(hand, notes)


def ruling_burn(hand: Hand, notes: Notes, card: Card | None) -> None:
    """The floor picked a card of the board as the burn."""
    picked = card if card is not None and _board_with(hand, card) is not None else UNKNOWN
    board = _board_with(hand, picked)
    if board is None:
        notes.ignored = "The floor's burn card is not on the board."
        return
    excess = len(board) > hand.form.board_after(hand.street)
    hand.felt.take_off(board, picked, BURN)
    if excess:
        hand.burns.lie(picked, notes.basis)


def _played(hand: Hand) -> tuple[list[Card], ...]:
    """The boards that a street comes to now: the one under way, or both of a game with two."""
    return hand.felt.boards if hand.form.boards > 1 else (hand.felt.board,)


def _board_with(hand: Hand, card: Card) -> list[Card] | None:
    """The board on which the card lies."""
    return next((board for board in hand.felt.boards if card in board), None)


def _run_again(hand: Hand) -> None:
    """A board is complete: the next one begins with the cards that all have in common."""
    run_from = hand.felt.run_from
    assert run_from is not None
    hand.felt.begin_run()
    common = [street.name for street in hand.form.streets if hand.form.board_after(street.name) <= run_from]
    hand.run_again(common[-1])


def _community(hand: Hand, notes: Notes, cards: tuple[Card, ...]) -> Consequences:
    """In stud with a short stub, one card for all in place of the last card of each (RP-10-H B and C)."""
    following = seat_streets.coming(hand)
    if not hand.felt.community or following is None or not cards:
        notes.ignored = "This game has no board."
        return
    seat_streets.begin(hand, notes, following)
    hand.felt.lay(hand.felt.board, cards[:1], off_deck=1)
    yield from faces.record(hand, notes, cards[0], BOARD)
    yield START_ROUND


def _in_time(hand: Hand, notes: Notes, name: str, cards: tuple[Card, ...]) -> Consequences:
    """It lies on the board; a missing burn and a wrong number of cards are found (39), and betting begins."""
    hand.deal.street_comes()
    street, burned = hand.form.street(name), hand.burns.street_comes(name)
    due = street.board
    hand.deal_street(name)
    notes.street = name
    if hand.form.boards == 1:
        if (yield from _laid(hand, notes, street, hand.felt.board, cards, due, burned=burned)):
            yield START_ROUND
        return
    if second_due(hand):
        yield from _second(hand, notes, street, cards)
        return
    # An antenna reports both boards in one go; who types them may.
    both = len(cards) > due and (len(cards) >= 2 * due or notes.basis == "rfid")
    first = cards[:due] if both else cards
    if (yield from _laid(hand, notes, street, hand.felt.boards[0], first, due, burned=burned)) and both:
        yield from _second(hand, notes, street, cards[due:])


def _second(hand: Hand, notes: Notes, street: Street, cards: tuple[Card, ...]) -> Consequences:
    """The second board gets the street. What an antenna has read of it so far need not be all of it."""
    due = hand.form.board_after(street.name) - len(hand.felt.board)
    if len(cards) < due and notes.basis == "rfid":
        yield from _complete(hand, notes, street.name, cards)
        return
    lies = yield from _laid(hand, notes, street, hand.felt.board, cards, due, burned=True)
    if lies and not second_due(hand):
        yield START_ROUND


def _laid(
    hand: Hand,
    notes: Notes,
    street: Street,
    board: list[Card],
    cards: tuple[Card, ...],
    due: int,
    *,
    burned: bool,
) -> Steps[bool]:
    """Put the cards of the street on the board. `due`: how many are wanted. Whether they lie there as the
    street.
    """
    name = street.name
    hand.felt.lay(board, cards, off_deck=len(cards) - (hand.burns.second in cards))
    for card in cards:
        yield from faces.record(hand, notes, card, BOARD)
    if not burned and street.burn:
        hand.burns.miss(sensed=notes.basis == "rfid")
        hand.find(notes, "burn-missing", "board", args={"street": name}, case=name)
    if not burned:
        hand.burns.lay_unburned(may_be_put_right="restore-order" in hand.book.remedy("burn-missing", name))
    if name == "flop" and hand.book.flop_goes_back and (not burned or len(cards) > due):
        wrong_board.goes_back(hand, notes, board, cards)
        return False
    if name == "flop" and len(cards) != due:
        wrong_board.flop_count(hand, notes, cards)
    elif len(cards) > due:
        _further(hand, notes, board, cards[due:])
    return True


def _further(hand: Hand, notes: Notes, board: list[Card], extra: tuple[Card, ...]) -> None:
    """The last cards of the board came with the turn or river and are not its own."""
    hand.felt.take_last(board, len(extra), BESIDE)
    hand.find(
        notes,
        "extra-board-card",
        "with-street",
        args={"street": hand.street},
        cards=extra,
        case=wrong_board.extra(hand, hand.street, len(extra)),
    )
    wrong_board.shuffled_in(hand, notes)


def _premature(hand: Hand, notes: Notes, name: str, cards: tuple[Card, ...]) -> Consequences:
    """It goes back into the stub; by book its burn stays or goes back, too (RP-5-A to C)."""
    known = [card for card in cards if card != UNKNOWN]
    yield from faces.record_open(hand, notes, known, BOARD)
    hand.find(
        notes,
        "premature-street",
        "board",
        args={"street": name},
        cause=name,
        cards=known,
    )
    for card in known:
        hand.forget(card)
    hand.deal.came_early(Early(name, cards, hand.burns.burned_for(name), hand.burns.card))
    burned = hand.book.premature[name]
    if burned == "again" and name == "flop":
        hand.burns_go_back()
    if burned != "stays":
        hand.burns.use()
    if burned == "either":
        hand.burns.free(name)
    elif burned == "again-then-none":
        following = hand.form.next(name)
        hand.burns.free("" if following is None else following.name)


def plays_on(hand: Hand, notes: Notes) -> Consequences:
    """The floor lets a street stand that was to go back."""
    if hand.burns.gone_flop:
        return flop_stands(hand, notes)
    if hand.deal.early is not None:
        hand.deal.early.stand()
        return early_stands(hand, notes, hand.deal.early)
    return NONE


def early_stands(hand: Hand, notes: Notes, early: Early) -> Consequences:
    """A premature street that the floor lets stand counts as soon as the betting is over, with the burn that
    it had.
    """
    coming = hand.form.next(hand.street)
    if coming is None or early.street != coming.name or hand.round.to_act is not None or len(hand.live) < 2:
        return NONE
    if early.burned and not hand.burns.burned:
        if hand.burns.stand_in():
            hand.felt.draw_off()
        if early.burn_card is not None:
            hand.felt.put(early.burn_card, BURN)
    return _in_time(hand, notes, coming.name, early.cards)


def flop_stands(hand: Hand, notes: Notes) -> Consequences:
    """The table goes on with a flop that had no burn."""
    cards = hand.burns.flop_stands()
    yield from _in_time(hand, notes, "flop", cards)
    hand.burns.flop_stays()


def _again(hand: Hand, notes: Notes, name: str, cards: tuple[Card, ...]) -> Consequences:
    """The street lies there already: reported by somebody else, in part, for the first board alone, or with
    other cards.
    """
    boards = _played(hand)
    new = tuple(card for card in cards if card == UNKNOWN or not any(card in board for board in boards))
    if second_due(hand) and new:
        return _second(hand, notes, hand.form.street(name), new)
    return _complete(hand, notes, name, new)


def _past(hand: Hand, notes: Notes, name: str, cards: tuple[Card, ...]) -> Consequences:
    """Cards of it that lie there are nothing new; any other is out of place."""
    if any(card != UNKNOWN and _board_with(hand, card) is None for card in cards):
        return _out_of_place(hand, notes, cards)
    return NONE


def _complete(hand: Hand, notes: Notes, name: str, cards: Iterable[Card]) -> Consequences:
    """Cards of the street that were missing, or whose faces were."""
    boards, whole = _played(hand), hand.form.board_after(name)
    waits = hand.form.boards > 1 and len(hand.felt.board) < whole
    for card in cards:
        board = next((board for board in boards if len(board) < whole), None)
        unnamed = next((board for board in boards if UNKNOWN in board), None)
        if card == UNKNOWN and board is None:
            continue
        if board is None and unnamed is None and (notes.basis != "rfid" or hand.round.street_actions):
            yield from _out_of_place(hand, notes, (card,))
            continue
        hand.felt.turn_over(card)
        yield from faces.record(hand, notes, card, BOARD)
        if board is None and unnamed is not None:
            hand.felt.name_on(unnamed, card)
            continue
        hand.felt.lay(hand.felt.board if board is None else board, (card,), off_deck=1)
        if board is None and name == "flop":
            wrong_board.flop_count(hand, notes, tuple(hand.felt.board))
        elif board is None:
            _further(hand, notes, hand.felt.board, (card,))
    if waits and len(hand.felt.board) >= whole:
        yield START_ROUND


def _divided(hand: Hand, name: str, cards: tuple[Card, ...]) -> bool:
    """Divide a street that lies there between its two boards as somebody reported it, naming both: an
    antenna cannot. Whether that was done.
    """
    place = hand.form.places[name]
    before = hand.form.board_after(hand.form.streets[place - 1].name) if place else 0
    street = slice(before, hand.form.board_after(name))
    first, second = hand.felt.boards
    if sorted(cards) != sorted(first[street] + second[street]) or len(first[street]) != len(second[street]):
        return False
    hand.felt.divide_street(street, cards[: len(cards) // 2], cards[len(cards) // 2 :])
    return True


def _out_of_place(hand: Hand, notes: Notes, cards: tuple[Card, ...]) -> Consequences:
    yield from faces.record_open(hand, notes, cards, BESIDE)
    hand.find(notes, "card-out-of-place", "no-street", cards=cards)


STREETS: Final[Mapping[Moment, Callable[[Hand, Notes, str, tuple[Card, ...]], Consequences]]] = {
    "again": _again,
    "past": _past,
    "decided": wrong_board.rabbit_hunt,
    "premature": _premature,
    "in time": _in_time,
}
