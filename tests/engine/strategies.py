"""Any event at all, with a lean towards what can happen: few seats, few cards, amounts around the stakes."""

from typing import get_args

from hypothesis import strategies as st

from tablebridge.engine.games import FORMS
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
from tablebridge.model.cards import BLANK, DECK_52, JOKER, UNKNOWN, Card
from tablebridge.model.disclosure import Terms
from tablebridge.model.places import parse_place
from tablebridge.rulebooks import BOOKS

SEAT = st.integers(1, 4) | st.sampled_from([-1, 0, 10, 11])
AMOUNT = st.integers(0, 400) | st.sampled_from([-50, 1000, 10_000, 10**13])
CARD = st.sampled_from([*DECK_52[:30], UNKNOWN, UNKNOWN, JOKER, BLANK, Card("Kh*"), Card("2c*")])
CARDS = st.lists(CARD, max_size=5).map(tuple)
SEATS = st.lists(SEAT, max_size=4).map(tuple)
CHIPS = st.lists(st.sampled_from([25, 100, 500, 1000, 0, -5]), max_size=4).map(tuple)
PLACE = st.sampled_from(
    [parse_place(text) for text in ("seat 1", "seat 3", "seat 9", "board", "muck", "burn", "stub", "bet 2")]
)
CHOICE = st.sampled_from(["", "post", "wait"])
PAIR = st.tuples(st.integers(-5, 200), st.integers(-5, 200))
WORDS = st.sampled_from(
    [
        "call",
        "raise",
        "bet",
        "check",
        "fold",
        "all-in",
        "pot",
        "200",
        "raise 300",
        "bet five hundred",
        "five",
        "two",
        "if you bet, I raise",
        "I play the board",
        "hello",
        "raise to 2k",
        "twenty-five hundred",
        "",
        "raise 0",
    ]
)


def _made(*strategies: st.SearchStrategy[ev.TableEvent]) -> st.SearchStrategy[ev.TableEvent]:
    return st.one_of(*strategies)


SETTING_UP = _made(
    st.builds(ev.Rules, st.sampled_from([*sorted(BOOKS), "no-such-book"])),
    st.builds(ev.Game, st.sampled_from(["nlhe", "razz", "chess"]), PAIR),
    st.builds(ev.Ante, st.integers(-5, 30)),
    st.builds(ev.BbAnte, st.integers(-5, 120)),
    st.builds(ev.BringIn, AMOUNT),
    st.builds(ev.Seats, SEATS),
    st.builds(ev.Button, SEAT, st.booleans()),
    st.builds(ev.Stacks, st.none() | AMOUNT, st.dictionaries(SEAT, AMOUNT, max_size=4)),
    st.builds(ev.Chips, CHIPS),
    st.builds(ev.Absent, SEATS),
    st.builds(ev.Penalty, SEATS),
    st.builds(ask.AskPot, SEAT),
    st.builds(ask.TokenBet, SEAT, st.sampled_from(["bounty", "other"])),
    st.builds(ask.CalledOn, SEAT),
    st.builds(shuffling.Riffle),
    st.builds(shuffling.Strip, st.integers(-1, 6)),
    st.builds(shuffling.Wash),
    st.builds(shuffling.Square),
    st.builds(chip.Behind, SEAT, CHIPS),
    st.builds(ask.Dispute, SEAT, st.sampled_from(["reading", "payment", "deck"])),
    st.builds(deed.Warned, SEAT, st.sampled_from(["talking", "x"])),
    st.builds(deed.Infraction, SEAT, st.sampled_from(["collusion", ""])),
    st.builds(deed.MissedHands, SEAT, st.integers(-1, 9), st.sampled_from(["hands", "rounds"])),
    st.builds(deed.PenaltyOver, SEAT),
    st.builds(deed.Disqualified, SEAT),
    st.builds(deed.Leaves, SEAT),
    st.builds(sit.Enters, SEAT, AMOUNT, st.sampled_from(sit.ENTRY_KINDS), CHOICE),
    st.builds(sit.SitsOut, SEAT),
    st.builds(sit.Returns, SEAT, st.none() | AMOUNT, CHOICE),
    st.builds(sit.MissedBlind, SEAT, st.sampled_from(sit.MISSED)),
    st.builds(sit.ChangesSeat, SEAT, SEAT),
    st.builds(sit.Adds, SEAT, AMOUNT),
    st.builds(sit.Removes, SEAT, AMOUNT),
    st.builds(sit.Rebuys, SEAT, AMOUNT, st.booleans()),
    st.builds(sit.ButtonCard, SEAT, CARD),
    st.builds(timed.LevelClock, st.sampled_from(["set", "stop", "run"]), st.integers(-1, 600)),
    st.builds(timed.Break, st.integers(-1, 600)),
    st.builds(timed.HandForHand, st.sampled_from(["on", "go", "over"])),
    st.builds(timed.Tick),
    st.builds(
        ev.House,
        st.sampled_from(["clock", "action-time", "time-bank", "draw-seconds", "h4h-seconds", "format"]),
        st.sampled_from(["2+1", "3", "0", "cash", "x"]),
    ),
    st.builds(ev.Deck, st.sampled_from(["52", "36", "40", "moon"])),
    st.builds(
        ev.House,
        st.sampled_from(["hand-for-hand", "raise-cap", "straddle", "kill", "time-charge", "x"]),
        st.sampled_from(["yes", "no", "3", "any", "full"]),
    ),
    st.builds(chip.ChipsOf, SEAT, CHIPS),
    st.builds(chip.Race, st.sampled_from([25, 100, 0]), st.sampled_from([100, 500, 25])),
    st.builds(chip.RaceCard, SEAT, CARDS),
    st.builds(chip.RaceOver),
    st.builds(chip.Exchange, SEAT, CHIPS),
    st.builds(chip.Lammer, SEAT, AMOUNT),
    st.builds(chip.Collect, SEAT, AMOUNT),
    st.builds(blind.Kill, st.none() | SEAT, st.sampled_from([1, 2])),
    st.builds(blind.Bomb, AMOUNT, st.sampled_from([1, 2])),
    st.builds(ev.Names, st.dictionaries(SEAT, st.text(max_size=5), max_size=3)),
    st.builds(ev.Level, PAIR),
    st.builds(ev.DealerChange, st.sampled_from(["", "Carla"])),
    st.builds(ev.DeckCheck, CARDS, st.sampled_from(["", "red"])),
    st.builds(ev.DeckInPlay, st.sampled_from(["red", "blue"])),
)
CARD_EVENTS = _made(
    st.builds(ev.Deal, SEAT, CARD, st.booleans(), st.booleans(), st.booleans()),
    st.builds(ev.Deal, SEAT, CARD),
    st.builds(ev.Dealt),
    st.builds(ev.Dealt, CARDS),
    st.builds(ev.Holds, SEAT, st.integers(-1, 4)),
    st.builds(ev.Boxed, CARD),
    st.builds(ev.Burn, st.none() | CARD),
    st.builds(ev.Street, st.sampled_from(["flop", "turn", "river"]), CARDS),
    st.builds(ev.BoardExposed, CARD),
    st.builds(ev.RunAgain, st.integers(0, 5)),
    st.builds(ev.Draw, SEAT, st.integers(0, 5)),
    st.builds(ev.Draw, SEAT, st.integers(0, 5), CARDS),
    st.builds(ev.Expose, SEAT, CARD, st.booleans()),
    st.builds(ev.PickUp, SEAT),
    st.builds(ev.Tabled, SEAT, CARDS),
    st.builds(ev.Muck, SEAT),
    st.builds(ev.Ask, SEAT, SEAT),
    st.builds(ev.Mixed, SEAT),
    st.builds(ev.Seen, CARD, PLACE),
    st.builds(ev.Marked, CARD),
    st.builds(ev.Back, CARD),
    st.builds(ev.Stub, st.none() | st.integers(-1, 60), st.sampled_from(["counted", "disordered", "mixed"])),
    st.builds(ev.Cut, st.none() | CARD),
    st.builds(ev.Shuffled),
    st.builds(ev.Unshuffled),
    st.builds(ev.Uncut),
    st.builds(
        ev.Shuffler,
        st.sampled_from(["ok", "started", "ready", "count", "boxed", "missing", "extra", "jam", "door"]),
        CARDS,
        st.none() | st.integers(0, 60),
    ),
    st.builds(key.ShufflerLid, st.booleans()),
    st.builds(key.Exposed),
    st.builds(key.CallFloor, st.sampled_from(["", "rule", "device"])),
    st.builds(key.FloorSettled),
    st.builds(key.StepDone, st.sampled_from(["1.0", "x"]), st.integers(-1, 9), st.booleans()),
)
BETTING = _made(
    st.builds(
        ev.Action,
        st.sampled_from(["check", "fold", "call", "bet", "raise", "allin"]),
        SEAT,
        st.none() | AMOUNT,
    ),
    st.builds(ev.Action, st.sampled_from(["check", "call", "allin"]), SEAT),
    st.builds(ev.Say, SEAT, WORDS),
    st.builds(ev.PotCount, AMOUNT),
    st.builds(blind.NoLook, SEAT, AMOUNT),
    st.builds(blind.Straddle, SEAT, AMOUNT),
    st.builds(ev.ChipsIn, SEAT, CHIPS),
    st.builds(ev.ChipsBack, SEAT, CHIPS, st.booleans()),
    st.builds(ev.Post, SEAT, CHIPS),
    st.builds(ev.AllinButton, SEAT),
    st.builds(ev.Clock, SEAT, st.none() | SEAT),
    st.builds(timed.DrawClock, SEAT),
    st.builds(ev.ClockExpired, SEAT),
    st.builds(ev.Arrives, SEAT),
    st.builds(chip.Tray, CHIPS, st.booleans()),
    st.builds(chip.Fill, CHIPS),
    st.builds(chip.Credit, CHIPS),
    st.builds(chip.Pay, SEAT, CHIPS),
    st.builds(chip.Take, SEAT, CHIPS),
    st.builds(chip.Rake, AMOUNT),
    st.builds(chip.PotChips, CHIPS),
    st.builds(chip.StackChips, SEAT, CHIPS, AMOUNT, AMOUNT),
    st.builds(chip.ForeignChip, PLACE),
    st.builds(house.Box, SEAT, st.sampled_from(get_args(house.BoxName)), AMOUNT),
    st.builds(house.Play, SEAT, AMOUNT),
    st.builds(house.SetHand, SEAT, CARDS),
    st.builds(house.PayTable, st.sampled_from(get_args(house.PaidBox)), st.just({"flush": (3, 2)})),
    st.builds(
        ev.Ruling,
        st.sampled_from(
            [
                "dead",
                "live",
                "passive",
                "bet",
                "raise",
                "call",
                "fold",
                "play-on",
                "misdeal",
                "cancel",
                "burn",
            ]
        ),
        st.none() | SEAT,
        st.none() | CARD,
        st.none() | AMOUNT,
    ),
)
TERMS = st.builds(
    Terms, st.sampled_from([0.0, 300.0]), st.sampled_from(["delay", "hand-over"]), st.booleans()
)
DEVICES = _made(
    st.builds(ev.Doubt, CARD, st.dictionaries(PLACE, st.floats(0, 1), max_size=3)),
    st.builds(
        ev.Fault,
        st.sampled_from(
            [
                "too-many-tags",
                "undecodable",
                "unforeseen",
                "overload",
                "too-long",
                "second-engine",
                "unreached",
            ]
        ),
        st.sampled_from(["", "a"]),
        st.integers(1, 10_000),
    ),
    st.builds(ev.BrokenJournal, st.just("broken/one.sqlite")),
    st.builds(ev.RestoredJournal, st.just("0011223344556677"), st.just(1)),
    st.builds(ev.ForeignTag, PLACE, st.none() | st.just("blue")),
    st.builds(ev.ClonedTag, CARD, st.tuples(PLACE, PLACE)),
    st.builds(ev.Access, st.sampled_from(["stream", "picture"])),
    st.builds(ev.Directed, st.sampled_from(["hide-all", "lower-third"]), st.integers(0, 10)),
    st.builds(ev.Disclosure, TERMS, TERMS),
    st.builds(
        ev.DeviceState,
        st.sampled_from(["a", "b"]),
        st.sampled_from(["live", "stale", "lost"]),
        st.lists(PLACE, max_size=3).map(tuple),
        st.integers(0, 3),
    ),
    st.builds(
        ev.DeviceState,
        st.sampled_from(["a", "b"]),
        st.just("live"),
        st.lists(PLACE, max_size=1).map(tuple),
        health=st.sampled_from(["ok", "degraded", "failed"]),
        antenna=st.none() | st.integers(0, 1),
    ),
)
CORRECTIONS = _made(
    st.builds(ev.Undo, st.integers(1, 60)),
    st.builds(ev.Amend, st.integers(1, 60), BETTING | CARD_EVENTS | st.just(ev.Hand())),
    st.builds(ev.Insert, st.integers(1, 60), BETTING | CARD_EVENTS | st.just(ev.Hand())),
)
ANY_EVENT = _made(
    SETTING_UP,
    CARD_EVENTS,
    CARD_EVENTS,
    BETTING,
    BETTING,
    BETTING,
    DEVICES,
    st.builds(ev.Hand),
    st.builds(ev.End),
)
BASIS = st.sampled_from(["rfid", "operator", "script"])

BOOK = st.sampled_from(["tda-2022", *sorted(BOOKS)])
GAME = st.sampled_from(["nlhe", *FORMS])
SETUP: tuple[ev.TableEvent, ...] = (
    ev.Rules("tda-2022"),
    ev.Game("nlhe", (50, 100)),
    ev.BringIn(20),
    ev.House("raise-cap", "3"),
    ev.Seats((1, 2, 3, 4)),
    ev.Button(4),
    ev.Chips((25, 100)),
    ev.Stacks(by_seat={1: 1000, 2: 225, 3: 650, 4: 5000}),
)
