"""Events as lines of table script: the inverse of `parse_line`. What the language has no word for becomes a
comment.
"""

from collections.abc import Callable
from itertools import groupby
from typing import Any, Final

from tablebridge.model import blind_events as blind
from tablebridge.model import chip_events as chip
from tablebridge.model import clock_events as timed
from tablebridge.model import conduct_events as deed
from tablebridge.model import events as ev
from tablebridge.model import house_events as house
from tablebridge.model import key_events as key
from tablebridge.model import request_events as ask
from tablebridge.model import seat_events as sit
from tablebridge.model import shuffle_events as shuffling
from tablebridge.model.cards import UNKNOWN, Card

Show = Callable[[Card], str]


def line_of(event: ev.TableEvent, hide: Callable[[Card], bool] | None = None) -> str:
    """The line of an event, without a time. Cards for which `hide` is true are written `??`.

    `parse_line` gives the same event again, but for hidden faces. Corrections, doubts and reports of
    devices, which are no statements, are written as comments.
    """

    def show(card: Card) -> str:
        return UNKNOWN if hide is not None and hide(card) else card

    if isinstance(event, ev.Amend):
        return f"# entry {event.entry} is instead: {line_of(event.instead, hide)}{_why(event.note)}"
    if isinstance(event, ev.Insert):
        return f"# before entry {event.entry}: {line_of(event.inserted, hide)}{_why(event.note)}"
    return _LINES[type(event)](event, show)


def _why(note: str) -> str:
    """Why a correction was made, behind it."""
    return f" ({note})" if note else ""


def _in_doubt(event: ev.InDoubt, show: Show) -> str:
    read = ("read", event.read) if event.read else ()
    return _joined("in-doubt", event.seat or "", *read, "over" if event.over else "")


def _joined(*parts: object) -> str:
    return " ".join(str(part) for part in parts if part != "")


def _chips(chips: tuple[int, ...]) -> str:
    """The chips in the order given: (100, 100, 1000) is `2x100+1000`."""
    runs = [(value, len(list(run))) for value, run in groupby(chips)]
    return "+".join(str(value) if count == 1 else f"{count}x{value}" for value, count in runs) or "0x1"


def _seat_list(seats: tuple[int, ...]) -> str:
    if len(seats) > 2 and seats == tuple(range(seats[0], seats[-1] + 1)):
        return f"{seats[0]}-{seats[-1]}"
    return _joined(*seats)


def _stakes(stakes: tuple[int, int]) -> str:
    return f"{stakes[0]}/{stakes[1]}"


def _game(event: ev.Game, show: Show) -> str:
    return _joined(
        "game", event.game, _stakes(event.stakes), f"blinds {_stakes(event.blinds)}" if event.blinds else ""
    )


def _stacks(event: ev.Stacks, show: Show) -> str:
    if event.by_seat:
        return _joined("stacks", *(f"{seat}:{amount}" for seat, amount in event.by_seat.items()))
    return _joined("stacks", 0 if event.everyone is None else event.everyone)


def _shuffler(event: ev.Shuffler, show: Show) -> str:
    return _joined(
        "shuffler", event.report, "" if event.count is None else event.count, *map(show, event.cards)
    )


def _deal(event: ev.Deal, show: Show) -> str:
    return _joined(
        "deal",
        event.seat,
        show(event.card),
        "up" if event.up else "",
        "exposed" if event.exposed else "",
        "boxed" if event.boxed else "",
    )


def _ruling(event: ev.Ruling, show: Show) -> str:
    said = event.amount if event.card is None else show(event.card)
    return _joined("ruling", event.ruling, event.seat or "", "" if said is None else said)


def _say(event: ev.Say, show: Show) -> str:
    # A quotation mark or a line break cannot stand in the quoted words.
    plain = " ".join(event.words.replace('"', "'").splitlines())
    return f'say {event.seat} "{plain}"'


def _order(event: ev.Directed, show: Show) -> str:
    what = event.choice or (str(event.seat) if event.seat else "")
    return f"# director: {event.order}{what and f' {what}'}"


def _device(event: ev.DeviceState, show: Show) -> str:
    gap = f", {event.gap} readings lost" if event.gap else ""
    unknown = f", found {event.unknown}" if event.unknown else ""
    if event.health:
        antenna = "" if event.antenna is None else f" antenna {event.antenna}"
        return f"# device {event.device}{antenna} {event.health}{event.detail and f': {event.detail}'}"
    return f"# device {event.device} {event.state}{gap}{unknown}"


def _doubt(event: ev.Doubt, show: Show) -> str:
    places = ", ".join(f"{place} {odds:.0%}" for place, odds in event.odds.items())
    return f"# doubt where {show(event.card)} is: {places}"


def _bare(word: str) -> Callable[[Any, Show], str]:
    return lambda event, show: word


def _seat(word: str) -> Callable[[Any, Show], str]:
    return lambda event, show: f"{word} {event.seat}"


def _card(word: str) -> Callable[[Any, Show], str]:
    return lambda event, show: f"{word} {show(event.card)}"


def _amount(word: str) -> Callable[[Any, Show], str]:
    return lambda event, show: f"{word} {event.amount}"


def _seat_amount(word: str) -> Callable[[Any, Show], str]:
    return lambda event, show: f"{word} {event.seat} {event.amount}"


def _count(word: str) -> Callable[[Any, Show], str]:
    return lambda event, show: f"{word} {event.seat} {event.count}"


def _seats(word: str) -> Callable[[Any, Show], str]:
    return lambda event, show: _joined(word, *event.seats)


_LINES: Final[dict[type, Callable[[Any, Show], str]]] = {
    ev.Rules: lambda event, show: f"rules {event.rulebook}",
    ev.Game: _game,
    ev.Ante: _amount("ante"),
    ev.BbAnte: _amount("bb-ante"),
    ev.BringIn: _amount("bring-in"),
    ev.Seats: lambda event, show: f"seats {_seat_list(event.seats)}",
    ev.Button: lambda event, show: _joined("button", event.seat, "dead" if event.dead else ""),
    ev.Stacks: _stacks,
    ev.Chips: lambda event, show: _joined("chips", *event.denominations),
    ev.Absent: _seats("absent"),
    ev.Penalty: _seats("penalty"),
    ev.Deck: lambda event, show: f"deck {event.deck}",
    ev.House: lambda event, show: f"house {event.key} {event.value}",
    ev.Hand: lambda event, show: _joined("hand", f"at {_stakes(event.stakes)}" if event.stakes else ""),
    ev.Shuffled: _bare("shuffled"),
    ev.Cut: lambda event, show: "cut" if event.exposed is None else f"cut exposed {show(event.exposed)}",
    shuffling.Riffle: _bare("riffle"),
    shuffling.Strip: lambda event, show: _joined("strip", "" if event.packets == 4 else event.packets),
    shuffling.Wash: _bare("wash"),
    shuffling.Square: _bare("square"),
    ev.Shuffler: _shuffler,
    key.ShufflerLid: lambda event, show: f"shuffler-lid {'open' if event.opened else 'closed'}",
    ev.Unshuffled: _bare("unshuffled"),
    ev.Uncut: _bare("uncut"),
    ev.DeckCheck: lambda event, show: _joined(
        "deck-check", f"deck {event.deck}" if event.deck else "", event.state or "", *map(show, event.cards)
    ),
    ev.DeckInPlay: lambda event, show: f"deck-in-play {event.deck}",
    ev.DealerChange: lambda event, show: f'dealer-change "{event.name}"' if event.name else "dealer-change",
    ev.Level: lambda event, show: f"level {_stakes(event.stakes)}",
    ev.Arrives: _seat("arrives"),
    ev.Post: lambda event, show: f"post {event.seat} {_chips(event.chips)}",
    ev.Deal: _deal,
    ev.Dealt: lambda event, show: _joined("dealt", "up" if event.up else "", *map(show, event.up)),
    key.Exposed: _bare("exposed"),
    ev.Holds: _count("holds"),
    ev.Boxed: _card("boxed"),
    ev.Burn: lambda event, show: "burn" if event.card is None else f"burn {show(event.card)}",
    ev.Street: lambda event, show: _joined(event.street, *map(show, event.cards)),
    ev.RunAgain: lambda event, show: "run-twice" if event.runs == 2 else f"run-times {event.runs}",
    ev.BoardExposed: _card("board-exposed"),
    ev.Draw: lambda event, show: _joined("draw", event.seat, event.count, *map(show, event.cards)),
    ev.Expose: lambda event, show: _joined(
        "expose", event.seat, show(event.card), "dropped" if event.dropped else ""
    ),
    ev.PickUp: _seat("pick-up"),
    ev.Tabled: lambda event, show: _joined("table", event.seat, *map(show, event.cards)),
    ev.Muck: _seat("muck"),
    ev.Ask: lambda event, show: f"ask {event.seat} {event.other}",
    ev.Mixed: _seat("mixed"),
    ev.Seen: lambda event, show: f"seen {show(event.card)} {event.place}",
    ev.Marked: _card("marked"),
    ev.Back: _card("back"),
    ev.Stub: lambda event, show: f"stub {event.count if event.state == 'counted' else event.state}",
    ev.Action: lambda event, show: _joined(
        event.action, event.seat, "" if event.amount is None else event.amount
    ),
    ev.Say: _say,
    ev.PotCount: _amount("pot-count"),
    ev.ChipsIn: lambda event, show: f"chips-in {event.seat} {_chips(event.chips)}",
    ev.ChipsBack: lambda event, show: (
        f"chips-back {event.seat} {'all' if event.everything else _chips(event.chips)}"
    ),
    ev.AllinButton: _seat("allin-button"),
    ev.Clock: lambda event, show: _joined(
        "clock", event.seat, "" if event.caller is None else f"by {event.caller}"
    ),
    ev.ClockExpired: _seat("clock-expired"),
    timed.Tick: _bare("tick"),
    timed.DrawClock: _seat("draw-clock"),
    timed.LevelClock: lambda event, show: _joined(
        "level-clock", event.seconds if event.state == "set" else event.state
    ),
    timed.Break: lambda event, show: f"break {event.seconds}",
    timed.HandForHand: lambda event, show: f"hand-for-hand {event.state}",
    chip.Tray: lambda event, show: _joined("tray", _chips(event.chips), "opening" if event.opening else ""),
    chip.Fill: lambda event, show: f"fill {_chips(event.chips)}",
    chip.Credit: lambda event, show: f"credit {_chips(event.chips)}",
    chip.Pay: lambda event, show: f"pay {event.seat} {_chips(event.chips)}",
    chip.Take: lambda event, show: f"take {event.seat} {_chips(event.chips)}",
    chip.Rake: _amount("rake"),
    chip.Behind: lambda event, show: f"behind {event.seat} {_chips(event.chips)}",
    chip.PotChips: lambda event, show: f"pot {_chips(event.chips)}",
    chip.StackChips: lambda event, show: _joined(
        "stack-chips",
        event.seat,
        _chips(event.chips),
        f"less {event.less}" if event.less else "",
        f"more {event.more}" if event.more else "",
    ),
    chip.ForeignChip: lambda event, show: _joined(
        "foreign-chip", event.place, "two-places" if event.cause == "two-places" else ""
    ),
    chip.ChipsOf: lambda event, show: f"chips-of {event.seat} {_chips(event.chips)}",
    chip.Race: lambda event, show: f"race {event.leaving} {event.staying}",
    chip.RaceCard: lambda event, show: _joined("race-card", event.seat, *map(show, event.cards)),
    chip.RaceOver: _bare("race-over"),
    chip.Exchange: lambda event, show: f"exchange {event.seat} {_chips(event.chips)}",
    chip.Lammer: _seat_amount("lammer"),
    chip.Collect: _seat_amount("collect"),
    blind.NoLook: _seat_amount("no-look"),
    blind.Straddle: _seat_amount("straddle"),
    blind.Kill: lambda event, show: _joined(
        "kill", "none" if event.seat is None else event.seat, "leg" if event.seat and event.legs == 1 else ""
    ),
    blind.Bomb: lambda event, show: _joined("bomb", event.amount, "two-boards" if event.boards == 2 else ""),
    ask.AskPot: _seat("ask-pot"),
    ask.TokenBet: lambda event, show: f"token {event.seat} {event.token}",
    ask.CalledOn: _seat("called-on"),
    ask.Dispute: lambda event, show: f"dispute {event.seat} {event.about}",
    deed.Warned: lambda event, show: f"warning {event.seat} {event.offence}",
    deed.Infraction: lambda event, show: f"infraction {event.seat} {event.offence}",
    deed.MissedHands: lambda event, show: _joined(
        "penalty", event.seat, event.number, event.unit, event.offence
    ),
    deed.PenaltyOver: _seat("penalty-over"),
    deed.Disqualified: lambda event, show: _joined("disqualified", event.seat, event.offence),
    deed.Leaves: _seat("leaves"),
    sit.Enters: lambda event, show: _joined(
        "enters",
        event.seat,
        event.amount,
        "" if event.kind == "new" else f"as {event.kind}",
        event.choice,
    ),
    sit.SitsOut: _seat("sits-out"),
    sit.Returns: lambda event, show: _joined(
        "returns", event.seat, "" if event.amount is None else event.amount, event.choice
    ),
    sit.MissedBlind: lambda event, show: f"missed {event.seat} {event.blind}",
    sit.ChangesSeat: lambda event, show: f"changes-seat {event.seat} {event.other}",
    sit.Adds: _seat_amount("adds"),
    sit.Removes: _seat_amount("removes"),
    sit.Rebuys: lambda event, show: _joined(
        "rebuy", event.seat, event.amount, "declared" if event.declared else ""
    ),
    sit.ButtonCard: lambda event, show: f"button-card {event.seat} {show(event.card)}",
    house.Box: lambda event, show: f"box {event.seat} {event.box} {event.amount}",
    house.Play: lambda event, show: f"play {event.seat} {event.amount}",
    house.SetHand: lambda event, show: _joined("set", event.seat, *map(show, event.cards)),
    house.PayTable: lambda event, show: _joined(
        "paytable",
        event.box,
        *(f"{made}={number}{'' if to == 1 else f':{to}'}" for made, (number, to) in event.pays.items()),
    ),
    key.CallFloor: lambda event, show: _joined("call-floor", event.reason),
    key.FloorSettled: _bare("floor-settled"),
    key.StepDone: lambda event, show: _joined(
        "step", event.finding, event.number, "" if event.done else "open"
    ),
    ev.Ruling: _ruling,
    ev.End: _bare("end"),
    # Beside the script.
    ev.Names: lambda event, show: (
        f"# names {', '.join(f'{seat} {name}' for seat, name in event.by_seat.items())}"
    ),
    ev.Undo: lambda event, show: f"# entry {event.entry} is taken back{_why(event.note)}",
    ev.InDoubt: _in_doubt,
    ev.Doubt: _doubt,
    ev.ForeignTag: lambda event, show: f"# a tag of {event.deck or 'no deck'} at {event.place}",
    ev.Fault: lambda event, show: f"# {event.fault}{event.device and f' {event.device}'}, {event.count}",
    ev.BrokenJournal: lambda event, show: f"# journal-broken, put aside as {event.file}",
    ev.RestoredJournal: lambda event, show: f"# journal-restored from the backup {event.backup}",
    ev.ClonedTag: lambda event, show: f"# one tag at {event.places[0]} and at {event.places[1]}",
    ev.DeviceState: _device,
    ev.Access: lambda event, show: f"# hole cards given out: {event.feed}",
    ev.Directed: _order,
    ev.Disclosure: lambda event, show: f"# overlay {event.terms}",
}
