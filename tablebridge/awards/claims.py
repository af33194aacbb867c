"""High hands and bad beats: which hands of a record a room's rules pay, and why the others are not paid.

Only cards that lay open count, so nothing is given out here that the table had not seen.

Theory. A hand plays both own cards if no five cards with fewer of them rank as high: a pair in the hand that
the board plays as well does not. In Omaha two own cards always play. A hand is beaten by the highest hand of
those that were shown.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final, Literal

import msgspec

from tablebridge.awards.rules import AwardRules, BadBeat, HighHand, value_of
from tablebridge.engine.showdown.ranking import category, playing, rank
from tablebridge.export.account import Account
from tablebridge.model.cards import UNKNOWN, Card

Kind = Literal["high-hand", "bad-beat"]
_NUMBER_OF_CARDS: Final = 5


class Made(msgspec.Struct, frozen=True):
    """A hand that a seat showed. `cards`: the five that play; `makes`: the word for them; `value`: their
    rank, lower is better.
    """

    seat: int
    player: str
    hole: tuple[Card, ...]
    cards: tuple[str, ...]
    makes: str
    value: int
    both_cards: bool


class Claim(msgspec.Struct, frozen=True):
    """A hand that is high enough for a rule. `why_not`: what of the rule does not hold, empty if it is paid;
    `entries`: the records of its first and last event; `beaten_by`: of a bad beat, the hand that won.
    """

    rule: str
    kind: Kind
    table: str
    hand: int
    began_wall_ns: int
    ended_wall_ns: int
    entries: tuple[int, int]
    game: str
    pot: int
    dealt_in: tuple[int, ...]
    board: tuple[Card, ...]
    made: Made
    beaten_by: Made | None
    why_not: tuple[str, ...]
    findings: tuple[str, ...]
    rulings: tuple[str, ...]

    @property
    def is_paid(self) -> bool:
        """Whether every condition of the rule holds."""
        return not self.why_not


def claims(rules: AwardRules, accounts: Iterable[Account]) -> Iterator[Claim]:
    """The claims of the hands, in order: of all rules, the paid and the others."""
    for account in accounts:
        if account.state != "over":
            continue
        account = account.public()
        for high in rules.high_hands:
            if account.form.name in high.games:
                yield from _high_hands(high, account)
        for beat in rules.bad_beats:
            if account.form.name in beat.games:
                yield from _bad_beats(beat, account)


def best(found: Iterable[Claim]) -> dict[str, list[Claim]]:
    """By rule the paid high hand that is the highest, several if they are equal."""
    by_rule: dict[str, list[Claim]] = {}
    for claim in found:
        if claim.kind == "high-hand" and claim.is_paid:
            by_rule.setdefault(claim.rule, []).append(claim)
    return {
        name: [claim for claim in several if claim.made.value == min(other.made.value for other in several)]
        for name, several in by_rule.items()
    }


def shares(rule: BadBeat, claim: Claim, jackpot: int) -> dict[int, int]:
    """What each seat gets of the jackpot, cut down to the whole unit; what is left over goes to the loser.

    Without others at the table their share is the loser's too. Raises ValueError for a claim that is not
    paid, or is of no bad beat.
    """
    if claim.beaten_by is None or not claim.is_paid:
        raise ValueError(f"hand {claim.hand} is not paid by {rule.name}")
    loser, winner = claim.made.seat, claim.beaten_by.seat
    others = [seat for seat in claim.dealt_in if seat not in (loser, winner)]
    paid = {seat: jackpot * rule.table // 100 // len(others) for seat in others}
    paid[winner] = jackpot * rule.winner // 100
    paid[loser] = jackpot - sum(paid.values())
    return dict(sorted(paid.items()))


def _high_hands(rule: HighHand, account: Account) -> Iterator[Claim]:
    least = value_of(rule.least)
    for made in _shown(account):
        if made.value <= least:
            why = [*_conditions(rule, account, made)]
            if rule.showdown and len(account.shown) < 2:
                why.append("the pot was won without a showdown")
            yield _claim(rule, "high-hand", account, made, None, why)


def _bad_beats(rule: BadBeat, account: Account) -> Iterator[Claim]:
    least = value_of(rule.beaten)
    shown = [made for made in _shown(account) if made.seat in account.shown]
    if len(shown) < 2:
        return
    winner = min(shown, key=lambda made: made.value)
    beaten = [made for made in shown if winner.value < made.value <= least]
    # Of several the highest loses the most.
    for made in sorted(beaten, key=lambda made: made.value)[:1]:
        why = [*_conditions(rule, account, made)]
        why += [f"the winner's hand: {text}" for text in _of_hand(rule, account, winner)]
        yield _claim(rule, "bad-beat", account, made, winner, why)


def _conditions(rule: HighHand | BadBeat, account: Account, made: Made) -> Iterator[str]:
    pot = _pot(account)
    if pot < rule.least_pot:
        yield f"the pot of {pot} is below {rule.least_pot}"
    if len(account.order) < rule.least_seats:
        yield f"{len(account.order)} players were dealt in, not {rule.least_seats}"
    if account.first_board and not rule.run_twice:
        yield "the hand has two boards"
    if account.incomplete:
        yield "the hand was closed with questions open"
    yield from _of_hand(rule, account, made)


def _of_hand(rule: HighHand | BadBeat, account: Account, made: Made) -> Iterator[str]:
    if rule.both_cards and not made.both_cards:
        yield "not both own cards play"
    pair = len({card[0] for card in made.hole}) < len(made.hole)
    if rule.pair_for_four and made.makes == "four" and account.form.rankings[0] == "high" and not pair:
        yield "four of a kind without a pair in the hand"


def _shown(account: Account) -> Iterator[Made]:
    """The hands that lie open as a whole, of the seats that were live to the end."""
    ranking = account.form.rankings[0]
    boards: list[tuple[Card, ...]] = [board for board in account.boards if len(board) == _NUMBER_OF_CARDS]
    for seat in account.order:
        hole = account.holes[seat]
        if seat not in account.live or not hole or UNKNOWN in hole:
            continue
        for board in boards or [()]:
            if UNKNOWN in board or len({*hole, *board}) < _NUMBER_OF_CARDS or len(hole) + len(board) > 9:
                continue
            cards = playing(ranking, hole, board)
            value = rank(ranking, hole, board)
            if value is None:
                continue
            yield Made(
                seat,
                account.names.get(seat, ""),
                hole,
                cards,
                category("high", cards),
                value,
                _plays_both(ranking, hole, board, value),
            )


def _plays_both(ranking: str, hole: Sequence[Card], board: Sequence[Card], value: int) -> bool:
    """Whether no hand with fewer of the own cards ranks as high. True for games without a board."""
    if ranking != "high" or len(board) != _NUMBER_OF_CARDS:
        return True
    fewer = [rank("high", (own, *four)) for own in hole for four in combinations(board, 4)]
    fewer.append(rank("high", board))
    return all(other is not None and other > value for other in fewer)


def _pot(account: Account) -> int:
    """What was in the middle at the end."""
    return max((step.pot for step in account.steps), default=0)


def _claim(
    rule: HighHand | BadBeat,
    kind: Kind,
    account: Account,
    made: Made,
    beaten_by: Made | None,
    why: Sequence[str],
) -> Claim:
    return Claim(
        rule.name,
        kind,
        account.table,
        account.number,
        account.began.wall_ns,
        account.ended.wall_ns,
        account.entries,
        account.form.name,
        _pot(account),
        account.order,
        account.board,
        made,
        beaten_by,
        tuple(why),
        tuple(" ".join(filter(None, (found.finding, found.cause, found.rule))) for found in account.findings),
        account.ruling_lines(),
    )
