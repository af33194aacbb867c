"""The statements of table script: one row each, its form and how its words become an event."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Literal, cast

from tablebridge.engine.games import FORMS
from tablebridge.engine.script.tokens import Words, shown_word, split
from tablebridge.model import chip_events as chip
from tablebridge.model import events as ev
from tablebridge.model import key_events as key
from tablebridge.model.cards import Card
from tablebridge.model.errors import ScriptError
from tablebridge.model.places import Place, bet_place, seat_place
from tablebridge.rulebooks import BOOKS

GAMES: Final = tuple(FORMS)
RULEBOOKS: Final = tuple(BOOKS)
DECKS: Final = ("52", "40", "36", "32", "52+joker")
PLACES: Final = ("seat", "board", "muck", "burn", "stub", "floor")
HOUSE_FILE: Final = ".toml"


@dataclass(frozen=True, slots=True)
class Statement:
    """`usage`: its form as documented; `parse`: its words after the first, to an event."""

    usage: str
    parse: Callable[[Words], ev.TableEvent]


def parse_line(text: str) -> ev.TableEvent:
    """The event of one statement, without a time. Raises ScriptError with a sentence saying what was
    expected.
    """
    words, quoted = split(text)
    if not words:
        raise ScriptError("expected a statement, found nothing")
    if words[0].startswith("!"):
        raise ScriptError("expected a statement, found an expectation")
    statement = STATEMENTS.get(words[0])
    if statement is None:
        raise unknown("statement", words[0], STATEMENTS)
    rest = Words(statement.usage, words[1:], quoted)
    event = statement.parse(rest)
    rest.end()
    return event


def unknown(what: str, word: str, known: Iterable[str]) -> ScriptError:
    """The error for a first word that is none of the language, with the nearest that is."""
    near = get_close_matches(word.lower(), list(known), 1, 0.5)
    return ScriptError(
        f"no {what} begins with {shown_word(word)}{f'; did you mean {near[0]}?' if near else ''}"
    )


def _rules(words: Words) -> ev.Rules:
    if words and words.peek().endswith(HOUSE_FILE):
        return ev.Rules(words.word("a rulebook"))
    return ev.Rules(words.one_of("a rulebook", RULEBOOKS))


def _game(words: Words) -> ev.Game:
    game, stakes = words.one_of("a game", GAMES), words.stakes()
    return ev.Game(game, stakes, words.stakes() if words.took("blinds") else None)


def _button(words: Words) -> ev.Button:
    return ev.Button(words.seat(), **words.flags("dead"))


def _stacks(words: Words) -> ev.Stacks:
    if words and ":" in words.peek():
        return ev.Stacks(by_seat=words.seat_amounts())
    return ev.Stacks(words.amount("an amount or SEAT:AMOUNT"))


def _chips(words: Words) -> ev.Chips:
    values = [words.number("a denomination")]
    while words:
        values.append(words.number("a denomination"))
    if 0 in values or values != sorted(set(values)):
        raise words.error("denominations above 0, ascending")
    return ev.Chips(tuple(values))


def _house(words: Words) -> ev.House:
    key = words.one_of("a house choice", ("raise-cap", "event-players", "hand-for-hand", "betting"))
    if key == "betting":
        return ev.House(key, words.one_of("told or untold", ("told", "untold")))
    if key == "hand-for-hand":
        return ev.House(key, words.one_of("yes or no", ("yes", "no")))
    return ev.House(key, str(words.number("a number", 100_000)))


def _cut(words: Words) -> ev.Cut:
    return ev.Cut(words.card() if words.took("exposed") else None)


def _shuffler(words: Words) -> ev.Shuffler:
    report = words.one_of(
        "what the shuffler reports", ("ok", "ready", "count", "boxed", "missing", "extra", "jam", "door")
    )
    match report:
        case "count":
            return ev.Shuffler("count", count=words.number("a number of cards", 1000))
        case "boxed":
            return ev.Shuffler("boxed", words.cards())
        case "missing" | "extra":
            return ev.Shuffler(report, (words.card(),))
        case _:
            return ev.Shuffler(cast("Literal['ok', 'ready', 'jam', 'door']", report))


def _deck_check(words: Words) -> ev.DeckCheck:
    deck = words.word("a deck's name") if words.took("deck") else ""
    if words.peek() in ("begin", "end"):
        return ev.DeckCheck((), deck, cast("Literal['begin', 'end']", words.word("")))
    return ev.DeckCheck(words.cards(), deck)


def _deal(words: Words) -> ev.Deal:
    return ev.Deal(words.seat(), words.card(), **words.flags("up", "exposed", "boxed"))


def _dealt(words: Words) -> ev.Dealt:
    return ev.Dealt(words.cards() if words.took("up") else ())


def _street(street: Literal["flop", "turn", "river"]) -> Callable[[Words], ev.Street]:
    return lambda words: ev.Street(street, words.cards())


def _draw(words: Words) -> ev.Draw:
    seat, count = words.seat(), words.number("a number of cards", 1000)
    return ev.Draw(seat, count, words.cards() if words else ())


def _seen(words: Words) -> ev.Seen:
    card: Card = words.card()
    place = words.one_of("a place", PLACES)
    return ev.Seen(card, seat_place(words.seat()) if place == "seat" else Place(place))


def _stub(words: Words) -> ev.Stub:
    if words.took("disordered"):
        return ev.Stub(state="disordered")
    if words.took("mixed"):
        return ev.Stub(state="mixed")
    return ev.Stub(words.number("a number of cards, disordered or mixed", 1000))


def _action(action: Literal["check", "fold", "call", "allin"]) -> Callable[[Words], ev.Action]:
    return lambda words: ev.Action(action, words.seat())


def _sized(action: Literal["bet", "raise"]) -> Callable[[Words], ev.Action]:
    return lambda words: ev.Action(action, words.seat(), words.amount())


def _chips_back(words: Words) -> ev.ChipsBack:
    seat = words.seat()
    if words.took("all"):
        return ev.ChipsBack(seat, everything=True)
    return ev.ChipsBack(seat, words.chips())


def _ruling(words: Words) -> ev.Ruling:
    ruling = words.one_of(
        "a ruling", ("dead", "live", "passive", "call", "fold", "play-on", "misdeal", "burn")
    )
    match ruling:
        case "play-on" | "misdeal":
            return ev.Ruling(ruling)
        case "burn":
            return ev.Ruling("burn", card=words.card())
        case _:
            return ev.Ruling(cast("Literal['dead', 'live', 'passive', 'call', 'fold']", ruling), words.seat())


def _foreign_chip(words: Words) -> chip.ForeignChip:
    kind = words.one_of("a place for chips", ("bet", "tray", "pot"))
    place = bet_place(words.seat()) if kind == "bet" else Place(kind)
    return chip.ForeignChip(place, "two-places" if words.took("two-places") else "unknown-tag")


STATEMENTS: Final[dict[str, Statement]] = {
    statement.usage.split()[0]: statement
    for statement in (
        # Setting up.
        Statement("rules RULEBOOK", _rules),
        Statement("game GAME STAKES [blinds SB/BB]", _game),
        Statement("ante AMOUNT", lambda words: ev.Ante(words.amount())),
        Statement("bb-ante AMOUNT", lambda words: ev.BbAnte(words.amount())),
        Statement("bring-in AMOUNT", lambda words: ev.BringIn(words.amount())),
        Statement("seats LIST", lambda words: ev.Seats(words.seat_list())),
        Statement("button SEAT [dead]", _button),
        Statement("stacks AMOUNT | SEAT:AMOUNT ...", _stacks),
        Statement("chips DENOMINATION ...", _chips),
        Statement("absent SEAT ...", lambda words: ev.Absent(words.seats())),
        Statement("penalty SEAT ...", lambda words: ev.Penalty(words.seats())),
        Statement("deck 52 | 40 | 36 | 32 | 52+joker", lambda words: ev.Deck(words.one_of("a deck", DECKS))),
        Statement("house KEY VALUE", _house),
        # The deck and the start of the hand.
        Statement("hand", lambda words: ev.Hand()),
        Statement("shuffled", lambda words: ev.Shuffled()),
        Statement("cut [exposed CARD]", _cut),
        Statement(
            "shuffler ok | ready | count N | boxed CARD ... | missing CARD | extra CARD | jam | door",
            _shuffler,
        ),
        Statement(
            "shuffler-lid open | closed",
            lambda words: key.ShufflerLid(words.one_of("open or closed", ("open", "closed")) == "open"),
        ),
        Statement("unshuffled", lambda words: ev.Unshuffled()),
        Statement("uncut", lambda words: ev.Uncut()),
        Statement("deck-check [deck NAME] CARD ... | begin | end", _deck_check),
        Statement("deck-in-play NAME", lambda words: ev.DeckInPlay(words.word("a deck's name"))),
        Statement("dealer-change", lambda words: ev.DealerChange()),
        Statement("level STAKES", lambda words: ev.Level(words.stakes())),
        Statement("arrives SEAT", lambda words: ev.Arrives(words.seat())),
        Statement("post SEAT LIST", lambda words: ev.Post(words.seat(), words.chips())),
        # Cards.
        Statement("deal SEAT CARD [up] [exposed] [boxed]", _deal),
        Statement("dealt [up CARD ...]", _dealt),
        Statement("exposed", lambda words: key.Exposed()),
        Statement(
            "holds SEAT COUNT", lambda words: ev.Holds(words.seat(), words.number("a number of cards", 1000))
        ),
        Statement("boxed CARD", lambda words: ev.Boxed(words.card())),
        Statement("burn [CARD]", lambda words: ev.Burn(words.card() if words else None)),
        Statement("flop CARD ...", _street("flop")),
        Statement("turn CARD ...", _street("turn")),
        Statement("river CARD ...", _street("river")),
        Statement("run-twice", lambda words: ev.RunTwice()),
        Statement("board-exposed CARD", lambda words: ev.BoardExposed(words.card())),
        Statement("draw SEAT COUNT [CARD ...]", _draw),
        Statement(
            "expose SEAT CARD [dropped]",
            lambda words: ev.Expose(words.seat(), words.card(), **words.flags("dropped")),
        ),
        Statement("pick-up SEAT", lambda words: ev.PickUp(words.seat())),
        Statement("table SEAT CARD ...", lambda words: ev.Tabled(words.seat(), words.cards())),
        Statement("muck SEAT", lambda words: ev.Muck(words.seat())),
        Statement("ask SEAT OTHER-SEAT", lambda words: ev.Ask(words.seat(), words.seat())),
        Statement("mixed SEAT", lambda words: ev.Mixed(words.seat())),
        Statement("seen CARD seat SEAT | board | muck | burn | stub | floor", _seen),
        Statement("marked CARD", lambda words: ev.Marked(words.card())),
        Statement("back CARD", lambda words: ev.Back(words.card())),
        Statement("stub COUNT | disordered | mixed", _stub),
        # Betting.
        Statement("check SEAT", _action("check")),
        Statement("fold SEAT", _action("fold")),
        Statement("call SEAT", _action("call")),
        Statement("bet SEAT AMOUNT", _sized("bet")),
        Statement("raise SEAT AMOUNT", _sized("raise")),
        Statement("allin SEAT", _action("allin")),
        Statement('say SEAT "WORDS"', lambda words: ev.Say(words.seat(), words.quote())),
        Statement("pot-count AMOUNT", lambda words: ev.PotCount(words.amount())),
        Statement("chips-in SEAT LIST", lambda words: ev.ChipsIn(words.seat(), words.chips())),
        Statement("chips-back SEAT LIST | all", _chips_back),
        Statement("allin-button SEAT", lambda words: ev.AllinButton(words.seat())),
        Statement("clock SEAT", lambda words: ev.Clock(words.seat())),
        Statement("clock-expired SEAT", lambda words: ev.ClockExpired(words.seat())),
        Statement(
            "tray LIST [opening]",
            lambda words: chip.Tray(words.chips(none_too=True), **words.flags("opening")),
        ),
        Statement("fill LIST", lambda words: chip.Fill(words.chips())),
        Statement("credit LIST", lambda words: chip.Credit(words.chips())),
        Statement("pay SEAT LIST", lambda words: chip.Pay(words.seat(), words.chips())),
        Statement("take SEAT LIST", lambda words: chip.Take(words.seat(), words.chips())),
        Statement("rake AMOUNT", lambda words: chip.Rake(words.amount())),
        Statement("pot LIST", lambda words: chip.PotChips(words.chips(none_too=True))),
        Statement("foreign-chip bet SEAT | tray | pot [two-places]", _foreign_chip),
        Statement(
            "ruling dead SEAT | live SEAT | passive SEAT | call SEAT | fold SEAT | play-on | misdeal | burn CARD",
            _ruling,
        ),
        Statement("call-floor", lambda words: key.CallFloor()),
        Statement("end", lambda words: ev.End()),
    )
}
