"""PHH files: what is written can be read again, by us and by pokerkit; differences are told."""

import tomllib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit import HandHistory

from tablebridge.export.phh import PhhHand, parse_phh, read_phh, same_hand, write_phh
from tablebridge.model.errors import ConfigError

HAND = PhhHand(
    variant="NT",
    ante_trimming_status=True,
    antes=(0, 0, 0),
    blinds_or_straddles=(50, 100, 0),
    min_bet=100,
    starting_stacks=(10000, 10000, 5000),
    seats=(4, 5, 6),
    players=("Ann", 'Bö "b"', "C\\d\x7f"),
    finishing_stacks=(9950, 10350, 4700),
    actions=(
        "d dh p1 AhKd",
        "d dh p2 ????",
        "d dh p3 7c7d",
        "p3 cbr 300",
        "p1 f",
        "p2 cc",
        "d db 2c3d9h",
        "p2 cc",
        "p3 cc",
        "d db Js",
        "p2 cc",
        "p3 cc",
        "d db Jd",
        "p2 cc",
        "p3 cc",
        "p2 sm QsQc",
        "p3 sm",
    ),
    other={"hand": 7, "_burns": ["4c"], "_note": {"a key": [1.5, True]}},
)


def changed(**fields):
    return msgspec.structs.replace(HAND, **fields)


def test_what_is_written_is_read_again(tmp_path):
    path = tmp_path / "hand.phh"
    path.write_text(write_phh(HAND), encoding="utf-8")
    assert read_phh(path) == HAND
    assert same_hand(HAND, read_phh(path)) == []


def test_pokerkit_loads_what_is_written():
    hand = HandHistory.loads(write_phh(HAND))
    assert list(hand.actions) == list(HAND.actions)
    assert hand.seats == [4, 5, 6]
    assert hand.user_defined_fields["_burns"] == ["4c"]


def test_comments_in_actions_and_file_are_dropped():
    hand = parse_phh(
        """# a hand
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 1000]
actions = [
  "d dh p1 AhKd",  # Ann
  "d dh p2 2c2d",
  "p2 f  # sighs",
]
""",
        "x",
    )
    assert hand.actions == ("d dh p1 AhKd", "d dh p2 2c2d", "p2 f")


def test_cards_shown_later_are_known():
    assert HAND.holes == {1: ("Ah", "Kd"), 2: ("Qs", "Qc"), 3: ("7c", "7d")}
    assert HAND.board == ("2c", "3d", "9h", "Js", "Jd")
    assert HAND.betting == (("p3 cbr 300", "p1 f", "p2 cc"), *[("p2 cc", "p3 cc")] * 3)


def test_hole_cards_and_flop_may_come_in_any_order():
    other = changed(
        actions=tuple(
            {"d dh p1 AhKd": "d dh p1 KdAh", "d db 2c3d9h": "d db 9h2c3d"}.get(action, action)
            for action in HAND.actions
        )
    )
    assert same_hand(HAND, other) == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("d dh p1 AhKd", "d dh p1 AhKc", "The hole cards of p1 differ."),
        ("d dh p3 7c7d", "d dh p3 ??7d", "The hole cards of p3 differ."),
        ("d db Js", "d db Jh", "The turn differs."),
        (
            "p3 cbr 300",
            "p3 cbr 350",
            "Betting round 1 is [p3 cbr 350, p1 f, p2 cc] instead of [p3 cbr 300, p1 f, p2 cc].",
        ),
    ],
)
def test_another_action_is_a_difference(old, new, told):
    other = changed(actions=tuple(new if action == old else action for action in HAND.actions))
    assert same_hand(HAND, other) == [told]


def test_other_stacks_and_winners_are_a_difference():
    assert same_hand(HAND, changed(finishing_stacks=(9950, 9700, 5350))) == [
        "The stacks at the end are 9950, 9700, 5350 instead of 9950, 10350, 4700.",
        "The winners are p3 instead of p2.",
    ]
    assert same_hand(HAND, changed(starting_stacks=(10000, 10000, 6000))) != []
    assert same_hand(HAND, changed(blinds_or_straddles=(25, 100, 0))) != []
    assert same_hand(HAND, changed(variant="PO")) != []


def test_a_missing_street_is_a_difference():
    short = changed(actions=HAND.actions[:9], finishing_stacks=HAND.finishing_stacks)
    told = same_hand(HAND, short)
    assert "The turn differs." in told
    assert "The river differs." in told


def test_unknown_cards_may_come_as_any():
    shown = tuple(action for action in HAND.actions if "sm" not in action)
    came = tuple("d dh p2 TdTh" if action == "d dh p2 ????" else action for action in shown)
    assert same_hand(changed(actions=shown), changed(actions=came)) == []
    assert same_hand(changed(actions=came), changed(actions=shown)) == ["The hole cards of p2 differ."]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("variant = ", "no PHH file"),
        ("variant = 'NT'", "no PHH hand"),
        ("variant = 'NT'\nantes = [0]\nstarting_stacks = [1, 2]\nactions = []", "antes is for 1 players"),
        (
            "variant = 'NT'\nantes = [0, 0]\nstarting_stacks = [1, 2]\nactions = ['p3 f']",
            "names player 3 of 2",
        ),
        (
            "variant = 'NT'\nantes = [0, 0]\nstarting_stacks = [1, 2]\nactions = ['d db 1x']",
            "no card is written",
        ),
        ("variant = 'NT'\nantes = [0, 0]\nstarting_stacks = [1, 2]\nactions = ['']", "an action is empty"),
        ("variant = 'NT'\nantes = [0, 0]\nstarting_stacks = [1, 2]\nactions = ['q1 f']", "is no player"),
    ],
)
def test_what_is_no_hand_is_refused_in_a_sentence(text, told):
    with pytest.raises(ConfigError, match=told):
        parse_phh(text, "x.phh")


def test_a_missing_file_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        read_phh(tmp_path / "none.phh")
    (tmp_path / "latin.phh").write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="UTF-8"):
        read_phh(tmp_path / "latin.phh")


texts = st.text(st.characters(codec="utf-8"), max_size=6)
values = st.recursive(
    st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


@given(values)
def test_any_field_of_a_user_comes_back(value):
    assert tomllib.loads(write_phh(changed(other={"_field": value})))["_field"] == value
