"""The room script: its statements, its expectations, and how it is played."""

import re
from collections.abc import Callable, Iterator
from typing import Final, get_args

from tablebridge.engine.games import FORMS as GAMES
from tablebridge.engine.outcome import Outcome
from tablebridge.engine.script.expectations import Check, Expectation
from tablebridge.engine.script.expectations import parse_expectation as parse
from tablebridge.engine.script.reader import Language, Script
from tablebridge.engine.script.runner import Played, Verdict
from tablebridge.engine.script.statements import unknown
from tablebridge.engine.script.tokens import Tokens, split
from tablebridge.room import events as ev
from tablebridge.room.fold import apply
from tablebridge.room.room import Room
from tablebridge.room.tables import Spot
from tablebridge.rulebooks import BOOKS

_TABLE: Final = re.compile(r"[A-Z]{1,3}|[a-z0-9][a-z0-9_-]{0,31}")
"""Capitals in a script; on a floor the name of the site file."""
_SPOT: Final = re.compile(r"([A-Z]{1,3})([1-9]|10)")
_PLACES: Final = re.compile(r"(\d{1,4})-(\d{1,4})", re.ASCII)
_STATEMENT: Final = re.compile(r"^(?:@\S+\s+)?room\b")


def is_room(text: str) -> bool:
    """Whether the first statement of a script is the one of a room."""
    lines = (line.strip() for line in text.removeprefix("\ufeff").split("\n"))
    first = next((line for line in lines if line and not line.startswith("#")), "")
    return _STATEMENT.match(first) is not None


def parse_line(line: str) -> ev.Event:
    """The event of a statement. Raises ScriptError with a sentence saying what was expected."""
    tokens, quoted = split(line)
    name = tokens[0] if tokens else ""
    if name not in STATEMENTS:
        raise unknown("statement of a room", name, STATEMENTS)
    form, taken = STATEMENTS[name]
    rest = Tokens(form, tokens[1:], quoted)
    event = taken(rest)
    rest.end()
    return event


def play(script: Script[ev.Event]) -> Iterator[Played[ev.Event]]:
    """Play the statements one after the other, each as the entry with the number of its line."""
    room = Room()
    for statement in script.statements:
        outcome = apply(room, statement.number, statement.event)
        verdicts = tuple(
            Verdict(expected, expected.expectation.check(room, outcome)) for expected in statement.expected
        )
        yield Played(statement, outcome, verdicts)


# The statements.


def _table(tokens: Tokens) -> str:
    word = tokens.word("a table such as B")
    if _TABLE.fullmatch(word) is None:
        raise tokens.error("a table such as B", word)
    return word


def _spot(tokens: Tokens) -> Spot:
    word = tokens.word("a table and its seat such as B8")
    found = _SPOT.fullmatch(word)
    if found is None:
        raise tokens.error("a table and its seat such as B8", word)
    return found[1], int(found[2])


def _room(tokens: Tokens) -> ev.Event:
    return ev.Open(tokens.choice("a game", GAMES), _size(tokens))


def _size(tokens: Tokens) -> int:
    size = tokens.number("seats of a table", ev.MOST_SEATS)
    if size < 2:
        raise tokens.error("a table of 2 seats or more", str(size))
    return size


def _rules(tokens: Tokens) -> ev.Event:
    return ev.Rules(tokens.choice("a rulebook", BOOKS))


def _house(tokens: Tokens) -> ev.Event:
    key = tokens.choice("a house choice", get_args(ev.HouseKey))
    value = tokens.number("a number")
    if key == "balance" and not value:
        raise tokens.error("a difference of 1 or more", "0")
    return ev.House(key, value)  # type: ignore[arg-type]


def _prizes(tokens: Tokens) -> ev.Event:
    amounts = [tokens.amount("a prize")]
    while tokens:
        amounts.append(tokens.amount("a prize"))
    if len(amounts) > ev.MOST_PRIZES:
        raise tokens.error(f"{ev.MOST_PRIZES} prizes at most")
    return ev.Prizes(tuple(amounts))


def _seated(tokens: Tokens) -> ev.Event:
    table = _table(tokens)
    tokens.choice("seats", ["seats"])
    return ev.Seated(table, tokens.seat_list())


def _sits(tokens: Tokens) -> ev.Event:
    table, seat = _table(tokens), tokens.seat()
    stack = tokens.amount("a stack") if tokens else None
    return ev.Sits(table, seat, tokens.name() if tokens.quotes else "", stack)


def _called(tokens: Tokens) -> ev.Event:
    table, seat = _table(tokens), tokens.seat()
    return ev.Called(table, seat, tokens.name())


def _level(tokens: Tokens) -> ev.Event:
    number = tokens.number("the number of the level", 1_000)
    if not number:
        raise tokens.error("a level from 1 on", "0")
    return ev.Level(number, tokens.stakes() if tokens else None)


def _positions(tokens: Tokens) -> ev.Event:
    table = _table(tokens)
    stood = [None if tokens.took("-") else tokens.seat() for _ in range(3)]
    return ev.Positions(table, *stood)


def _next(tokens: Tokens) -> ev.Event:
    tables = [_table(tokens)]
    while tokens:
        tables.append(_table(tokens))
    return ev.NextHand(tuple(tables))


def _busts(*, joined: bool) -> Callable[[Tokens], ev.Event]:
    def taken(tokens: Tokens) -> ev.Event:
        table = _table(tokens)
        stacks: dict[int, int | None] = {}
        if ":" in tokens.peek():
            stacks.update(tokens.seat_amounts())
        else:
            stacks.update(dict.fromkeys(tokens.seats()))
        return ev.Busts(table, stacks, joined)

    return taken


def _moves(tokens: Tokens) -> ev.Event:
    table, seat = _table(tokens), tokens.seat()
    tokens.choice("to", ["to"])
    return ev.Moves(table, seat, _table(tokens), tokens.seat())


def _hand_for_hand(tokens: Tokens) -> ev.Event:
    return ev.HandForHand(tokens.choice("on or over", ["on", "over"]) == "on")


def _naming(tokens: Tokens) -> ev.Event:
    return ev.Naming(tokens.choice("on or off", ["on", "off"]) == "on")


def _break(tokens: Tokens) -> ev.Event:
    table = _table(tokens)
    return ev.Break(table, tokens.word("a word") if tokens.took("seed") else "")


def _seed(tokens: Tokens) -> ev.Event:
    return ev.Seed(_table(tokens), tokens.word("a word"))


def _seat_cards(tokens: Tokens) -> ev.Event:
    places = [_spot(tokens)]
    while tokens:
        places.append(_spot(tokens))
    return ev.SeatCards(tuple(places))


def _knocks_out(tokens: Tokens) -> ev.Event:
    table, seat = _table(tokens), tokens.seat()
    tokens.choice("by", ["by"])
    return ev.KnocksOut(table, seat, tokens.seats())


STATEMENTS: Final[dict[str, tuple[str, Callable[[Tokens], ev.Event]]]] = {
    form.split()[0]: (form, taken)
    for form, taken in (
        ("room GAME SIZE", _room),
        ("rules RULEBOOK", _rules),
        ("house KEY VALUE", _house),
        ("prizes AMOUNT ...", _prizes),
        ("table TABLE seats LIST", _seated),
        ('sits TABLE SEAT [STACK] ["NAME"]', _sits),
        ('name TABLE SEAT "NAME"', _called),
        ("level NUMBER [SMALL/BIG]", _level),
        ("positions TABLE BUTTON SMALL BIG", _positions),
        ("next TABLE ...", _next),
        ("busts TABLE SEAT ... | SEAT:STACK ...", _busts(joined=False)),
        ("busts-with TABLE SEAT:STACK ...", _busts(joined=True)),
        ("moves TABLE SEAT to TABLE SEAT", _moves),
        ("hand-for-hand on | over", _hand_for_hand),
        ("names-to-tables on | off", _naming),
        ("break TABLE [seed WORD]", _break),
        ("seed TABLE WORD", _seed),
        ("seat-cards PLACE ...", _seat_cards),
        ("draw TABLE SEAT CARD", lambda tokens: ev.Draw(_table(tokens), tokens.seat(), tokens.card())),
        ("bounty AMOUNT", lambda tokens: ev.Bounty(tokens.amount())),
        ("knocks-out TABLE SEAT by SEAT ...", _knocks_out),
        (
            "stack TABLE SEAT AMOUNT",
            lambda tokens: ev.Chips(_table(tokens), {tokens.seat(): tokens.amount()}),
        ),
        (
            "crash running | before-start | late-registration",
            lambda tokens: ev.Crash(tokens.choice("how far the event was", get_args(ev.Crashed))),
        ),
        (
            "offer chop | icm",
            lambda tokens: ev.Offer(tokens.choice("a formula", get_args(ev.Offered))),
        ),
    )
}
"""By their first words: the form, and how the rest becomes an event."""


# The expectations.


def _balance(tokens: Tokens) -> Check:
    wanted = "none"
    if not tokens.took("none"):
        table = _table(tokens)
        seat = "?" if tokens.took("?") else str(tokens.seat())
        tokens.choice("to", ["to"])
        wanted = f"{table} {seat} to {_table(tokens)} {tokens.seat()}"

    def check(room: Room, outcome: Outcome) -> str:
        due = room.balance
        said = "none" if due is None else f"{due.table} {due.seat or '?'} to {due.to} {due.to_seat}"
        return "" if said == wanted else f"balance {said}"

    return check


def _halt(halts: bool) -> Callable[[Tokens], Check]:
    def taken(tokens: Tokens) -> Check:
        table = _table(tokens)

        def check(room: Room, outcome: Outcome) -> str:
            return "" if room.halted(table) is halts else f"{'runs' if halts else 'halt'} {table}"

        return check

    return taken


def _to(tokens: Tokens) -> Check:
    table, seat, place = _table(tokens), tokens.seat(), _spot(tokens)

    def check(room: Room, outcome: Outcome) -> str:
        given = room.new_places.get((table, seat))
        said = "none" if given is None else f"{given[0]}{given[1]}"
        return "" if given == place else f"to {table} {seat} {said}"

    return check


def _final_table(tokens: Tokens) -> Check:
    wanted = None if tokens.took("no") else tokens.number("how many are combined", ev.MOST_SEATS)

    def check(room: Room, outcome: Outcome) -> str:
        return "" if room.final_table == wanted else f"final-table {room.final_table or 'no'}"

    return check


def _place(tokens: Tokens) -> Check:
    spot, wanted = (_table(tokens), tokens.seat()), tokens.number("a place")

    def check(room: Room, outcome: Outcome) -> str:
        return _placed(room, spot, wanted, wanted)

    return check


def _shares(tokens: Tokens) -> Check:
    spot = _table(tokens), tokens.seat()
    word = tokens.word("places such as 3-5")
    found = _PLACES.fullmatch(word)
    if found is None:
        raise tokens.error("places such as 3-5", word)
    first, last = int(found[1]), int(found[2])

    def check(room: Room, outcome: Outcome) -> str:
        return _placed(room, spot, first, last)

    return check


def _placed(room: Room, spot: Spot, first: int, last: int) -> str:
    best, worst = room.places(spot)
    if (best, worst) == (first, last):
        return ""
    name = f"{spot[0]} {spot[1]}"
    if not best:
        return f"place {name} none"
    return f"shares {name} {best}-{worst}" if best != worst else f"place {name} {best}"


def _money(name: str, of: Callable[[Room, Spot], int]) -> Callable[[Tokens], Check]:
    def taken(tokens: Tokens) -> Check:
        spot, wanted = (_table(tokens), tokens.seat()), tokens.amount()

        def check(room: Room, outcome: Outcome) -> str:
            given = of(room, spot)
            return "" if given == wanted else f"{name} {spot[0]} {spot[1]} {given}"

        return check

    return taken


FORMS: Final[dict[str, tuple[str, Callable[[Tokens], Check]]]] = {
    form.split()[0]: (form, taken)
    for form, taken in (
        ("balance TABLE SEAT to TABLE SEAT | none", _balance),
        ("halt TABLE", _halt(True)),
        ("runs TABLE", _halt(False)),
        ("to TABLE SEAT PLACE", _to),
        ("final-table NUMBER | no", _final_table),
        ("place TABLE SEAT PLACE", _place),
        ("shares TABLE SEAT FIRST-LAST", _shares),
        ("prize TABLE SEAT AMOUNT", _money("prize", Room.prize)),
        ("bounty TABLE SEAT AMOUNT", _money("bounty", Room.bounties)),
    )
}


def _expectation(line: str, above: list[Expectation]) -> Expectation:
    return parse(line, above, FORMS)


LANGUAGE: Final[Language[ev.Event]] = Language(parse_line, _expectation)
