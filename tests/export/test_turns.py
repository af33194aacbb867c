"""Hands that are not played in turn, or whose hands die, come out of PHH with the table's stacks: pokerkit
says so.
"""

import warnings
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pokerkit import HandHistory

from tablebridge.engine.script.reader import read
from tablebridge.export.account import accounts
from tablebridge.export.hands import cannot, phh_of
from tablebridge.export.phh import read_phh, write_phh
from tablebridge.model import events as ev
from tablebridge.model.instant import START, later
from tablebridge.sim import phh_hands

from .test_hands import Player

RECORDED = Path(__file__).parents[1] / "sim" / "recorded"
SETUP = "rules tda-2022\ngame nlhe 50/100\nseats 1-4\nbutton 4\nstacks 5000\nhand\ndealt\n"


def entries_of(text):
    return [
        ev.Entry(one.number, later(START, one.at_s), one.event) for one in read(text, "script").statements
    ]


def stacks(hand):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(list(HandHistory.loads(write_phh(hand)))[-1].stacks)


@pytest.mark.parametrize(
    "lines",
    [
        # Dead in turn, before its turn, after it acted, between two rounds.
        "call 3\nruling dead 4\ncall 1\ncheck 2\nburn\nflop 7c 8d 9h\nbet 1 500\nfold 2\nfold 3\nend",
        "ruling dead 2\ncall 3\nfold 4\nfold 1\nend",
        "raise 3 300\nruling dead 3\nfold 4\nfold 1\nend",
        "call 3\nfold 4\ncall 1\ncheck 2\nruling dead 1\nburn\nflop 7c 8d 9h\ncheck 2\nbet 3 200\nfold "
        "2\nend",
        # All others are dead before the hand is over in turn.
        "call 3\nfold 4\nfold 1\ncheck 2\nruling dead 3\nend",
        "call 3\nfold 4\nfold 1\ncheck 2\nburn\nflop 7c 8d 9h\nbet 2 300\ncall 3\nruling dead 2\nend",
        # The bettor throws its hand away before anybody answered.
        "call 3\nfold 4\nfold 1\ncheck 2\nburn\nflop 7c 8d 9h\nbet 2 300\nmuck 2\nend",
        # A dead hand that is all-in, with others who play on, and alone against one.
        "raise 3 1000\nfold 4\nallin 1\nfold 2\ncall 3\nruling dead 1\nend",
        "allin 3\nfold 4\nfold 1\ncall 2\nruling dead 3\nend",
        "allin 3\nfold 4\nfold 1\ncall 2\nburn\nflop 7c 8d 9h\nburn\nturn 2h\nruling dead 3\nend",
    ],
)
def test_a_dead_hand_folds_when_its_turn_comes(lines):
    [account] = accounts(entries_of(SETUP + lines))
    hand = phh_of(account)
    assert not account.incomplete
    assert sum(account.finish.values()) == 20000
    assert stacks(hand) == list(hand.finishing_stacks) == [account.finish[seat] for seat in account.order]


class Wild(Player):
    """Now and then somebody folds out of turn, or the floor kills a hand."""

    def action(self, seat):
        rng, live = self.rng, self.table.live
        other = rng.choice(live)
        if rng.random() < 0.04:
            return ev.Ruling("dead", other)
        if rng.random() < 0.04 and other != seat:
            return ev.Action("fold", other)
        return super().action(seat)


@given(
    seed=st.integers(0, 2**32),
    seats=st.integers(2, 7),
    antes=st.sampled_from([(0, 0), (10, 0), (0, 100)]),
    short=st.booleans(),
)
@settings(max_examples=80)
def test_whatever_dies_pokerkit_comes_to_the_same_stacks(seed, seats, antes, short):
    player = Wild(seed)
    stacked = {seat: player.rng.randint(2, 40) * 100 if short else 10000 for seat in range(1, seats + 1)}
    for event in (
        ev.Game("nlhe", (50, 100)),
        ev.Ante(antes[0]),
        ev.BbAnte(antes[1]),
        ev.Seats(tuple(stacked)),
        ev.Button(1),
        ev.Stacks(by_seat=stacked),
    ):
        player.do(event)
    player.hand()
    [account] = accounts(player.entries)
    assume(not account.incomplete)
    hand = phh_of(account)
    assert account.steps[-1].pot == sum(amount for amount, _ in account.payments)
    # What pokerkit itself does otherwise: two odd chips, and some pots of dead hands that are all-in (others
    # are above). And what cannot be said in turn: a bet of which its dead owner gets back what a shorter
    # all-in did not call.
    dead = {step.seat for step in account.steps if step.deed == "dead"}
    mucked = {
        account.order[int(action.split()[0][1:]) - 1] for action in hand.actions if action.endswith(" sm")
    }
    assume(all(len(won) < 3 for _, won in account.payments))
    assume(not any(step.deed == "chips" and step.seat in dead for step in account.steps))
    assume(not dead & mucked)
    assert stacks(hand) == list(hand.finishing_stacks)


def test_the_floor_plays_on_after_a_misdeal():
    text = (
        SETUP.replace(
            "dealt",
            "deal 1 Ah\ndeal 2 Kh\ndeal 3 2c boxed\ndeal 4 3d boxed\nruling play-on\n"
            "deal 1 Ad\ndeal 2 Kd\ndeal 3 4c\ndeal 4 5c",
        )
        + "fold 3\nfold 4\nraise 1 300\nfold 2\nend"
    )
    [account] = accounts(entries_of(text))
    assert account.state == "over"
    assert account.ruling_lines() == ("play-on",)
    assert [step.deed for step in account.steps if step.seat == 1] == ["blind", "raise", "chips"]
    assert stacks(phh_of(account)) == [5100, 4900, 5000, 5000]


def test_a_hand_that_begins_once_more_untouched_keeps_its_number():
    text = SETUP.replace("hand\n", "hand\nhand\n") + "fold 3\nfold 4\nfold 1\nend"
    assert [account.number for account in accounts(entries_of(text))] == [1]


def test_a_correction_that_came_too_late_changes_nothing():
    entries = entries_of(
        SETUP + "fold 3\nfold 4\nfold 1\nend\n" + "hand\ndealt\nfold 4\nfold 1\nfold 2\nend\n" * 3
    )
    before = [account.finish for account in accounts(entries)]
    fold_3 = next(entry.id for entry in entries if entry.event == ev.Action("fold", 3))
    late = [*entries, ev.Entry(1000, START, ev.Undo(fold_3))]
    assert [account.finish for account in accounts(late)] == before


def test_a_void_hand_is_told_and_its_number_missing():
    made = list(
        accounts(entries_of(SETUP + "fold 3\nruling misdeal\nhand\ndealt\nfold 3\nfold 4\nfold 1\nend"))
    )
    assert [(account.number, account.state) for account in made] == [(1, "void"), (2, "over")]
    assert "void" in cannot(made[0])


def test_times_stand_beside_the_actions():
    [account] = accounts(
        entries_of(SETUP.replace("hand\n", "@10 hand\n") + "@20 fold 3\n@25.5 fold 4\nfold 1\nend")
    )
    hand = phh_of(account)
    assert dict(zip(hand.actions, hand.other["_times"], strict=True))["p4 f"] == 15.5
    assert hand.other["_began"] == "1970-01-01T00:00:10.000Z"


@pytest.mark.parametrize("path", sorted(RECORDED.rglob("*.phh")), ids=lambda path: path.stem)
def test_a_recorded_hand_of_any_game_comes_out_as_it_went_in(path, monkeypatch):
    kept = []
    apply = phh_hands.Table.apply
    monkeypatch.setattr(
        phh_hands.Table, "apply", lambda self, entry: (kept.append(entry), apply(self, entry))[1]
    )
    record = read_phh(path)
    played = phh_hands.fold(record)
    if played.refused or played.incomplete:
        pytest.skip(played.refused or played.incomplete[0])
    [account] = [one for one in accounts(kept) if one.state == "over"]
    hand = phh_of(account)
    assert hand.variant == record.variant
    assert list(hand.finishing_stacks) == list(played.stacks)
    assert stacks(hand) == list(hand.finishing_stacks)
