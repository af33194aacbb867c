"""What the table waits for the floor to decide, with the rulings that end the waiting.

Theory. A finding that calls the floor stops the table until a ruling. Which rulings can be meant follows from
what lies on the table; each is tried on a copy of the table and offered only if it ends the waiting and
raises no question of its own. What it would change is read off that copy, so that a choice promises nothing
but what the engine will do.

| on the table | offered |
| --- | --- |
| any question | play on |
| the hand is void | the misdeal stands, or it is overruled and the hand goes on |
| the hand is under way | misdeal |
| more cards on the board than the street has | each of the street's open cards as the burn |
| an undercall of the seat to act | a full call, or a fold that forfeits the chips |
| words and chips contradict, a thing without value | a call; the chips, or what was said; all-in |
| chips behind an all-in | that they are part of it, or not |
| the finding names a live seat | its hand is dead; it may call or fold and not raise |
| the finding names a seat that was folded or killed | its hand is live |
"""

from collections.abc import Iterator
from typing import Final, Literal

from tablebridge.engine import expect
from tablebridge.engine.chips import behind
from tablebridge.engine.hand import Hand
from tablebridge.engine.script.writer import line_of
from tablebridge.engine.table import Table
from tablebridge.model.cards import spoken
from tablebridge.model.events import Entry, Ruling
from tablebridge.model.findings import Finding
from tablebridge.model.instant import START
from tablebridge.model.views import Choice, Question

_MOST: Final = 4
_ABOUT_AN_ACT: Final = ("skipped-player", "invalid-declaration", "out-of-turn", "undercall", "string-bet")
_FIXED: Final = ("contradictory-bet", "token-bet", "all-in-not-all-in")
"""Findings after which the floor fixes a bet."""


def questions(table: Table) -> tuple[Question, ...]:
    """A question for each finding that the floor is asked about, at most the newest four."""
    return tuple(Question(finding.id, _choices(table, finding)) for finding in table.asked[-_MOST:])


def _choices(table: Table, finding: Finding) -> tuple[Choice, ...]:
    hand = table.hand
    assert hand is not None
    return tuple(
        choice
        for ruling, sentence in dict(_candidates(hand, finding)).items()
        if (choice := _tried(table, ruling, sentence)) is not None
    )


def _candidates(hand: Hand, finding: Finding) -> Iterator[tuple[Ruling, str]]:
    """The rulings that can be meant, in the order in which they are offered."""
    if hand.over:
        yield Ruling("misdeal"), "The misdeal stands"
        yield Ruling("play-on"), "No misdeal: play on"
        return
    due = hand.form.board_after(hand.street) if hand.street in hand.form.places else hand.form.board
    for board in hand.felt.boards:
        if len(board) > due:
            before = max(
                (
                    hand.form.board_after(street.name)
                    for street in hand.form.streets
                    if hand.form.board_after(street.name) < due
                ),
                default=0,
            )
            for card in board[before:]:
                if card in hand.felt.open_cards:
                    yield Ruling("burn", card=card), f"The {spoken(card)} is the burn"
    seat = finding.seat
    if hand.bindings.undercall is not None and hand.bindings.undercall[0] == hand.round.to_act == seat:
        yield Ruling("call", seat), f"Seat {seat} must make it a full call"
        yield Ruling("fold", seat), f"Seat {seat} folds and forfeits the chips"
    if finding.finding in _FIXED and seat is not None and seat in hand.live:
        yield from _amounts(hand, finding, seat)
    yield Ruling("play-on"), "Play on as it is"
    if seat in hand.live:
        if finding.finding in _ABOUT_AN_ACT and seat not in hand.bindings.no_raise:
            yield Ruling("passive", seat), f"Seat {seat} may call or fold, not raise"
        yield Ruling("dead", seat), f"Seat {seat}'s hand is dead"
    elif seat is not None and seat in hand.felt.cards:
        yield Ruling("live", seat), f"Seat {seat}'s hand is live"
    yield Ruling("misdeal"), "Misdeal"


def _amounts(hand: Hand, finding: Finding, seat: int) -> Iterator[tuple[Ruling, str]]:
    """The amounts at which the floor can fix the bet of a seat, the least first."""
    chips, current = hand.chips, hand.round.current
    kind: Literal["bet", "raise"] = "raise" if current else "bet"
    if finding.finding == "all-in-not-all-in":
        if not behind.may_be_ruled(hand, seat):
            return
        bet = chips.bet[seat]
        yield Ruling("bet", seat, amount=bet), f"The chips behind seat {seat} are no part of its all-in"
        whole = bet + chips.behind[seat]
        yield Ruling("bet", seat, amount=whole), f"Seat {seat} is all-in with what lay behind"
        return
    if seat != hand.round.to_act:
        return
    if current > chips.bet[seat]:
        yield Ruling("call", seat), f"Seat {seat} calls"
    said, put = finding.args.get("said"), finding.args.get("chips")
    amounts = [amount for amount in (put, said) if isinstance(amount, int) and amount > current]
    if finding.finding == "token-bet":
        amounts = [chips.whole(seat)] if chips.known(seat) else []
    for amount in amounts:
        yield Ruling(kind, seat, amount=amount), f"Seat {seat} has put in {amount}"


def _tried(table: Table, ruling: Ruling, sentence: str) -> Choice | None:
    """The choice, if the ruling ends the waiting; what follows from it, in words."""
    after = table.copy()
    after.apply(Entry(table.next_entry(), START, ruling))
    if after.asked:
        return None
    changes = []
    if after.pot != table.pot:
        changes.append(f"pot {table.pot} → {after.pot}")
    if after.street == "void":
        changes.append("all bets are back")
    dead = sorted(set(table.live) - set(after.live)) if after.street != "void" else []
    changes += [f"seat {seat} is out" for seat in dead]
    then = expect.sentence(after.hand).removeprefix("Stop: ")
    changes.append(then[:1].lower() + then[1:])
    return Choice(
        line_of(ruling),
        sentence,
        "; ".join(changes),
        pot=after.pot,
        stacks={seat: after.stack(seat) for seat in table.seats if after.stack(seat) != table.stack(seat)},
        out=tuple(dead),
        to_act=after.acting,
        board=after.board if after.board != table.board else None,
    )
