"""PHH files as hands to be played: what is understood, and what is refused with a reason."""

from pathlib import Path
from random import Random

import pytest

from tablebridge.export.phh import parse_phh
from tablebridge.sim.hands import Act, Board, GiveUp, Show
from tablebridge.sim.recorded import Skipped, hand_of
from tablebridge.sim.replay import read_all, setup_lines

HAND = """\
variant = "NT"
antes = [0, 20, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [500, 1000, 800]
actions = ["d dh p1 AhKh", "d dh p2 ????", "d dh p3 7c2d", "p1 cc", "p2 cc", "d db 2h9s4c",
  "p1 cbr 495 # all-in but for the forced bets", "p2 cc", "p1 sm AhKh", "p2 sm", "d db 9h", "d db Qh"]
"""


def test_a_hand_is_taken_with_what_it_leaves_to_be_understood() -> None:
    hand, record = hand_of(parse_phh(HAND, "test"), Random(1))
    assert (
        hand.order == (1, 2, 3)
        and hand.button == 3
        and hand.blinds == (5, 10)
        and (hand.ante, hand.bb_ante) == (0, 20)
    )
    assert hand.steps == (
        Act(3, "fold"),
        Act(1, "call"),
        Act(2, "check"),
        Board("flop", ("2h", "9s", "4c")),
        Act(1, "bet", 495, all_in=True),
        Act(2, "call"),
        Show(1),
        GiveUp(2),
        Board("turn", ("9h",)),
        Board("river", ("Qh",)),
    )
    assert record.actions[3] == "p3 f"
    assert "bb-ante 20" in setup_lines(hand) and "seats 1-3" in setup_lines(hand)


def test_cards_nobody_knows_are_cards_that_lie_nowhere_else() -> None:
    for seed in range(50):
        hand, _ = hand_of(parse_phh(HAND, "test"), Random(seed))
        assert len(hand.known_cards()) == 6 + 5


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"NT"', '"NS"', "short-deck"),
        ('"NT"', '"PO"', "not 4 cards"),
        ("[5, 10, 0]", "[5, 10, 20]", "small and one big blind"),
        ("[0, 20, 0]", "[5, 20, 0]", "antes differ"),
        ("[500, 1000, 800]", "[500.5, 1000, 800]", "parts of chips"),
        ('"d dh p3 7c2d", ', "", "not 2 cards"),
        ('"p2 cc", "d db 2h9s4c"', '"p2 cc", "p2 cc", "d db 2h9s4c"', "before its turn"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(old: str, new: str, reason: str) -> None:
    with pytest.raises(Skipped, match=reason):
        hand_of(parse_phh(HAND.replace(old, new), "test"), Random(1))


def test_names_that_clash_keep_their_folders(tmp_path: Path) -> None:
    for name in ("a/1.phh", "b/1.phh", "b/2.phh"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(HAND)
    recordings = read_all([tmp_path, tmp_path / "b" / "2.phh"], Path("out"), Random(1))
    assert [recording.out.as_posix() for recording in recordings] == [
        "out/a/1.phh",
        "out/b/1.phh",
        "out/2.phh",
    ]
