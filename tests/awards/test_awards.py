"""High hands and bad beats: which hands a room's rules pay, and how that is proved."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from tablebridge.awards.claims import Claim, best, claims, shares
from tablebridge.awards.receipt import AwardReceipt, disproved
from tablebridge.awards.rules import AwardRules, BadBeat, HighHand, load_award_rules
from tablebridge.cli.awards import command
from tablebridge.engine.script.statements import parse_line
from tablebridge.engine.table import Table
from tablebridge.export.account import accounts
from tablebridge.journal.store import Journal
from tablebridge.model.errors import ConfigError
from tablebridge.model.events import Entry
from tablebridge.model.instant import START, later

HIGH = HighHand(name="high", least="Th Td Tc Js Jd", games=("nlhe", "plo"))
BEAT = BadBeat(name="beat", beaten="2c 2d 2h 2s 3c", games=("nlhe", "plo"))
SET_UP = ("game nlhe 50/100", "seats 1-4", "stacks 10000", "button 1")
QUADS = (
    "hand",
    *("deal 2 8c", "deal 3 Ah", "deal 4 3c", "deal 1 4c", "deal 2 8d", "deal 3 Kh", "deal 4 5d", "deal 1 6d"),
    "call 4",
    "call 1",
    "call 2",
    "check 3",
    "burn",
    "flop 8h Qh Jh",
    "check 2",
    "check 3",
    "check 4",
    "check 1",
    "burn",
    "turn Th",
    "bet 2 1000",
    "call 3",
    "fold 4",
    "fold 1",
    "burn",
    "river 8s",
    "bet 2 1000",
    "call 3",
    "table 2 8c 8d",
    "table 3 Ah Kh",
    "end",
)
"""Four eights lose to a royal flush: both own cards play, the pot is 4400."""


HOLDS = {"deal 2 8c": "deal 2 Qs", "deal 2 8d": "deal 2 Qd", "table 2 8c 8d": "table 2 Qs Qd"}
"""Other cards for seat 2."""


def entries(*lines: str) -> list[Entry]:
    return [Entry(number, later(START, number), parse_line(line)) for number, line in enumerate(lines, 1)]


def found(rules: AwardRules, *lines: str) -> list[Claim]:
    return list(claims(rules, accounts(entries(*SET_UP, *lines))))


def rules(*some: HighHand | BadBeat) -> AwardRules:
    return AwardRules(
        high_hand=[rule for rule in some if isinstance(rule, HighHand)],
        bad_beat=[rule for rule in some if isinstance(rule, BadBeat)],
    )


def test_the_hand_of_the_test_is_ruled_as_it_is_meant() -> None:
    table = Table("one")
    outcomes = [table.apply(entry) for entry in entries(*SET_UP, *QUADS)]
    assert [outcome.ignored for outcome in outcomes if outcome.ignored] == []
    assert {found.finding for outcome in outcomes for found in outcome.findings} == {"show-order"}


def test_both_hands_are_high_and_the_royal_flush_is_the_best() -> None:
    both = found(rules(HIGH), *QUADS)
    assert [(claim.made.seat, claim.made.makes, claim.is_paid) for claim in both] == [
        (2, "four", True),
        (3, "straight-flush", True),
    ]
    assert [claim.made.seat for claim in best(both)["high"]] == [3]
    assert both[0].pot == 4400 and both[0].dealt_in == (2, 3, 4, 1)


def test_four_eights_that_lose_are_a_bad_beat_and_the_jackpot_is_divided() -> None:
    (claim,) = found(rules(BEAT), *QUADS)
    assert claim.is_paid and claim.beaten_by is not None
    assert (claim.made.seat, claim.beaten_by.seat) == (2, 3)
    assert shares(BEAT, claim, 10_001) == {1: 1250, 2: 5001, 3: 2500, 4: 1250}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"least_pot": 4400}, ()),
        ({"least_pot": 4401}, ("the pot of 4400 is below 4401",)),
        ({"least_seats": 4}, ()),
        ({"least_seats": 5}, ("4 players were dealt in, not 5",)),
        ({"beaten": "8h 8d 8c 8s Ac"}, None),
        ({"games": ("plo",)}, None),
    ],
)
def test_each_condition_is_asked_at_its_border(
    change: dict[str, object], why: tuple[str, ...] | None
) -> None:
    several = found(rules(BadBeat(**{**BEAT.model_dump(), **change})), *QUADS)
    assert [claim.why_not for claim in several] == ([] if why is None else [why])


def test_a_hand_that_the_board_makes_as_well_does_not_play_both_cards() -> None:
    board = {"flop 8h Qh Jh": "flop 8h 8s Kc", "turn Th": "turn Kd", "river 8s": "river Ks"}
    hand = [board.get(line, line) for line in QUADS]
    hand = [HOLDS.get(line, line) for line in hand]
    (claim,) = found(rules(HIGH.model_copy(update={"least": "8c 8d 8h Kc Kd"})), *hand)[:1]
    # Seat 2 holds a pair of queens beside K-K-K-8-8: kings full of queens plays both.
    assert claim.made.seat == 2 and claim.made.both_cards
    one = [line.replace("Qs Qd", "Qs 2d").replace("deal 2 Qd", "deal 2 2d") for line in hand]
    claim = next(claim for claim in found(rules(HIGH), *one) if claim.made.seat == 2)
    assert claim.why_not == ("not both own cards play",)


def test_four_of_a_kind_wants_a_pair_in_the_hand_if_the_room_says_so() -> None:
    rule = HIGH.model_copy(update={"pair_for_four": True})
    assert [claim.why_not for claim in found(rules(rule), *QUADS)] == [(), ()]
    hand = [line.replace("8c 8d", "8c Ad").replace("deal 2 8d", "deal 2 Ad") for line in QUADS]
    hand = [line.replace("turn Th", "turn 8d") for line in hand]
    (claim,) = [claim for claim in found(rules(rule), *hand) if claim.made.seat == 2]
    assert "four of a kind without a pair in the hand" in claim.why_not


def test_a_hand_that_was_not_shown_is_no_claim() -> None:
    """The antennas know the cards, the table never saw them."""
    hand = [line for line in QUADS if not line.startswith("table 2")]
    assert [claim.made.seat for claim in found(rules(HIGH, BEAT), *hand)] == [3]


def test_a_void_hand_pays_nothing() -> None:
    assert found(rules(HIGH, BEAT), *QUADS[:-1], "ruling misdeal") == []


TEXT = """
[[high_hand]]
name = "Night"
least = "Th Td Tc Js Jd"

[[bad_beat]]
name = "Beat"
beaten = "2c 2d 2h 2s 3c"
least_pot = 1000
"""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[[high_hand]]\nname = "a"\nleast = "Th Td"\n', ":3: "),
        ('[[high_hand]]\nname = "a"\nleast = "Th Td Tc Js Js"\n', "no hand of five cards"),
        ('[[high_hand]]\nname = "a"\nleest = "Th Td Tc Js Jd"\n', "least"),
        ('[[bad_beat]]\nname = "a"\nbeaten = "Th Td Tc Js Jd"\nloser = 90\n', "140 per cent together"),
        ('[[high_hand]]\nname = "a"\nleast = "Th Td Tc Js Jd"\ngames = ["badugi"]\n', "no high hand is made"),
        (TEXT.replace("Night", "Beat"), "two rules are called 'Beat'"),
        ("", "there is no rule"),
    ],
)
def test_a_wrong_rule_file_is_named_with_its_line(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "awards.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as error:
        load_award_rules(path)
    assert why in str(error.value)


def recorded(folder: Path, *lines: str) -> Path:
    path = folder / "one.sqlite"
    journal, table = Journal(path, "one"), Table("one")
    with journal.transaction():
        for line in (*SET_UP, *lines):
            number = journal.next_number
            entry = Entry(number, later(START, number), parse_line(line))
            journal.record("entry", entry)
            for finding in table.apply(entry).findings:
                journal.record("finding", finding)
    journal.close()
    return path


def test_the_command_lists_claims_and_writes_receipts_that_the_journal_proves(tmp_path: Path) -> None:
    journal, rule_file = recorded(tmp_path, *QUADS), tmp_path / "awards.toml"
    rule_file.write_text(TEXT)
    run = CliRunner().invoke(
        command,
        ["list", str(rule_file), str(journal), "--receipts", str(tmp_path / "paid"), "--jackpot", "1000"],
    )
    assert run.exit_code == 0, run.output
    assert "best of Night: one hand 1 seat 3" in run.output
    assert "seat 2 Qh 8s 8h 8d 8c beaten by Ah Kh Qh Jh Th of seat 3, pot 4400: Beat pays" in run.output
    written = sorted((tmp_path / "paid").iterdir())
    assert len(written) == 3 and all(path.stat().st_mode & 0o077 == 0 for path in written)
    for path in written:
        run = CliRunner().invoke(command, ["verify", str(path), str(journal)])
        assert run.exit_code == 0 and "all sound" in run.output, run.output


def test_a_receipt_of_another_chain_is_not_proved(tmp_path: Path) -> None:
    journal, rule_file = recorded(tmp_path, *QUADS), tmp_path / "awards.toml"
    rule_file.write_text(TEXT)
    CliRunner().invoke(command, ["list", str(rule_file), str(journal), "--receipts", str(tmp_path)])
    receipt = tmp_path / "one-1-2-bad-beat.json"
    read = msgspec.json.decode(receipt.read_bytes(), type=AwardReceipt)
    (tmp_path / "other").mkdir()
    other = Journal(recorded(tmp_path / "other", "seats 1-4", *QUADS), None, readonly=True)
    assert "the chain before record" in disproved(read, other)
    other.close()
    first, last = read.claim.entries
    changed = {**read.proof.hashes, last: "00" * 32}
    own = Journal(journal, None, readonly=True)
    assert disproved(read, own) == ""
    wrong = msgspec.structs.replace(read, proof=msgspec.structs.replace(read.proof, hashes=changed))
    assert disproved(wrong, own) == f"record {last} is not the one of the receipt"
    own.close()
    assert first < last
