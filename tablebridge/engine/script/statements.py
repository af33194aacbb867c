"""The statements of table script: one row each, its form and how its tokens become an event."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Literal, cast, get_args

from tablebridge.engine.games import FORMS
from tablebridge.engine.script.tokens import Tokens, shown_word, split
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
from tablebridge.model.cards import Card
from tablebridge.model.errors import ScriptError
from tablebridge.model.places import Place, seat_place
from tablebridge.rulebooks import BOOKS

GAMES: Final = tuple(FORMS)
RULEBOOKS: Final = tuple(BOOKS)
DECKS: Final = ("52", "40", "36", "32", "52+joker")
PLACES: Final = ("seat", "board", "muck", "burn", "stub", "floor")
HOUSE_FILE: Final = ".toml"
_UNITS: Final = ("hands", "rounds")
_MOST_MISSED: Final = 100
_MOST_DIGITS_PAID: Final = 6
MOST_SECONDS: Final = 86_400
"""No clock of a table runs longer than a day."""
_HOUSE_NUMBERS: Final = (
    "raise-cap",
    "event-players",
    "limits-min",
    "limits-max",
    "caribbean-raise",
    "jackpot",
    "jackpot-reset",
    "buy-in",
    "waiting-list",
    "rake-percent",
    "rake-cap",
    "time-charge",
    "time-charge-every",
    "no-look",
    "straddles",
    "kill-from",
    "action-time",
    "time-bank",
    "draw-seconds",
    "h4h-seconds",
)
_MOST_CHOSEN: Final = {
    "caribbean-raise": 2,
    "rake-percent": 100,
    "no-look": 10,
    "straddles": 10,
} | dict.fromkeys(
    (
        "limits-min",
        "limits-max",
        "jackpot",
        "jackpot-reset",
        "buy-in",
        "rake-cap",
        "time-charge",
        "time-charge-every",
        "kill-from",
    ),
    10**9,
)
_HOUSE_CLOCK: Final = "clock"
_FORMAT: Final = ("cash", "tournament")
_HOUSE_CHOICES: Final = {
    "betting": ("told", "untold"),
    "format": _FORMAT,
    "hand-for-hand": ("yes", "no"),
    "wild": ("deuces", "jokers", "none"),
    "first-post": ("none", "small", "big"),
    "race-remainder": ("half", "up", "down"),
    "straddle": ("none", "under-the-gun", "button", "any"),
    "straddle-size": ("twice", "more"),
    "kill": ("none", "full", "half"),
}
"""The choices of a house: those that are numbers, and those that are words."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One kind of statement. `usage`: its form as documented; `parse`: its tokens after the first, to an
    event.
    """

    usage: str
    parse: Callable[[Tokens], ev.TableEvent]


def parse_line(text: str) -> ev.TableEvent:
    """The event of one statement, without a time. Raises ScriptError with a sentence saying what was
    expected.
    """
    tokens, quoted = split(text)
    if not tokens:
        raise ScriptError("expected a statement, found nothing")
    if tokens[0].startswith("!"):
        raise ScriptError("expected a statement, found an expectation")
    statement = STATEMENTS.get(tokens[0])
    if statement is None:
        raise unknown("statement", tokens[0], STATEMENTS)
    rest = Tokens(statement.usage, tokens[1:], quoted)
    event = statement.parse(rest)
    rest.end()
    return event


def unknown(what: str, word: str, known: Iterable[str]) -> ScriptError:
    """The error for a first word that is none of the language, with the nearest that is."""
    near = get_close_matches(word.lower(), list(known), 1, 0.5)
    return ScriptError(
        f"no {what} begins with {shown_word(word)}{f'; did you mean {near[0]}?' if near else ''}"
    )


def _rules(tokens: Tokens) -> ev.Rules:
    if tokens and tokens.peek().endswith(HOUSE_FILE):
        return ev.Rules(tokens.word("a rulebook"))
    return ev.Rules(tokens.choice("a rulebook", RULEBOOKS))


def _game(tokens: Tokens) -> ev.Game:
    house = tokens.peek().endswith(HOUSE_FILE)
    game, stakes = tokens.word("a game") if house else tokens.choice("a game", GAMES), tokens.stakes()
    return ev.Game(game, stakes, tokens.stakes() if tokens.took("blinds") else None)


def _button(tokens: Tokens) -> ev.Button:
    return ev.Button(tokens.seat(), **tokens.flags("dead"))


def _in_doubt(tokens: Tokens) -> ev.InDoubt:
    seat = tokens.seat() if tokens and tokens.peek() not in ("read", "over") else None
    read = tokens.number("a number of cards", 20) if tokens.took("read") else 0
    return ev.InDoubt(seat, read, over=tokens.took("over"))


def _stacks(tokens: Tokens) -> ev.Stacks:
    if tokens and ":" in tokens.peek():
        return ev.Stacks(by_seat=tokens.seat_amounts())
    return ev.Stacks(tokens.amount("an amount or SEAT:AMOUNT"))


def _chips(tokens: Tokens) -> ev.Chips:
    values = [tokens.number("a denomination")]
    while tokens:
        values.append(tokens.number("a denomination"))
    if 0 in values or values != sorted(set(values)):
        raise tokens.error("denominations above 0, ascending")
    return ev.Chips(tuple(values))


def _house(tokens: Tokens) -> ev.House:
    key = tokens.choice("a house choice", (*_HOUSE_NUMBERS, *_HOUSE_CHOICES, _HOUSE_CLOCK))
    if key == _HOUSE_CLOCK:
        return ev.House(key, _clock_times(tokens))
    choices = _HOUSE_CHOICES.get(key)
    if choices is not None:
        return ev.House(key, tokens.choice(" or ".join(choices), choices))
    most = _MOST_CHOSEN.get(key)
    return ev.House(
        key, str(tokens.number("a number", 100_000) if most is None else tokens.number("a number", most))
    )


def _clock_times(tokens: Tokens) -> str:
    """The seconds of a clock and of its countdown, such as `15+5`."""
    word = tokens.word("seconds and those of the countdown, such as 15+5")
    parts = word.split("+")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) <= 4 for part in parts):
        raise tokens.error("seconds and those of the countdown, such as 15+5", word)
    if not sum(map(int, parts)):
        raise tokens.error("1 second or more", word)
    return word


def _seconds(tokens: Tokens) -> int:
    number = tokens.number("seconds", MOST_SECONDS)
    if not number:
        raise tokens.error("1 second or more", "0")
    return number


def _level_clock(tokens: Tokens) -> timed.LevelClock:
    if tokens.peek() in ("stop", "run"):
        return timed.LevelClock(cast("Literal['stop', 'run']", tokens.word("")))
    if not tokens.peek()[:1].isdigit():
        raise tokens.error("seconds, stop or run", tokens.peek() or None)
    return timed.LevelClock("set", _seconds(tokens))


def _clock(tokens: Tokens) -> ev.Clock:
    seat = tokens.seat()
    return ev.Clock(seat, tokens.seat() if tokens.took("by") else None)


def _hand(tokens: Tokens) -> ev.Hand:
    return ev.Hand(stakes=tokens.stakes() if tokens.took("at") else None)


def _offence(tokens: Tokens) -> str:
    return tokens.choice("a kind of offence", deed.OFFENCES)


def _penalty(tokens: Tokens) -> ev.Penalty | deed.MissedHands:
    """Seats that are on penalty until it is ended, or hands and rounds that one seat misses."""
    if tokens.ahead(2) not in _UNITS:
        return ev.Penalty(tokens.seats())
    seat, number = tokens.seat(), tokens.number("hands or rounds", _MOST_MISSED)
    if not number:
        raise tokens.error("1 or more", "0")
    unit = tokens.choice("hands or rounds", _UNITS)
    return deed.MissedHands(seat, number, unit, _offence(tokens) if tokens else "")  # type: ignore[arg-type]


def _pay_table(tokens: Tokens) -> house.PayTable:
    box = tokens.choice("a box", get_args(house.PaidBox))
    pays: dict[str, tuple[int, int]] = {}
    while tokens or not pays:
        word = tokens.word("HAND=N")
        made, equals, number = word.partition("=")
        paid, _, to = number.partition(":")
        if not equals or made not in house.MADE:
            near = get_close_matches(made.lower(), house.MADE, 1)
            raise tokens.error(
                f"a hand (perhaps {near[0]})" if near else f"a hand of {', '.join(house.MADE)}", word
            )
        if made in pays:
            raise tokens.error("each hand once", word)
        pays[made] = _odds(tokens, word, paid), _odds(tokens, word, to or "1")
        if not pays[made][1]:
            raise tokens.error("a number to divide by above 0", word)
    return house.PayTable(box, pays)  # type: ignore[arg-type]


def _odds(tokens: Tokens, word: str, number: str) -> int:
    if not (number.isascii() and number.isdigit() and len(number) <= _MOST_DIGITS_PAID):
        raise tokens.error("what a hand pays, such as flush=3:2", word)
    return int(number)


def _enters(tokens: Tokens) -> sit.Enters:
    at, amount = tokens.seat(), tokens.amount()
    kind = tokens.choice("how the player came", sit.ENTRY_KINDS) if tokens.took("as") else "new"
    return sit.Enters(at, amount, kind, _post_choice(tokens))  # type: ignore[arg-type]


def _post_choice(tokens: Tokens) -> sit.PostChoice:
    return tokens.choice("post or wait", ("post", "wait")) if tokens else ""  # type: ignore[return-value]


def _returns(tokens: Tokens) -> sit.Returns:
    at = tokens.seat()
    amount = tokens.amount() if tokens and tokens.peek() not in ("post", "wait") else None
    return sit.Returns(at, amount, _post_choice(tokens))


def _missed(tokens: Tokens) -> sit.MissedBlind:
    return sit.MissedBlind(
        tokens.seat(),
        tokens.choice("the blind that was missed", sit.MISSED),  # type: ignore[arg-type]
    )


def _changes_seat(tokens: Tokens) -> sit.ChangesSeat:
    at, other = tokens.seat(), tokens.seat()
    if at == other:
        raise tokens.error("two seats", str(other))
    return sit.ChangesSeat(at, other)


def _cut(tokens: Tokens) -> ev.Cut:
    return ev.Cut(tokens.card() if tokens.took("exposed") else None)


def _shuffler(tokens: Tokens) -> ev.Shuffler:
    report = tokens.choice(
        "what the shuffler reports",
        ("ok", "started", "ready", "count", "boxed", "missing", "extra", "jam", "door"),
    )
    match report:
        case "count":
            return ev.Shuffler("count", count=tokens.number("a number of cards", 1000))
        case "boxed":
            return ev.Shuffler("boxed", tokens.cards())
        case "missing" | "extra":
            return ev.Shuffler(report, (tokens.card(),))
        case _:
            return ev.Shuffler(cast("Literal['ok', 'started', 'ready', 'jam', 'door']", report))


def _deck_check(tokens: Tokens) -> ev.DeckCheck:
    deck = tokens.word("a deck's name") if tokens.took("deck") else ""
    if tokens.peek() in ("begin", "end"):
        return ev.DeckCheck((), deck, cast("Literal['begin', 'end']", tokens.word("")))
    return ev.DeckCheck(tokens.cards(), deck)


def _deal(tokens: Tokens) -> ev.Deal:
    return ev.Deal(tokens.seat(), tokens.card(), **tokens.flags("up", "exposed", "boxed"))


def _dealt(tokens: Tokens) -> ev.Dealt:
    return ev.Dealt(tokens.cards() if tokens.took("up") else ())


def _street(street: Literal["flop", "turn", "river"]) -> Callable[[Tokens], ev.Street]:
    return lambda tokens: ev.Street(street, tokens.cards())


def _draw(tokens: Tokens) -> ev.Draw:
    seat, count = tokens.seat(), tokens.number("a number of cards", 1000)
    return ev.Draw(seat, count, tokens.cards() if tokens else ())


def _seen(tokens: Tokens) -> ev.Seen:
    card: Card = tokens.card()
    place = tokens.choice("a place", PLACES)
    return ev.Seen(card, seat_place(tokens.seat()) if place == "seat" else Place(place))


def _stub(tokens: Tokens) -> ev.Stub:
    if tokens.took("disordered"):
        return ev.Stub(state="disordered")
    if tokens.took("mixed"):
        return ev.Stub(state="mixed")
    return ev.Stub(tokens.number("a number of cards, disordered or mixed", 1000))


def _action(action: Literal["check", "fold", "call", "allin"]) -> Callable[[Tokens], ev.Action]:
    return lambda tokens: ev.Action(action, tokens.seat())


def _sized(action: Literal["bet", "raise"]) -> Callable[[Tokens], ev.Action]:
    return lambda tokens: ev.Action(action, tokens.seat(), tokens.amount())


def _chips_back(tokens: Tokens) -> ev.ChipsBack:
    seat = tokens.seat()
    if tokens.took("all"):
        return ev.ChipsBack(seat, everything=True)
    return ev.ChipsBack(seat, tokens.chips())


def _ruling(tokens: Tokens) -> ev.Ruling:
    ruling = tokens.choice(
        "a ruling",
        ("dead", "live", "passive", "bet", "raise", "call", "fold", "play-on", "misdeal", "cancel", "burn"),
    )
    match ruling:
        case "play-on" | "misdeal" | "cancel":
            return ev.Ruling(ruling)
        case "burn":
            return ev.Ruling("burn", card=tokens.card())
        case "bet" | "raise":
            return ev.Ruling(ruling, tokens.seat(), amount=tokens.amount())
        case "call":
            return ev.Ruling("call", tokens.seat(), amount=tokens.amount() if tokens else None)
        case _:
            return ev.Ruling(cast("Literal['dead', 'live', 'passive', 'fold']", ruling), tokens.seat())


def _call_floor(tokens: Tokens) -> key.CallFloor:
    if not tokens:
        return key.CallFloor()
    return key.CallFloor(
        tokens.choice("a reason", ("rule", "cards", "chips", "player", "device", "other"))  # type: ignore[arg-type]
    )


def _step(tokens: Tokens) -> key.StepDone:
    return key.StepDone(
        tokens.word("the id of a finding"), tokens.number("the number of a step", 16), not tokens.took("open")
    )


def _foreign_chip(tokens: Tokens) -> chip.ForeignChip:
    kind = tokens.choice("a place for chips", ("bet", "stack", "tray", "pot"))
    place = Place(f"{kind} {tokens.seat()}" if kind in ("bet", "stack") else kind)
    return chip.ForeignChip(place, "two-places" if tokens.took("two-places") else "unknown-tag")


def _stack_chips(tokens: Tokens) -> chip.StackChips:
    seat, chips = tokens.seat(), tokens.chips(none_too=True)
    less = tokens.amount() if tokens.took("less") else 0
    return chip.StackChips(seat, chips, less, tokens.amount() if tokens.took("more") else 0)


def _race(tokens: Tokens) -> chip.Race:
    leaving = tokens.number("the denomination that leaves play")
    staying = tokens.number("the lowest denomination that stays")
    if not leaving or staying <= leaving or staying % leaving:
        raise tokens.error("a denomination above 0 and one that is worth several of it, such as 25 100")
    return chip.Race(leaving, staying)


def _kill(tokens: Tokens) -> blind.Kill:
    if tokens.took("none"):
        return blind.Kill(None)
    return blind.Kill(tokens.seat(), 1 if tokens.took("leg") else 2)


def _bomb(tokens: Tokens) -> blind.Bomb:
    amount = tokens.amount()
    if not amount:
        raise tokens.error("an amount above 0", "0")
    return blind.Bomb(amount, 2 if tokens.took("two-boards") else 1)


STATEMENTS: Final[dict[str, Statement]] = {
    statement.usage.split()[0]: statement
    for statement in (
        # Setting up.
        Statement("rules RULEBOOK", _rules),
        Statement("game GAME STAKES [blinds SB/BB]", _game),
        Statement("ante AMOUNT", lambda tokens: ev.Ante(tokens.amount())),
        Statement("bb-ante AMOUNT", lambda tokens: ev.BbAnte(tokens.amount())),
        Statement("bring-in AMOUNT", lambda tokens: ev.BringIn(tokens.amount())),
        Statement("seats LIST", lambda tokens: ev.Seats(tokens.seat_list())),
        Statement("button SEAT [dead]", _button),
        Statement("stacks AMOUNT | SEAT:AMOUNT ...", _stacks),
        Statement("chips DENOMINATION ...", _chips),
        Statement("absent SEAT ...", lambda tokens: ev.Absent(tokens.seats())),
        Statement("ask-pot SEAT", lambda tokens: ask.AskPot(tokens.seat())),
        Statement(
            "token SEAT bounty | time | other",
            lambda tokens: ask.TokenBet(
                tokens.seat(),
                tokens.choice("what was pushed forward", ("bounty", "time", "other")),  # type: ignore[arg-type]
            ),
        ),
        Statement("called-on SEAT", lambda tokens: ask.CalledOn(tokens.seat())),
        Statement(
            "dispute SEAT reading | payment | deck",
            lambda tokens: ask.Dispute(
                tokens.seat(),
                tokens.choice("what is disputed", ("reading", "payment", "deck")),  # type: ignore[arg-type]
            ),
        ),
        Statement("penalty SEAT ... | SEAT NUMBER hands | rounds [OFFENCE]", _penalty),
        Statement("penalty-over SEAT", lambda tokens: deed.PenaltyOver(tokens.seat())),
        Statement("warning SEAT OFFENCE", lambda tokens: deed.Warned(tokens.seat(), _offence(tokens))),
        Statement("infraction SEAT OFFENCE", lambda tokens: deed.Infraction(tokens.seat(), _offence(tokens))),
        Statement(
            "disqualified SEAT [OFFENCE]",
            lambda tokens: deed.Disqualified(tokens.seat(), _offence(tokens) if tokens else ""),
        ),
        Statement("leaves SEAT", lambda tokens: deed.Leaves(tokens.seat())),
        Statement("enters SEAT AMOUNT [as KIND] [post | wait]", _enters),
        Statement("sits-out SEAT", lambda tokens: sit.SitsOut(tokens.seat())),
        Statement("returns SEAT [AMOUNT] [post | wait]", _returns),
        Statement("missed SEAT small | big | both", _missed),
        Statement("changes-seat SEAT SEAT", _changes_seat),
        Statement("adds SEAT AMOUNT", lambda tokens: sit.Adds(tokens.seat(), tokens.amount())),
        Statement("removes SEAT AMOUNT", lambda tokens: sit.Removes(tokens.seat(), tokens.amount())),
        Statement(
            "rebuy SEAT AMOUNT [declared]",
            lambda tokens: sit.Rebuys(tokens.seat(), tokens.amount(), **tokens.flags("declared")),
        ),
        Statement("button-card SEAT CARD", lambda tokens: sit.ButtonCard(tokens.seat(), tokens.card())),
        Statement(
            "deck 52 | 40 | 36 | 32 | 52+joker", lambda tokens: ev.Deck(tokens.choice("a deck", DECKS))
        ),
        Statement("house KEY VALUE", _house),
        # The deck and the start of the hand.
        Statement("hand [at STAKES]", _hand),
        Statement("shuffled", lambda tokens: ev.Shuffled()),
        Statement("cut [exposed CARD]", _cut),
        Statement("riffle", lambda tokens: shuffling.Riffle()),
        Statement(
            "strip [PACKETS]",
            lambda tokens: shuffling.Strip(tokens.number("a number of packets", 52) if tokens else 4),
        ),
        Statement("wash", lambda tokens: shuffling.Wash()),
        Statement("square", lambda tokens: shuffling.Square()),
        Statement(
            "shuffler ok | started | ready | count N | boxed CARD ... "
            "| missing CARD | extra CARD | jam | door",
            _shuffler,
        ),
        Statement(
            "shuffler-lid open | closed",
            lambda tokens: key.ShufflerLid(tokens.choice("open or closed", ("open", "closed")) == "open"),
        ),
        Statement("unshuffled", lambda tokens: ev.Unshuffled()),
        Statement("uncut", lambda tokens: ev.Uncut()),
        Statement("deck-check [deck NAME] CARD ... | begin | end", _deck_check),
        Statement("deck-in-play NAME", lambda tokens: ev.DeckInPlay(tokens.word("a deck's name"))),
        Statement(
            'dealer-change ["NAME"]', lambda tokens: ev.DealerChange(tokens.name() if tokens.quotes else "")
        ),
        Statement("level STAKES", lambda tokens: ev.Level(tokens.stakes())),
        Statement("arrives SEAT", lambda tokens: ev.Arrives(tokens.seat())),
        Statement("post SEAT LIST", lambda tokens: ev.Post(tokens.seat(), tokens.chips())),
        # Cards.
        Statement("deal SEAT CARD [up] [exposed] [boxed]", _deal),
        Statement("dealt [up CARD ...]", _dealt),
        Statement("exposed", lambda tokens: key.Exposed()),
        Statement(
            "holds SEAT COUNT",
            lambda tokens: ev.Holds(tokens.seat(), tokens.number("a number of cards", 1000)),
        ),
        Statement("boxed CARD", lambda tokens: ev.Boxed(tokens.card())),
        Statement("burn [CARD]", lambda tokens: ev.Burn(tokens.card() if tokens else None)),
        Statement("flop CARD ...", _street("flop")),
        Statement("turn CARD ...", _street("turn")),
        Statement("river CARD ...", _street("river")),
        Statement("run-twice", lambda tokens: ev.RunAgain()),
        Statement("run-times COUNT", lambda tokens: ev.RunAgain(tokens.number("how many runs", 10))),
        Statement("board-exposed CARD", lambda tokens: ev.BoardExposed(tokens.card())),
        Statement("draw SEAT COUNT [CARD ...]", _draw),
        Statement(
            "expose SEAT CARD [dropped]",
            lambda tokens: ev.Expose(tokens.seat(), tokens.card(), **tokens.flags("dropped")),
        ),
        Statement("pick-up SEAT", lambda tokens: ev.PickUp(tokens.seat())),
        Statement("table SEAT CARD ...", lambda tokens: ev.Tabled(tokens.seat(), tokens.cards())),
        Statement("muck SEAT", lambda tokens: ev.Muck(tokens.seat())),
        Statement("ask SEAT OTHER-SEAT", lambda tokens: ev.Ask(tokens.seat(), tokens.seat())),
        Statement("mixed SEAT", lambda tokens: ev.Mixed(tokens.seat())),
        Statement("seen CARD seat SEAT | board | muck | burn | stub | floor", _seen),
        Statement("marked CARD", lambda tokens: ev.Marked(tokens.card())),
        Statement("back CARD", lambda tokens: ev.Back(tokens.card())),
        Statement("stub COUNT | disordered | mixed", _stub),
        # Betting.
        Statement("check SEAT", _action("check")),
        Statement("fold SEAT", _action("fold")),
        Statement("call SEAT", _action("call")),
        Statement("bet SEAT AMOUNT", _sized("bet")),
        Statement("raise SEAT AMOUNT", _sized("raise")),
        Statement("allin SEAT", _action("allin")),
        Statement('say SEAT "WORDS"', lambda tokens: ev.Say(tokens.seat(), tokens.quote())),
        Statement("pot-count AMOUNT", lambda tokens: ev.PotCount(tokens.amount())),
        Statement("chips-in SEAT LIST", lambda tokens: ev.ChipsIn(tokens.seat(), tokens.chips())),
        Statement("chips-back SEAT LIST | all", _chips_back),
        Statement("allin-button SEAT", lambda tokens: ev.AllinButton(tokens.seat())),
        Statement("clock SEAT [by SEAT]", _clock),
        Statement("clock-expired SEAT", lambda tokens: ev.ClockExpired(tokens.seat())),
        Statement("draw-clock SEAT", lambda tokens: timed.DrawClock(tokens.seat())),
        Statement("tick", lambda tokens: timed.Tick()),
        Statement("level-clock SECONDS | stop | run", _level_clock),
        Statement("break SECONDS", lambda tokens: timed.Break(_seconds(tokens))),
        Statement(
            "hand-for-hand on | go | over",
            lambda tokens: timed.HandForHand(
                tokens.choice("on, go or over", ("on", "go", "over"))  # type: ignore[arg-type]
            ),
        ),
        Statement(
            "tray LIST [opening]",
            lambda tokens: chip.Tray(tokens.chips(none_too=True), **tokens.flags("opening")),
        ),
        Statement("fill LIST", lambda tokens: chip.Fill(tokens.chips())),
        Statement("credit LIST", lambda tokens: chip.Credit(tokens.chips())),
        Statement("pay SEAT LIST", lambda tokens: chip.Pay(tokens.seat(), tokens.chips())),
        Statement("take SEAT LIST", lambda tokens: chip.Take(tokens.seat(), tokens.chips())),
        Statement("rake AMOUNT", lambda tokens: chip.Rake(tokens.amount())),
        Statement("behind SEAT LIST", lambda tokens: chip.Behind(tokens.seat(), tokens.chips())),
        Statement("pot LIST", lambda tokens: chip.PotChips(tokens.chips(none_too=True))),
        Statement("stack-chips SEAT LIST [less AMOUNT] [more AMOUNT]", _stack_chips),
        Statement("foreign-chip bet SEAT | stack SEAT | tray | pot [two-places]", _foreign_chip),
        Statement("chips-of SEAT LIST", lambda tokens: chip.ChipsOf(tokens.seat(), tokens.chips())),
        Statement("race DENOMINATION DENOMINATION", _race),
        Statement("race-card SEAT CARD ...", lambda tokens: chip.RaceCard(tokens.seat(), tokens.cards())),
        Statement("race-over", lambda tokens: chip.RaceOver()),
        Statement("exchange SEAT LIST", lambda tokens: chip.Exchange(tokens.seat(), tokens.chips())),
        Statement("lammer SEAT AMOUNT", lambda tokens: chip.Lammer(tokens.seat(), tokens.amount())),
        Statement("collect SEAT AMOUNT", lambda tokens: chip.Collect(tokens.seat(), tokens.amount())),
        # Bets before the cards.
        Statement("no-look SEAT AMOUNT", lambda tokens: blind.NoLook(tokens.seat(), tokens.amount())),
        Statement("straddle SEAT AMOUNT", lambda tokens: blind.Straddle(tokens.seat(), tokens.amount())),
        Statement("kill SEAT [leg] | none", _kill),
        Statement("bomb AMOUNT [two-boards]", _bomb),
        Statement(
            "ruling dead SEAT | live SEAT | passive SEAT | bet SEAT AMOUNT | raise SEAT AMOUNT | "
            "call SEAT [AMOUNT] | fold SEAT | play-on | misdeal | cancel | burn CARD",
            _ruling,
        ),
        # Against the house.
        Statement(
            "box SEAT ante | pair-plus | jackpot | blind | trips | bonus | bet AMOUNT",
            lambda tokens: house.Box(
                tokens.seat(),
                tokens.choice("a box", get_args(house.BoxName)),  # type: ignore[arg-type]
                tokens.amount(),
            ),
        ),
        Statement("play SEAT AMOUNT", lambda tokens: house.Play(tokens.seat(), tokens.amount())),
        Statement(
            "set SEAT CARD CARD",
            lambda tokens: house.SetHand(tokens.seat(), (tokens.card(), tokens.card())),
        ),
        Statement("paytable BOX HAND=N[:M] ...", _pay_table),
        Statement("call-floor [rule | cards | chips | player | device | other]", _call_floor),
        Statement("floor-settled", lambda tokens: key.FloorSettled()),
        Statement("step FINDING NUMBER [open]", _step),
        Statement("in-doubt [SEAT] [read COUNT] [over]", _in_doubt),
        Statement("end", lambda tokens: ev.End()),
    )
}
