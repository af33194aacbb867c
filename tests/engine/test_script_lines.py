"""Lines of table script: every event has one, every line has its event, and whatever is wrong is told in a
sentence.
"""

import re
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablebridge.engine.script.statements import DECKS, GAMES, RULEBOOKS, STATEMENTS, parse_line
from tablebridge.engine.script.writer import line_of
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
from tablebridge.model.errors import ScriptError
from tablebridge.model.places import BOARD, BURN, FLOOR, MUCK, POT, STUB, TRAY, bet_place, seat_place

seat = st.integers(1, 10)
choice = st.sampled_from(["", "post", "wait"])
offence = st.sampled_from(deed.OFFENCES)
amount = st.integers(0, 10**12 - 1)
count = st.integers(0, 1000)
card = st.sampled_from([*DECK_52, *(Card(f"{one}*") for one in DECK_52), UNKNOWN, JOKER, BLANK])
cards = st.lists(card, min_size=1, max_size=5).map(tuple)
seats = st.lists(seat, min_size=1, unique=True).map(tuple)
chips = st.lists(st.sampled_from([1, 25, 100, 500]), min_size=1, max_size=8).map(tuple)
stakes = st.tuples(amount, amount)
spoken = st.characters(codec="utf-8", exclude_characters='"', exclude_categories=["Cc", "Cs", "Zl", "Zp"])
words = st.text(spoken).filter(str.strip)
place = st.sampled_from([BOARD, MUCK, BURN, STUB, FLOOR, *map(seat_place, range(1, 11))])
flag = st.booleans()
deck = st.sampled_from(["", "red", "blue-2"])

EVENTS = {
    ev.Rules: st.builds(ev.Rules, st.sampled_from([*RULEBOOKS, "house.toml"])),
    ev.Game: st.builds(ev.Game, st.sampled_from(GAMES), stakes, st.none() | stakes),
    ev.Ante: st.builds(ev.Ante, amount),
    ev.BbAnte: st.builds(ev.BbAnte, amount),
    ev.BringIn: st.builds(ev.BringIn, amount),
    ev.Seats: st.builds(ev.Seats, seats.map(sorted).map(tuple)),
    ev.Button: st.builds(ev.Button, seat, flag),
    ev.Stacks: st.builds(ev.Stacks, amount)
    | st.builds(ev.Stacks, by_seat=st.dictionaries(seat, amount, min_size=1)),
    ev.Chips: st.builds(ev.Chips, st.sets(st.integers(1, 10**6), min_size=1).map(sorted).map(tuple)),
    ev.Absent: st.builds(ev.Absent, seats),
    ev.Penalty: st.builds(ev.Penalty, seats),
    ev.Deck: st.builds(ev.Deck, st.sampled_from(DECKS)),
    ev.House: st.builds(
        ev.House, st.sampled_from(["raise-cap", "event-players"]), st.integers(0, 1000).map(str)
    )
    | st.builds(ev.House, st.just("hand-for-hand"), st.sampled_from(["yes", "no"])),
    ev.Hand: st.builds(ev.Hand, stakes=st.none() | stakes),
    timed.Tick: st.just(timed.Tick()),
    timed.DrawClock: st.builds(timed.DrawClock, seat),
    timed.LevelClock: st.builds(timed.LevelClock, st.just("set"), st.integers(1, 86_400))
    | st.builds(timed.LevelClock, st.sampled_from(["stop", "run"])),
    timed.Break: st.builds(timed.Break, st.integers(1, 86_400)),
    timed.HandForHand: st.builds(timed.HandForHand, st.sampled_from(["on", "go", "over"])),
    ev.Shuffled: st.just(ev.Shuffled()),
    ev.Unshuffled: st.just(ev.Unshuffled()),
    ev.Uncut: st.just(ev.Uncut()),
    ev.DealerChange: st.just(ev.DealerChange()),
    ev.End: st.just(ev.End()),
    ev.Cut: st.builds(ev.Cut, st.none() | card),
    key.ShufflerLid: st.builds(key.ShufflerLid, flag),
    key.Exposed: st.just(key.Exposed()),
    key.CallFloor: st.builds(
        key.CallFloor, st.sampled_from(["", "rule", "cards", "chips", "player", "device", "other"])
    ),
    key.FloorSettled: st.just(key.FloorSettled()),
    key.StepDone: st.builds(key.StepDone, st.sampled_from(["812.0", "9.typed"]), st.integers(0, 16), flag),
    ev.Shuffler: st.builds(ev.Shuffler, st.sampled_from(["ok", "started", "ready", "jam", "door"]))
    | st.builds(ev.Shuffler, st.just("count"), count=count)
    | st.builds(ev.Shuffler, st.just("boxed"), cards)
    | st.builds(ev.Shuffler, st.sampled_from(["missing", "extra"]), st.tuples(card)),
    ev.DeckCheck: st.builds(ev.DeckCheck, cards, deck)
    | st.builds(ev.DeckCheck, st.just(()), deck, st.sampled_from(["begin", "end"])),
    ev.DeckInPlay: st.builds(ev.DeckInPlay, deck.filter(bool)),
    ev.Level: st.builds(ev.Level, stakes),
    ev.Arrives: st.builds(ev.Arrives, seat),
    ev.Post: st.builds(ev.Post, seat, chips),
    ev.Deal: st.builds(ev.Deal, seat, card, flag, flag, flag),
    ev.Dealt: st.builds(ev.Dealt, st.just(()) | cards),
    ev.Holds: st.builds(ev.Holds, seat, count),
    ev.Boxed: st.builds(ev.Boxed, card),
    ev.Marked: st.builds(ev.Marked, card),
    ev.Back: st.builds(ev.Back, card),
    ev.Burn: st.builds(ev.Burn, st.none() | card),
    ev.Street: st.builds(ev.Street, st.sampled_from(["flop", "turn", "river"]), cards),
    ev.BoardExposed: st.builds(ev.BoardExposed, card),
    ev.Draw: st.builds(ev.Draw, seat, count, st.just(()) | cards),
    ev.RunAgain: st.builds(ev.RunAgain, st.integers(0, 10)),
    ev.Expose: st.builds(ev.Expose, seat, card, flag),
    ev.PickUp: st.builds(ev.PickUp, seat),
    ev.Muck: st.builds(ev.Muck, seat),
    ev.Mixed: st.builds(ev.Mixed, seat),
    ev.Tabled: st.builds(ev.Tabled, seat, cards),
    ev.Ask: st.builds(ev.Ask, seat, seat),
    ev.Seen: st.builds(ev.Seen, card, place),
    ev.Stub: st.builds(ev.Stub, count)
    | st.builds(ev.Stub, st.none(), st.sampled_from(["disordered", "mixed"])),
    ev.Action: st.builds(ev.Action, st.sampled_from(["check", "fold", "call", "allin"]), seat)
    | st.builds(ev.Action, st.sampled_from(["bet", "raise"]), seat, amount),
    ev.Say: st.builds(ev.Say, seat, words),
    ev.PotCount: st.builds(ev.PotCount, amount),
    ev.ChipsIn: st.builds(ev.ChipsIn, seat, chips),
    ev.ChipsBack: st.builds(ev.ChipsBack, seat, chips)
    | st.builds(ev.ChipsBack, seat, everything=st.just(True)),
    ev.AllinButton: st.builds(ev.AllinButton, seat),
    ev.Clock: st.builds(ev.Clock, seat, st.none() | seat),
    ev.ClockExpired: st.builds(ev.ClockExpired, seat),
    chip.Tray: st.builds(chip.Tray, chips | st.just(()), st.booleans()),
    chip.Fill: st.builds(chip.Fill, chips),
    chip.Credit: st.builds(chip.Credit, chips),
    chip.Pay: st.builds(chip.Pay, seat, chips),
    chip.Take: st.builds(chip.Take, seat, chips),
    chip.Rake: st.builds(chip.Rake, amount),
    chip.PotChips: st.builds(chip.PotChips, chips | st.just(())),
    chip.StackChips: st.builds(chip.StackChips, seat, chips | st.just(()), amount, amount),
    chip.ChipsOf: st.builds(chip.ChipsOf, seat, chips),
    chip.Race: st.builds(
        lambda leaving, several: chip.Race(leaving, several * leaving),
        st.integers(1, 1000),
        st.integers(2, 20),
    ),
    chip.RaceCard: st.builds(chip.RaceCard, seat, cards),
    chip.RaceOver: st.builds(chip.RaceOver),
    chip.Exchange: st.builds(chip.Exchange, seat, chips),
    chip.Lammer: st.builds(chip.Lammer, seat, amount),
    chip.Collect: st.builds(chip.Collect, seat, amount),
    blind.NoLook: st.builds(blind.NoLook, seat, amount),
    blind.Straddle: st.builds(blind.Straddle, seat, amount),
    blind.Kill: st.just(blind.Kill(None)) | st.builds(blind.Kill, seat, st.sampled_from([1, 2])),
    blind.Bomb: st.builds(blind.Bomb, st.integers(1, 10**6), st.sampled_from([1, 2])),
    ev.InDoubt: st.builds(ev.InDoubt, st.none() | seat, st.integers(0, 5), st.booleans()),
    chip.ForeignChip: st.builds(
        chip.ForeignChip,
        st.sampled_from([TRAY, POT, bet_place(3)]),
        st.sampled_from(["unknown-tag", "two-places"]),
    ),
    ask.AskPot: st.builds(ask.AskPot, seat),
    shuffling.Riffle: st.just(shuffling.Riffle()),
    shuffling.Strip: st.builds(shuffling.Strip, st.integers(0, 52)),
    shuffling.Wash: st.just(shuffling.Wash()),
    shuffling.Square: st.just(shuffling.Square()),
    ask.CalledOn: st.builds(ask.CalledOn, seat),
    chip.Behind: st.builds(chip.Behind, seat, chips),
    ask.TokenBet: st.builds(ask.TokenBet, seat, st.sampled_from(["bounty", "time", "other"])),
    ask.Dispute: st.builds(ask.Dispute, seat, st.sampled_from(["reading", "payment", "deck"])),
    deed.Warned: st.builds(deed.Warned, seat, offence),
    deed.Infraction: st.builds(deed.Infraction, seat, offence),
    deed.MissedHands: st.builds(
        deed.MissedHands,
        seat,
        st.integers(1, 100),
        st.sampled_from(["hands", "rounds"]),
        offence | st.just(""),
    ),
    deed.PenaltyOver: st.builds(deed.PenaltyOver, seat),
    deed.Disqualified: st.builds(deed.Disqualified, seat, offence | st.just("")),
    deed.Leaves: st.builds(deed.Leaves, seat),
    sit.Enters: st.builds(sit.Enters, seat, amount, st.sampled_from(sit.ENTRY_KINDS), choice),
    sit.SitsOut: st.builds(sit.SitsOut, seat),
    sit.Returns: st.builds(sit.Returns, seat, st.none() | amount, choice),
    sit.MissedBlind: st.builds(sit.MissedBlind, seat, st.sampled_from(sit.MISSED)),
    sit.ChangesSeat: st.builds(sit.ChangesSeat, st.integers(1, 5), st.integers(6, 10)),
    sit.Adds: st.builds(sit.Adds, seat, amount),
    sit.Removes: st.builds(sit.Removes, seat, amount),
    sit.Rebuys: st.builds(sit.Rebuys, seat, amount, flag),
    sit.ButtonCard: st.builds(sit.ButtonCard, seat, card),
    house.Box: st.builds(house.Box, seat, st.sampled_from(get_args(house.BoxName)), amount),
    house.Play: st.builds(house.Play, seat, amount),
    house.SetHand: st.builds(house.SetHand, seat, st.tuples(card, card)),
    house.PayTable: st.builds(
        house.PayTable,
        st.sampled_from(get_args(house.PaidBox)),
        st.dictionaries(
            st.sampled_from(house.MADE), st.tuples(st.integers(0, 999_999), st.integers(1, 9)), min_size=1
        ),
    ),
    ev.Ruling: st.builds(ev.Ruling, st.sampled_from(["dead", "live", "passive", "call", "fold"]), seat)
    | st.builds(ev.Ruling, st.sampled_from(["play-on", "misdeal"]))
    | st.builds(ev.Ruling, st.just("burn"), card=card)
    | st.builds(ev.Ruling, st.sampled_from(["bet", "raise", "call"]), seat, amount=amount),
}
BESIDE = {
    ev.Names: ev.Names({3: "Ann"}),
    ev.Undo: ev.Undo(7),
    ev.Amend: ev.Amend(7, ev.Deal(3, Card("Kh"))),
    ev.Insert: ev.Insert(7, ev.Deal(3, Card("Kh")), "left out"),
    ev.Doubt: ev.Doubt(Card("Kh"), {BOARD: 0.6, MUCK: 0.4}),
    ev.ForeignTag: ev.ForeignTag(BOARD, "blue"),
    ev.BrokenJournal: ev.BrokenJournal("broken-20261121T110000Z/one.sqlite"),
    ev.RestoredJournal: ev.RestoredJournal("0011223344556677", 1_790_000_000_000_000_000),
    ev.ClonedTag: ev.ClonedTag(Card("Kh"), (BOARD, MUCK)),
    ev.DeviceState: ev.DeviceState("reader", "lost", (BOARD,), 3),
    ev.Access: ev.Access("stream", "4f0c21aa", 300.0),
    ev.Directed: ev.Directed("focus-seat", 3),
    ev.Disclosure: ev.Disclosure(Terms(0.0, "delay", True), Terms(300.0, "hand-over", True)),
    ev.Fault: ev.Fault("overload", "reader", 3),
}


def test_the_properties_cover_every_event():
    assert EVENTS.keys() | BESIDE.keys() == set(ev.TableEvent.__args__)


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
@settings(max_examples=25)
@given(st.data())
def test_a_line_is_read_as_the_event_it_was_written_from(kind, data):
    event = data.draw(EVENTS[kind])
    assert parse_line(line_of(event)) == event


def test_what_is_wrong_with_a_card_is_written_in_the_order_of_the_language():
    event = ev.Deal(1, Card("Kh"), up=True, exposed=True, boxed=True)
    assert line_of(event) == "deal 1 Kh up exposed boxed"


@given(st.one_of(*EVENTS.values(), *map(st.just, BESIDE.values())))
def test_hidden_faces_are_not_written(event):
    written = line_of(event, hide=lambda one: True)
    assert "\n" not in written
    if not isinstance(event, (ev.Say, ev.Names)):
        assert not re.search(r"\b[2-9TJQKA][cdhs]\b", written)


@pytest.mark.parametrize("event", BESIDE.values(), ids=lambda event: type(event).__name__)
def test_what_is_no_statement_is_a_comment(event):
    assert line_of(event).startswith("# ")


def test_only_the_hidden_faces_are_unknown():
    line = line_of(ev.Tabled(3, (Card("Ah"), Card("Kd"))), hide=lambda one: one == "Ah")
    assert line == "table 3 ?? Kd"


def test_words_that_cannot_be_quoted_are_still_one_line():
    assert parse_line(line_of(ev.Say(3, 'I "raise"\nto 800'))) == ev.Say(3, "I 'raise' to 800")


@given(
    st.text(st.characters(codec="utf-8"))
    | st.lists(
        st.sampled_from(
            [*STATEMENTS, "1", "11", "Kh", "??", "up", "all", "100", "2x25", "50/100", '"x"', "#"]
        )
    ).map(" ".join)
)
def test_any_text_is_an_event_or_a_sentence(text):
    try:
        event = parse_line(text)
    except ScriptError as error:
        assert str(error)
    else:
        assert parse_line(line_of(event)) == event


def test_words_after_a_comment_sign_are_no_words():
    assert parse_line("fold 3 # slowly") == ev.Action("fold", 3)
    assert parse_line('say 3 "#1" # said') == ev.Say(3, "#1")


def test_ranges_and_single_seats_go_together():
    assert parse_line("seats 5 1-3") == ev.Seats((1, 2, 3, 5))
    assert line_of(ev.Seats((1, 2, 4))) == "seats 1 2 4"
    assert line_of(ev.Seats((1, 2, 3))) == "seats 1-3"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "expected a statement, found nothing"),
        ("del 1 Kh", "no statement begins with 'del'; did you mean deal?"),
        (
            "deal 11 Kh",
            "expected a seat from 1 to 10, found '11', as in: deal SEAT CARD [up] [exposed] [boxed]",
        ),
        ("deal 1", "expected a card such as Kh"),
        ("deal 1 10h", "expected a card such as Kh"),
        ("deal 1 Kh up up", "expected the end of the line or one of: exposed, boxed, found 'up'"),
        ("burn Kh Qd", "expected the end of the line, found a card"),
        ("hand 3", "expected the end of the line, found '3'"),
        ("seats 1 2 1", "expected each seat once"),
        ("seats 5-2", "expected a range of seats that ascends"),
        ("seats", "expected seats such as 1-6"),
        ("stacks 1:500 2", "expected SEAT:AMOUNT"),
        ("chips 25 5", "expected denominations above 0, ascending"),
        ("chips-in 3 1000+", "expected a chip list"),
        ("chips-in 3 0x25", "expected one chip or more"),
        ("chips-in 3 999999999999x25", "expected a chip list of at most 10000 chips"),
        ("bet 3 99999999999999", "expected an amount, a whole number up to 999999999999"),
        ("seats 1-", "expected a range of seats such as 1-6, found '1-'"),
        ("bet 3 -5", "expected an amount, a whole number, found '-5'"),
        ("house clock 15+x", "expected seconds and those of the countdown, such as 15+5, found '15+x'"),
        ("race 25 60", "expected a denomination above 0 and one that is worth several of it"),
        ("race 25 25", "expected a denomination above 0 and one that is worth several of it"),
        ("bet 3 ٣", "expected an amount, a whole number"),
        ("game nlh 50/100", "expected a game (perhaps nlhe), found 'nlh'"),
        ("game nlhe 50", "expected stakes such as 50/100, found '50'"),
        ("rules tda-2023", "expected a rulebook (perhaps tda-2024)"),
        ("house raise-cap yes", "expected a number, a whole number"),
        ("say 3 raise", "expected words between double quotes, such as \"raise 8000\", found 'raise'"),
        ('say 3 "raise', 'expected a closing "'),
        ('say 3 "raise" 5', "expected the end of the line after the quoted words"),
        ('say 3 " "', "expected words between double quotes"),
        ('fold 3 "x"', "expected the end of the line, found 'quoted words'"),
        ("seen Kh tray", "expected a place"),
        ("stub many", "expected a number of cards, disordered or mixed"),
        ("ruling burn 4", "expected a card"),
        ("! quiet", "expected a statement, found an expectation"),
    ],
)
def test_a_wrong_line_is_refused_with_what_was_expected(line, told):
    with pytest.raises(ScriptError, match=re.escape(told)):
        parse_line(line)


@pytest.mark.parametrize(
    "line", ["Kh", "Kh* 3", "burn Kh Qd", "fold Kh", "seen Kh Qd", "say Kh Qd", "house Kh 3"]
)
def test_a_refusal_names_no_face(line):
    with pytest.raises(ScriptError) as error:
        parse_line(line)
    assert not re.search(r"found '?[KQ][hd]", str(error.value))
    assert "Qd" not in str(error.value)
