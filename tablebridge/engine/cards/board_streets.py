"""The board and its burns: streets in and out of time, missing and extra burns, four-card flops.

Theory. A street is in time when nobody has to act and more than one hand is live. It then wants one burn
card, and three, one, one cards. Where the game has two boards it then wants as many for the second one,
without another burn, and only then is there betting. What is wrong is told and what can count counts:

| event | when | then |
| --- | --- | --- |
| burn | at any time | the burn of the coming street, premature or not (RP-5) |
| burn | one lies there | `burn-extra` (38); by book the second one may be the street |
| burn | one lies there, and antennas saw none for a street before | that one, read late: nothing |
| burn | the card of a street that came without one | by book it is the burn, and the next card the street |
| the next street | in time | on the board; without a burn `burn-missing` (39-B), a wrong flop `flop-count` (39-A) |
| the next street | one hand is left | `rabbit-hunt` |
| the next street | before the betting is over | `premature-street`: back into the stub, the burn stays (RP-5-A to C) |
| the same street | the second board waits for it | on the second board |
| the same street | the same cards | told twice: nothing; of two boards both named, they are divided as told |
| the same street | cards are missing | completed |
| the same street | other cards | `card-out-of-place` |
| the same street | an antenna tells a further card before anybody acts | `flop-count`, `extra-board-card` |
| ruling play-on | after a premature street | that street counts when the betting is over |
| ruling burn | four cards on the flop | that card is the burn of the turn (39-A) |
| ruling burn | a flop without a burn | that card was its burn (39-B) |
| run-twice | no more betting, streets to come | when the board is complete they are dealt once more, for a second board |
"""

from collections.abc import Iterable

from tablebridge.engine.betting import round_start
from tablebridge.engine.cards import dealing, exposed_cards, seat_streets, wrong_board
from tablebridge.engine.games import Street
from tablebridge.engine.hand import BESIDE, Hand
from tablebridge.engine.notes import Notes
from tablebridge.engine.parts.deal import Early
from tablebridge.model.cards import UNKNOWN, Card
from tablebridge.model.places import BURN


def burn(hand: Hand, notes: Notes, card: Card | None) -> None:
    """A burn card."""
    if second_run(hand) is not None and (card is None or hand.felt.places.get(card) != "burn"):
        _run_again(hand)
    if hand.street not in hand.form.places:
        return
    dealing.finish_deal(hand, notes)
    if hand.over:
        return
    named = card if card is not None and card != UNKNOWN else None
    if (named is not None and hand.felt.places.get(named) == BURN) or _restored(hand, notes, named):
        return
    exchange = exposed_cards.to_exchange(hand)
    if exchange is not None and named in (None, exchange[1]):
        exposed_cards.exchanged(hand, notes.basis, UNKNOWN)
        return
    hand.deal.exchange = None
    if hand.burns.burned and notes.basis != hand.burns.basis and (named is None or hand.burns.card is None):
        if named is not None and dealing.shows(hand, notes, named, "burn"):
            hand.burns.card = named
        hand.burns.basis = notes.basis
        return
    if named is None or hand.felt.places.get(named) != BESIDE:
        hand.felt.off_deck += 1
    hand.burns.count += 1
    if named is not None and not dealing.shows(hand, notes, named, "burn"):
        return
    if hand.burns.burned or hand.street == hand.form.last.name or second_due(hand):
        if hand.burns.unseen and notes.basis == "rfid":
            hand.burns.unseen -= 1
            return
        hand.find(
            notes,
            "burn-extra",
            "A second card was burned; there is one burn a street, never two.",
            cards=() if named is None else (named,),
        )
        if "restore-order" in hand.book.remedy("burn-extra"):
            hand.burns.second = named
        return
    hand.burns.burned, hand.burns.card, hand.burns.basis = True, named, notes.basis


def _restored(hand: Hand, notes: Notes, card: Card | None) -> bool:
    """Whether the street that came without a burn is taken back: its card is the burn, and the next card the
    street.

    It can be while nobody has acted, by book while less than a significant action has occurred, and no chips
    are in. A burn with no face is this one while betting is to come, if somebody says so; else it is that of
    the next street.
    """
    acted = hand.round.street_actions - (hand.book.misdeal_until == "two-acted")
    if not hand.burns.unburned or acted > 0 or any(hand.chips.bet.values()) or len(_played(hand)[0]) <= 3:
        return False
    first = _played(hand)[0]
    last = first[-1]
    if card != last and (card is not None or hand.round.to_act is None or notes.basis == "rfid"):
        return False
    first.pop()
    if len(hand.felt.board) > len(first):
        first.append(hand.felt.board.pop())
    hand.street = hand.form.streets[hand.form.places[hand.street] - 1].name
    hand.round.to_act, hand.round.open, hand.burns.unburned = None, False, False
    hand.burns.burned, hand.burns.card, hand.burns.basis = True, last, notes.basis
    hand.burns.count += 1
    if last != UNKNOWN:
        hand.felt.places[last] = BURN
    return True


def street(hand: Hand, notes: Notes, name: str, cards: tuple[Card, ...]) -> None:
    """Cards were put on the board in one go."""
    if not hand.form.board:
        _community(hand, notes, cards)
        return
    if hand.over or name not in hand.form.places:
        return
    dealing.finish_deal(hand, notes)
    if hand.over:
        return
    if second_run(hand) is not None and any(card not in hand.felt.board for card in cards):
        _run_again(hand)
    if hand.burns.gone_flop and hand.form.places[name] > hand.form.places["flop"]:
        own = hand.burns.burned, hand.burns.card, hand.burns.basis
        flop_stands(hand, notes)
        hand.burns.burned, hand.burns.card, hand.burns.basis = own
    elif wrong_board.may_still_go(hand, cards):
        wrong_board.take_back(hand, notes)
    place = hand.form.places.get(hand.street, len(hand.form.places) - 1)
    coming = hand.form.next(hand.street)
    if hand.form.boards > 1 and notes.basis != "rfid" and _told_apart(hand, name, cards):
        return
    if name == hand.form.streets[place].name:
        _again(hand, notes, name, cards)
    elif hand.form.places[name] < place:
        if any(card != UNKNOWN and _board_with(hand, card) is None for card in cards):
            _out_of_place(hand, notes, cards)
    elif len(hand.live) < 2:
        wrong_board.rabbit_hunt(hand, notes, name, cards)
    elif coming is None or name != coming.name or hand.round.to_act is not None or second_due(hand):
        _premature(hand, notes, name, cards)
    else:
        _in_time(hand, notes, coming, cards)


def run_twice(hand: Hand, notes: Notes) -> None:
    """The seats have the rest of the board dealt twice."""
    closed = (
        hand.round.to_act is None
        and len(hand.live) > 1
        and sum(hand.chips.stack[seat] > 0 for seat in hand.live) < 2
    )
    if not closed or hand.form.board <= len(hand.felt.board) or hand.felt.run_from is not None:
        notes.ignored = "The board is run twice only when the betting is over and streets are to come."
        return
    hand.felt.run_from = len(hand.felt.board)


def following(hand: Hand) -> Street | None:
    """The street that comes next, whether or not it is in time; of two boards the second has the same one
    after the first.
    """
    if second_due(hand):
        return hand.form.street(hand.street)
    return hand.form.next(hand.street) or second_run(hand)


def second_due(hand: Hand) -> bool:
    """Whether, of two boards, the first has the street under way and the second waits for it."""
    two = hand.form.boards > 1 and hand.street in hand.form.places
    return two and len(hand.felt.boards[0]) >= hand.form.board_after(hand.street) > len(hand.felt.board)


def second_run(hand: Hand) -> Street | None:
    """The street that begins the second run, where the first is complete and the second has not begun."""
    if hand.felt.run_from is None or hand.felt.first_board is not None or hand.street != "showdown":
        return None
    return next(
        (street for street in hand.form.streets if hand.form.board_after(street.name) > hand.felt.run_from),
        None,
    )


def board_exposed(hand: Hand, notes: Notes, card: Card) -> None:
    """A further card was turned up together with the street just dealt."""
    if hand.over or hand.felt.places.get(card) == BESIDE:
        return
    hand.felt.off_deck += 1
    hand.felt.open_cards.add(card)
    if dealing.shows(hand, notes, card, BESIDE):
        hand.find(
            notes,
            "extra-board-card",
            "A further card was turned up with the street.",
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
    board.remove(picked)
    if picked != UNKNOWN:
        hand.felt.open_cards.discard(picked)
        hand.felt.places[picked] = "burn"
    if excess:
        hand.burns.burned, hand.burns.card, hand.burns.basis = True, picked, notes.basis


def _played(hand: Hand) -> tuple[list[Card], ...]:
    """The boards that a street comes to now: the one under way, or both of a game with two."""
    return hand.felt.boards if hand.form.boards > 1 else (hand.felt.board,)


def _board_with(hand: Hand, card: Card) -> list[Card] | None:
    """The board on which the card lies."""
    return next((board for board in hand.felt.boards if card in board), None)


def _run_again(hand: Hand) -> None:
    """The first board is complete: the second begins with the cards that both have in common."""
    assert hand.felt.run_from is not None
    hand.felt.first_board, hand.felt.board = hand.felt.board, hand.felt.board[: hand.felt.run_from]
    hand.street = [
        street.name
        for street in hand.form.streets
        if hand.form.board_after(street.name) <= hand.felt.run_from
    ][-1]


def _community(hand: Hand, notes: Notes, cards: tuple[Card, ...]) -> None:
    """In stud with a short stub, one card for all in place of the last card of each (RP-10-H B and C)."""
    following = seat_streets.coming(hand)
    if not hand.felt.community or following is None or not cards:
        notes.ignored = "This game has no board."
        return
    seat_streets.begin(hand, notes, following)
    hand.felt.off_deck += 1
    hand.felt.board.append(cards[0])
    hand.felt.open_cards.add(cards[0])
    if dealing.shows(hand, notes, cards[0], "board"):
        round_start.start_round(hand)


def _in_time(hand: Hand, notes: Notes, street: Street, cards: tuple[Card, ...]) -> None:
    hand.deal.early = hand.deal.exchange = None
    hand.burns.unburned = hand.burns.flop_may_go = False
    hand.burns.gone_flop = ()
    name, due = street.name, street.board
    burned = hand.burns.burned or hand.burns.burnless == name
    hand.burns.burned, hand.burns.card, hand.burns.basis = False, None, None
    hand.street = notes.street = name
    if second_due(hand):
        _second(hand, notes, street, cards)
        return
    # An antenna tells both boards in one go; who types them may.
    both = hand.form.boards > 1 and len(cards) > due and (len(cards) >= 2 * due or notes.basis == "rfid")
    if not _laid(hand, notes, street, _played(hand)[0], cards[:due] if both else cards, due, burned=burned):
        return
    if both:
        _second(hand, notes, street, cards[due:])
    elif hand.form.boards == 1:
        round_start.start_round(hand)


def _second(hand: Hand, notes: Notes, street: Street, cards: tuple[Card, ...]) -> None:
    """The second board gets the street. What an antenna has read of it so far need not be all of it."""
    due = hand.form.board_after(street.name) - len(hand.felt.board)
    if len(cards) < due and notes.basis == "rfid":
        _complete(hand, notes, street.name, cards)
    elif _laid(hand, notes, street, hand.felt.board, cards, due, burned=True) and not second_due(hand):
        round_start.start_round(hand)


def _laid(
    hand: Hand,
    notes: Notes,
    street: Street,
    board: list[Card],
    cards: tuple[Card, ...],
    due: int,
    *,
    burned: bool,
) -> bool:
    """The cards of the street, of which `due` are wanted, are put on the board; whether they lie there as the
    street.
    """
    name = street.name
    hand.felt.off_deck += len(cards) - (hand.burns.second in cards)
    board.extend(cards)
    hand.felt.open_cards.update([card for card in cards if card != UNKNOWN])
    for card in cards:
        if not dealing.shows(hand, notes, card, "board"):
            return False
    if not burned and street.burn:
        hand.burns.unseen += notes.basis == "rfid"
        hand.find(notes, "burn-missing", f"The {name} was dealt without its burn card.", case=name)
    if not burned:
        hand.burns.unburned = "restore-order" in hand.book.remedy("burn-missing", name)
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
    del board[-len(extra) :]
    hand.find(
        notes,
        "extra-board-card",
        f"The {hand.street} came with a further card.",
        cards=extra,
        case=wrong_board.extra(hand, hand.street, len(extra)),
    )
    hand.felt.places.update(dict.fromkeys(extra, BESIDE))
    wrong_board.shuffled_in(hand, notes)


def _premature(hand: Hand, notes: Notes, name: str, cards: tuple[Card, ...]) -> None:
    known = [card for card in cards if card != UNKNOWN]
    hand.felt.open_cards.update(known)
    for card in known:
        if not dealing.shows(hand, notes, card, "board"):
            return
    hand.find(
        notes,
        "premature-street",
        f"The {name} was dealt before the betting was over.",
        cause=name,
        cards=known,
    )
    for card in known:
        hand.forget(card)
    hand.deal.early = Early(name, cards, hand.burns.burned or hand.burns.burnless == name, hand.burns.card)
    burned = hand.book.premature[name]
    if burned == "again" and name == "flop":
        hand.burns_go_back()
    if burned != "stays":
        hand.burns.burned, hand.burns.card, hand.burns.basis = False, None, None
    if burned == "either":
        hand.burns.burnless = name
    elif burned == "again-then-none":
        following = hand.form.next(name)
        hand.burns.burnless = "" if following is None else following.name


def plays_on(hand: Hand, notes: Notes) -> None:
    """The floor lets a street stand that was to go back."""
    if hand.burns.gone_flop:
        flop_stands(hand, notes)
    elif hand.deal.early is not None:
        hand.deal.early.stands = True
        early_stands(hand, notes, hand.deal.early)


def early_stands(hand: Hand, notes: Notes, early: Early) -> None:
    """A premature street that the floor lets stand counts as soon as the betting is over, with the burn that
    it had.
    """
    coming = hand.form.next(hand.street)
    if (
        coming is not None
        and early.street == coming.name
        and hand.round.to_act is None
        and len(hand.live) > 1
    ):
        if early.burned and not hand.burns.burned:
            hand.burns.burned = True
            if not hand.burns.count:
                hand.burns.count, hand.felt.off_deck = 1, hand.felt.off_deck + 1
            if early.burn_card is not None:
                hand.felt.places[early.burn_card] = BURN
        _in_time(hand, notes, coming, early.cards)


def flop_stands(hand: Hand, notes: Notes) -> None:
    """The table goes on with a flop that had no burn."""
    cards, hand.burns.burned = hand.burns.gone_flop, True
    _in_time(hand, notes, hand.form.street("flop"), cards)
    hand.burns.flop_may_go = True


def _again(hand: Hand, notes: Notes, name: str, cards: tuple[Card, ...]) -> None:
    """The street was told before: by somebody else, in part, for the first board alone, or with other cards."""
    boards = _played(hand)
    new = tuple(card for card in cards if card == UNKNOWN or not any(card in board for board in boards))
    if second_due(hand) and new:
        _second(hand, notes, hand.form.street(name), new)
    else:
        _complete(hand, notes, name, new)


def _complete(hand: Hand, notes: Notes, name: str, cards: Iterable[Card]) -> None:
    """Cards of the street that were missing, or whose faces were."""
    boards, whole = _played(hand), hand.form.board_after(name)
    waits = hand.form.boards > 1 and len(hand.felt.board) < whole
    for card in cards:
        board = next((one for one in boards if len(one) < whole), None)
        unnamed = next((one for one in boards if UNKNOWN in one), None)
        if card == UNKNOWN and board is None:
            continue
        if board is None and unnamed is None and (notes.basis != "rfid" or hand.round.street_actions):
            _out_of_place(hand, notes, (card,))
            continue
        hand.felt.open_cards.add(card)
        if not dealing.shows(hand, notes, card, "board"):
            return
        if board is None and unnamed is not None:
            unnamed[unnamed.index(UNKNOWN)] = card
            continue
        hand.felt.off_deck += 1
        (hand.felt.board if board is None else board).append(card)
        if board is None and name == "flop":
            wrong_board.flop_count(hand, notes, tuple(hand.felt.board))
        elif board is None:
            _further(hand, notes, hand.felt.board, (card,))
    if waits and len(hand.felt.board) >= whole:
        round_start.start_round(hand)


def _told_apart(hand: Hand, name: str, cards: tuple[Card, ...]) -> bool:
    """Somebody tells of a street that lies there which of its cards are on which board, naming both: an
    antenna cannot.
    """
    place = hand.form.places[name]
    before = hand.form.board_after(hand.form.streets[place - 1].name) if place else 0
    street = slice(before, hand.form.board_after(name))
    first, second = hand.felt.boards
    if sorted(cards) != sorted(first[street] + second[street]) or len(first[street]) != len(second[street]):
        return False
    first[street], second[street] = cards[: len(cards) // 2], cards[len(cards) // 2 :]
    return True


def _out_of_place(hand: Hand, notes: Notes, cards: tuple[Card, ...]) -> None:
    hand.felt.open_cards.update(card for card in cards if card != UNKNOWN)
    for card in cards:
        if not dealing.shows(hand, notes, card, BESIDE):
            return
    hand.find(
        notes, "card-out-of-place", "A card came to the board that no street was waiting for.", cards=cards
    )
