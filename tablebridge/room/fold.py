"""One entry, one step: what an event does to the room, and the duties that hold after it.

A wrong fact is never refused by half: an event that names a table or a seat that is not there changes
nothing, and the outcome says why.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from tablebridge.engine.games import FORMS as GAMES
from tablebridge.engine.outcome import Outcome
from tablebridge.model.events import Basis
from tablebridge.model.findings import Arg
from tablebridge.room import breaking, money, seating
from tablebridge.room import events as ev
from tablebridge.room.room import Room, Wrong
from tablebridge.room.tables import Player, SeatedTable, Tables
from tablebridge.rulebooks import BOOKS


def apply(room: Room, entry: int, event: ev.Event, basis: Basis = "script") -> Outcome:
    """Take one event. It never raises, whatever the event and the state."""
    room.begin(entry, basis)
    try:
        _HANDLERS[type(event)](room, event)
    except Wrong as wrong:
        return Outcome(ignored=str(wrong))
    if not isinstance(event, _SEATS_NOBODY):
        _say_what_is_due(room)
    return Outcome(tuple(room.findings))


_SEATS_NOBODY: Final = (ev.Chips, ev.Called, ev.Level, ev.Prizes, ev.Bounty, ev.Seed)
"""No duty follows from these: they come often, and a duty is looked for at all tables."""

# The events.


def _open(room: Room, event: ev.Open) -> None:
    if room.tables.tables:
        raise Wrong("The room has tables already.")
    room.tables = Tables(event.size, stud=not GAMES[event.game].button)


def _rules(room: Room, event: ev.Rules) -> None:
    if event.rulebook not in BOOKS:
        raise Wrong(f"No rulebook is called {event.rulebook}.")
    room.book = BOOKS[event.rulebook]


def _house(room: Room, event: ev.House) -> None:
    room.choices[event.key] = event.value


def _set_prizes(room: Room, event: ev.Prizes) -> None:
    if list(event.amounts) != sorted(event.amounts, reverse=True):
        raise Wrong("Prizes do not grow from place to place: name the first place first.")
    room.named_prizes = event.amounts


def _seat(room: Room, event: ev.Seated) -> None:
    if event.table in room.tables.tables:
        raise Wrong(f"Table {event.table} is there already.")
    if len(room.tables.tables) >= ev.MOST_TABLES:
        raise Wrong(f"A room has {ev.MOST_TABLES} tables at most.")
    beyond = [seat for seat in event.seats if seat > room.tables.size]
    if beyond:
        raise Wrong(f"A table of this room has {room.tables.size} seats: there is no seat {beyond[0]}.")
    players = {seat: Player() for seat in event.seats}
    room.tables.tables[event.table] = SeatedTable(event.table, players)


def _sit(room: Room, event: ev.Sits) -> None:
    room.free(event.table, event.seat)
    room.unknown(event.name)
    room.tables.sit((event.table, event.seat), Player(event.name, event.stack))


def _call(room: Room, event: ev.Called) -> None:
    if room.seated(event.table, event.seat).name != event.name:
        room.unknown(event.name)
        room.tables.call((event.table, event.seat), event.name)


def _begin_level(room: Room, event: ev.Level) -> None:
    if event.number < room.level:
        raise Wrong(f"Level {room.level} is being played: a level does not go back to {event.number}.")
    if event.number != room.level or event.stakes is not None:
        room.stakes = event.stakes
    room.level = event.number


def _position(room: Room, event: ev.Positions) -> None:
    table = room.table(event.table)
    if event.small is not None and event.small == event.big:
        raise Wrong("The small and the big blind stand at two seats.")
    table.button, table.small, table.big = event.button, event.small, event.big


def _next_hand(room: Room, event: ev.NextHand) -> None:
    for table in [room.table(name) for name in event.tables]:
        table.begin_hand(room.tables.size)


def _busts(room: Room, event: ev.Busts) -> None:
    if event.joined and not (room.hand_for_hand and room.last_out):
        raise Wrong("Only in hand-for-hand seats of two tables are out in the same hand.")
    players = [(seat, room.seated(event.table, seat)) for seat in event.stacks]
    if not event.joined:
        room.last_out, room.before = [], room.tables.left
    for seat, player in players:
        _leaves(room, event.table, seat, player, event.stacks[seat])
    _place(room)


def _knocked_out(room: Room, event: ev.KnocksOut) -> None:
    player = room.seated(event.table, event.seat)
    winners = [room.seated(event.table, seat) for seat in event.winners]
    if event.seat in event.winners:
        raise Wrong(f"Seat {event.seat} cannot win the pot that puts it out.")
    room.last_out, room.before = [], room.tables.left
    _leaves(room, event.table, event.seat, player, None)
    for winner in winners:
        winner.won += room.bounty // len(winners)
    _place(room)


def _moves(room: Room, event: ev.Moves) -> None:
    room.seated(event.table, event.seat)
    room.free(event.to, event.to_seat)
    room.tables.sit((event.to, event.to_seat), room.tables.rise((event.table, event.seat)))


def _play_hand_for_hand(room: Room, event: ev.HandForHand) -> None:
    room.hand_for_hand = event.on


def _bring_names(room: Room, event: ev.Naming) -> None:
    room.brings_names = event.on


def _broken(room: Room, event: ev.Break) -> None:
    table = room.table(event.table)
    if not table.players:
        raise Wrong(f"Nobody sits at table {event.table}.")
    promised = room.seeds.get(event.table, event.seed)
    if event.seed and event.seed != promised:
        raise Wrong(f"Table {event.table} is drawn from the seed {promised}, which is on record.")
    room.seeds.pop(event.table, None)
    room.broken, room.seat_cards, room.dealt = event.table, (), {}
    room.find(event.table, "break", args={"table": event.table})
    if event.seed:
        room.seat_cards, room.dealt = breaking.drawn(event.seed, room.tables, event.table)
        _give_places(room)


def _promise(room: Room, event: ev.Seed) -> None:
    if not room.table(event.table).players:
        raise Wrong(f"Nobody sits at table {event.table}.")
    if event.table in room.seeds:
        raise Wrong(f"The seed of table {event.table} is on record already: {room.seeds[event.table]}.")
    room.seeds[event.table] = event.seed


def _seat_cards(room: Room, event: ev.SeatCards) -> None:
    _is_breaking(room)
    for name, seat in event.places:
        if seat > room.tables.size or seat in room.table(name).players or name == room.broken:
            raise Wrong(f"Seat {seat} of table {name} is not empty.")
    if len(set(event.places)) != len(event.places):
        raise Wrong("Two seat cards name the same seat.")
    room.seat_cards = event.places
    _give_places(room)


def _draw(room: Room, event: ev.Draw) -> None:
    _is_breaking(room)
    room.seated(event.table, event.seat)
    if event.table != room.broken:
        raise Wrong(f"Table {room.broken} is being broken, not table {event.table}.")
    if event.card not in breaking.CARDS or event.card in room.dealt.values():
        raise Wrong("The playing card of a seat is a face, and each is dealt once.")
    room.dealt[event.seat] = event.card
    _give_places(room)


def _put_bounty(room: Room, event: ev.Bounty) -> None:
    room.bounty = event.amount


def _count_chips(room: Room, event: ev.Chips) -> None:
    players = [(room.seated(event.table, seat), stack) for seat, stack in event.stacks.items()]
    for player, stack in players:
        player.stack = stack


def _crash(room: Room, event: ev.Crash) -> None:
    if event.state == "before-start":
        return
    stacks = _stacks(room)
    in_the_money = event.state == "running" and len(stacks) <= len(room.prizes)
    _pay(room, (money.chop if in_the_money else money.half_by_chips)(room.prizes, stacks))


def _offer(room: Room, event: ev.Offer) -> None:
    stacks = _stacks(room)
    if event.formula == "icm" and len(stacks) > money.MOST_IN_A_DEAL:
        raise Wrong(f"The chip model is computed for {money.MOST_IN_A_DEAL} players at most.")
    room.offered = event.formula
    _pay(room, (money.chop if event.formula == "chop" else money.icm)(room.prizes, stacks))
    room.find(next(iter(room.tables.tables)), "deal-offer", args={"players": len(stacks)})


def _leaves(room: Room, table: str, seat: int, player: Player, stack: int | None) -> None:
    room.offered = ""
    room.tables.go_out((table, seat))
    room.last_out.append(((table, seat), player, stack))


def _place(room: Room) -> None:
    """The places of those who went out in the last hand: more chips at its start, a better place."""
    shared = room.hand_for_hand
    order = sorted(room.last_out, key=lambda out: -(out[2] or 0))
    for spot, player, stack in order:
        same = [number for number, other in enumerate(order) if shared or other[2] == stack]
        first = room.before - len(order) + 1
        player.first, player.last = first + min(same), first + max(same)
        equal = player.first != player.last
        room.find(
            spot[0],
            "eliminated",
            "shared" if equal else "",
            args={"table": spot[0], "first": player.first, "last": player.last},
            seat=spot[1],
            case="hand-for-hand" if shared else "equal" if equal else "",
        )


def _give_places(room: Room) -> None:
    """The new places, once every player of the table has a playing card and there is a seat for each."""
    seats = room.tables.tables[room.broken].players
    if seats.keys() == room.dealt.keys() and len(room.seat_cards) >= len(seats):
        given = breaking.places(room.seat_cards, room.dealt)
        room.new_places.update({(room.broken, seat): spot for seat, spot in given.items()})


def _is_breaking(room: Room) -> None:
    if not room.broken:
        raise Wrong("No table is being broken.")


def _stacks(room: Room) -> Sequence[int]:
    """The stacks of all who are left."""
    playing = list(room.tables.playing())
    if not playing:
        raise Wrong("Nobody is left.")
    if not room.prizes:
        raise Wrong("Nobody named the prizes.")
    missing = [spot for spot, player in playing if player.stack is None]
    if missing:
        name, seat = missing[0]
        raise Wrong(f"The stack of seat {seat} of table {name} is not known.")
    return [player.stack or 0 for _, player in playing]


def _pay(room: Room, amounts: Sequence[int]) -> None:
    for (_, player), amount in zip(room.tables.playing(), amounts, strict=True):
        player.prize = amount


# What is due.


def _say_what_is_due(room: Room) -> None:
    """Each duty is found once, when it begins to hold."""
    due: set[tuple[object, ...]] = set()
    if (move := room.balance) is not None:
        due.add(("balance", move))
        if ("balance", move) not in room.announced:
            args: dict[str, Arg] = {"table": move.table, "to": move.to, "place": move.to_seat}
            text = "" if move.seat is not None else "floor"
            room.find(move.table, "balance", text, args=args, seat=move.seat)
    if (number := room.final_table) is not None:
        due.add(("final-table", number))
        if ("final-table", number) not in room.announced:
            room.find(next(iter(room.tables.tables)), "final-table", args={"count": number})
    room.announced = due
    if room.book.rule("halt") is not None:
        largest = max((len(table.players) for table in room.tables.tables.values()), default=0)
        for table in room.tables.tables.values():
            if table.halted or largest - len(table.players) >= seating.SHORT:
                _judge_halt(room, table, largest)


def _judge_halt(room: Room, table: SeatedTable, largest: int) -> None:
    before, table.halted = table.halted, seating.halts(table, room.tables.size, largest)
    if table.halted and table.halted != before:
        room.find(table.name, "halt", args={"table": table.name}, cause=table.halted)
    elif before == "blinds" and not table.halted:
        room.find(table.name, "halt", args={"table": table.name}, cause="over")


_HANDLERS: Final[dict[type[Any], Callable[[Room, Any], None]]] = {
    ev.Open: _open,
    ev.Rules: _rules,
    ev.House: _house,
    ev.Prizes: _set_prizes,
    ev.Seated: _seat,
    ev.Sits: _sit,
    ev.Called: _call,
    ev.Level: _begin_level,
    ev.Positions: _position,
    ev.NextHand: _next_hand,
    ev.Busts: _busts,
    ev.Moves: _moves,
    ev.HandForHand: _play_hand_for_hand,
    ev.Break: _broken,
    ev.Seed: _promise,
    ev.SeatCards: _seat_cards,
    ev.Draw: _draw,
    ev.Bounty: _put_bounty,
    ev.KnocksOut: _knocked_out,
    ev.Chips: _count_chips,
    ev.Crash: _crash,
    ev.Offer: _offer,
    ev.Naming: _bring_names,
}
