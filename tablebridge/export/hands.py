"""Hands of a table as PHH: every hand that came to an end is written down as it was ruled.

PHH knows actions in turn only, so they stand as `turns.py` orders them. A hand that was void is no hand; one
that was closed without its end being known says so in `_incomplete`.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from math import inf
from typing import Any, Final

from tablebridge.engine.games import Street
from tablebridge.export.account import Account, accounts
from tablebridge.export.phh import VARIANTS, PhhHand
from tablebridge.export.turns import in_turn
from tablebridge.model import events as ev
from tablebridge.model.cards import UNKNOWN, Card, face
from tablebridge.model.instant import Instant

_ACTIONS: Final = {"fold": "f", "check": "cc", "call": "cc", "bring-in": "pb"}


def hands_of(entries: Iterable[ev.Entry], name: str = "table") -> Iterator[PhhHand]:
    """The hands that ended, in order. `entries`: all of one table from the first on, corrections included."""
    return (
        phh_of(account)
        for account in accounts(entries, name)
        if account.state == "over" and not cannot(account)
    )


def cannot(account: Account) -> str:
    """Why PHH cannot hold this hand; empty if it can."""
    if account.form.name not in VARIANTS:
        return f"PHH has no variant for the game {account.form.name}"
    if account.state == "void":
        return "it was void and dealt again"
    if account.given_up:
        return "a bet was given up, for which PHH has no action"
    if account.first_board:
        return "PHH has no second board"
    if account.bomb:
        return "PHH has no hand without betting before the flop"
    if account.state == "over" and all(step.deed in ("ante", "bb-ante", "blind") for step in account.steps):
        return "nothing was done in it"
    return ""


def phh_of(account: Account) -> PhhHand:
    """A hand as PHH. Raises ValueError for one that PHH cannot hold."""
    if why := cannot(account):
        raise ValueError(f"hand {account.number} cannot be written: {why}")
    form, stakes, order = account.form, account.stakes, account.order
    timed = list(_actions(account))
    names = account.names
    limit = form.limit == "limit"
    extra = {step.seat: step.put for step in account.steps if step.deed == "bb-ante"}
    blinds = {account.positions.small: stakes.small, account.positions.big: stakes.big}
    posted = [max(blinds.get(seat, 0), account.blind_bets.get(seat, 0)) for seat in order]
    antes = [stakes.ante + extra.get(seat, 0) for seat in order]
    if len(order) == 2:
        # Heads-up blinds and antes stand in the other order than the players.
        posted.reverse()
        antes.reverse()
    whole = account.state == "over" and account.known_stacks.issuperset(order)
    return PhhHand(
        variant=VARIANTS[form.name],
        ante_trimming_status=not stakes.bb_ante,
        antes=tuple(antes),
        blinds_or_straddles=tuple(posted) if form.button else (),
        min_bet=None if limit else max(stakes.big, 1),
        small_bet=stakes.small_bet if limit else None,
        big_bet=stakes.big_bet if limit else None,
        starting_stacks=tuple(account.start[seat] if seat in account.known_stacks else inf for seat in order),
        finishing_stacks=tuple(account.finish[seat] for seat in order) if whole else None,
        actions=tuple(action for _, action in timed),
        seats=order,
        players=tuple(names.get(seat, "") for seat in order) if names else (),
        other=_other(account, [at for at, _ in timed]),
    )


def utc(at: Instant) -> str:
    """ISO 8601 in UTC, to the millisecond."""
    return (
        datetime.fromtimestamp(at.wall_ns / 1e9, UTC)
        .isoformat(timespec="milliseconds")
        .replace("+00:00", "Z")
    )


def _other(account: Account, times: Sequence[Instant]) -> dict[str, Any]:
    """The fields that PHH does not ask for; those that it leaves to users begin with `_`."""
    other: dict[str, Any] = {"hand": account.number, "table": account.table}
    if not account.form.button:
        other["bring_in"] = account.stakes.bring_in
    findings = [
        " ".join(
            filter(
                None,
                (
                    finding.finding,
                    finding.cause,
                    f"seat {finding.seat}" if finding.seat else "",
                    f"rule {finding.rule}" if finding.rule else "",
                ),
            )
        )
        for finding in account.findings
    ]
    for field, value in (
        ("_burns", [UNKNOWN if card == UNKNOWN else face(card) for card in account.burns]),
        ("_findings", findings),
        ("_rulings", list(account.ruling_lines())),
        ("_incomplete", list(account.incomplete)),
        ("_running", account.state == "running"),
        ("_untold", account.untracked),
        ("_rake", _rake(account)),
    ):
        if value:
            other[field] = value
    began = account.began
    other |= {
        "_rulebook": account.rulebook,
        "_began": utc(began),
        "_ended": utc(account.ended),
        "_times": [round((at.wall_ns - began.wall_ns) / 1e9, 3) for at in times],
    }
    return other


def _rake(account: Account) -> int:
    """What the house took: the chips that no stack has at the end."""
    if account.state != "over" or not account.known_stacks.issuperset(account.order):
        return 0
    return sum(account.start[seat] - account.finish[seat] for seat in account.order)


def _actions(account: Account) -> Iterator[tuple[Instant, str]]:
    """The actions, each with its time. The initial deal has that of the hand's beginning: PHH has it whole
    and first.
    """
    player = {seat: f"p{number}" for number, seat in enumerate(account.order, 1)}
    for seat in account.order:
        yield account.began, f"d dh {player[seat]} {_text(account.first_holes[seat])}"
    out: set[int] = set()
    for play in in_turn(account):
        if play.what == "street":
            left = [seat for seat in account.order if seat not in out]
            yield from ((play.at, action) for action in _dealt(account, play.street, left, player))
            continue
        who = player[play.seat]
        match play.what:
            case "fold":
                out.add(play.seat)
                yield play.at, f"{who} f"
            case "show":
                # What comes to an open hand later is dealt to it later.
                cards = account.holes[play.seat][
                    : account.form.cards_after(account.form.streets[play.street].name)
                ]
                yield play.at, f"{who} sm {_text(cards)}"
            case "muck":
                yield play.at, f"{who} sm"
            case what:
                yield play.at, f"{who} {_ACTIONS.get(what, f'cbr {play.total}')}"


def _dealt(account: Account, place: int, left: Sequence[int], player: dict[int, str]) -> Iterator[str]:
    """What the dealer gives out for a street: to the board, or to the seats that are left."""
    street: Street = account.form.streets[place]
    if street.board:
        yield f"d db {_text(_filled(account.board_of(place), street.board))}"
    drawn = {seat: account.draws.get((place, seat), ((), ())) for seat in left} if street.draw else {}
    for seat, (gone, _) in drawn.items():
        yield f"{player[seat]} sd {_text(gone)}".rstrip()
    for seat, (_, came) in drawn.items():
        if came:
            yield f"d dh {player[seat]} {_text(came)}"
    if street.down + street.up:
        first = account.form.cards_after(account.form.streets[place - 1].name)
        for seat in left:
            cards = account.holes[seat][first : first + street.down + street.up]
            yield f"d dh {player[seat]} {_text(_filled(cards, street.down + street.up))}"


def _filled(cards: Sequence[Card], count: int) -> Sequence[Card]:
    return (*cards, *[UNKNOWN] * (count - len(cards)))


def _text(cards: Iterable[Card]) -> str:
    return "".join(face(card) for card in cards)
