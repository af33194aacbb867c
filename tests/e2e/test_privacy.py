"""No face reaches anybody who may not see it at that moment: hands are dealt, and everything that leaves a
process is read.

What lay open when is the dealer's own knowledge, not the engine's. A face that never lay open may stand in
`sealed/overlay` alone, after the delay; a tag in `obs` alone; no place says of a tag which card it is.
"""

import json
import re
from bisect import bisect
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from rig.wait import wait_for

from tablebridge.model.cards import DECK_52
from tablebridge.settings.state import FILES
from tablebridge.sim.irregular import IRREGULAR
from tablebridge.sim.rig import TABLE
from tablebridge.sim.session import OVERLAY_DELAY_S, Session

from .dealing import Deals, Dealt
from .spy import Heard, Spy, spying

pytestmark = pytest.mark.slow

FACE = re.compile(r"(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs])+(?![A-Za-z0-9])")
SIGNS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
WORDS = re.compile(r'<script type="application/json" id="words">.*?</script>', re.DOTALL)
DRAWN = re.compile(r"(?<![A-Za-z0-9])([2-9JQKA]|10)\s*(?:<[^>]*>)*([♣♦♥♠])")
REGULAR = 8
IN_SECRET = ("duplicate-card", "card-out-of-place", "foreign-card", "wrong-card-count")
"""Irregularities in which no further face comes to lie open."""


class Night:
    """A session that was spied on, what was heard, and how every hand truly was."""

    def __init__(self, session: Session, spy: Spy, dealt: list[Dealt]) -> None:
        self.session = session
        self.spy = spy
        self.dealt = {one.number: one for one in dealt}
        self.begins = [one.began for one in dealt]
        self.order = dealt
        tags = [*session.rig.deck.values(), *session.rig.other_deck.values()]
        self.tags = re.compile("|".join(tags), re.IGNORECASE)
        self.logs = {
            path.name: path.read_text(errors="replace")
            for path in (*session.folder.glob("log/*.log"), *session.folder.glob("broker/*.log"))
        }

    def open_around(self, at: float) -> set[str]:
        """Faces that lay open in the hand that was under way, or in the one before it, whose pictures may
        still be coming.
        """
        number = bisect(self.begins, at)
        return {
            str(card)
            for one in self.order[max(0, number - 2) : number]
            for card, since in one.opened.items()
            if since <= at
        }


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    with Session(tmp_path_factory.mktemp("night"), level="clean", speed=None, seed=31) as session:
        deals = Deals(session, 31)
        with spying(session) as spy:
            for number in range(REGULAR):
                deals.play(deals.draw("flop", shows=2) if number % 3 == 0 else None)
            for name in IN_SECRET:
                manner, hand = IRREGULAR[name](), deals.draw("river")
                while not manner.suits(hand):
                    hand = deals.draw("river")
                deals.play(hand, manner)
            last = deals.dealt[-1].number
            wait_for(
                lambda: any(f'"hand":{last},' in one.what for one in spy.bus if "/sealed/" in one.where),
                "the overlay shows the last hand",
                OVERLAY_DELAY_S + 20,
            )
        yield Night(session, spy, deals.dealt)


@cache
def faces(text: str) -> frozenset[str]:
    """All faces in a text, as codes. The examples of the console are nobody's hand: in its entry field, and
    among the words of its script, in which "As delivered" is no ace either.
    """
    text = WORDS.sub("", re.sub(r'placeholder="[^"]*"', "", text))
    codes = (run[at : at + 2] for run in FACE.findall(text) for at in range(0, len(run), 2))
    signs = (("T" if rank == "10" else rank) + SIGNS[sign] for rank, sign in DRAWN.findall(text))
    return frozenset(codes) | frozenset(signs)


def hand_of(message: Any) -> int | None:
    """The hand that a message is about."""
    if isinstance(message, dict):
        for part in (message, message.get("finding"), message.get("alert")):
            if isinstance(part, dict) and isinstance(part.get("hand"), int):
                return int(part["hand"])
    return None


def parts(one: Heard) -> list[tuple[int | None, str]]:
    """A message as (hand, text); alerts of several hands come apart."""
    message = json.loads(one.what)
    several = message.get("alerts") if isinstance(message, dict) else None
    return [
        (hand_of(part), json.dumps(part, ensure_ascii=False))
        for part in (several if several is not None else [message])
    ]


def plane(one: Heard) -> str:
    return one.where.split("/")[4]


def test_the_spy_hears_all_there_is(night: Night) -> None:
    assert {plane(one) for one in night.spy.bus} >= {"obs", "dev", "floor", "public", "sealed", "cmd"}
    heard = {(one.who, one.where) for one in night.spy.pages if faces(one.what)}
    assert {
        f"/live/tables/{TABLE}",
        f"/api/tables/{TABLE}/state",
        f"/console/{TABLE}",
        f"/live/overlay/{TABLE}",
        f"/api/tables/{TABLE}/overlay",
    } <= {where for _, where in heard}
    assert sum(bool(one.hidden) for one in night.order) == len(night.order)


def test_no_process_ended_while_the_spy_listened(night: Night) -> None:
    assert night.session.endings() == []


def test_every_file_that_is_left_on_the_disk_is_in_the_register_of_the_state_folder(night: Night) -> None:
    known = [
        re.sub("[A-Z]+", "[^/]+", re.escape(f"{file.part.name}/{file.name}")).replace(r"\*", ".+")
        for file in FILES
    ]
    beside = "(-wal|-shm|[.]lock)?"
    folder = night.session.folder
    left = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
    assert len(left) > 10
    assert [path for path in left if not any(re.fullmatch(name + beside, path) for name in known)] == [
        "site.toml"
    ]


@pytest.mark.parametrize("which", ["floor", "public", "cmd"])
def test_a_face_is_told_only_while_it_lies_open(night: Night, which: str) -> None:
    seen = 0
    for one in night.spy.bus:
        if plane(one) != which:
            continue
        for number, text in parts(one):
            dealt = night.dealt.get(number) if number is not None else None
            allowed = (
                {str(card) for card, since in dealt.opened.items() if since <= one.at}
                if dealt is not None
                else night.open_around(one.at)
            )
            assert faces(text) <= allowed, f"{one.where} of hand {number}"
            seen += len(faces(text))
    assert seen, "no face was told at all"


def test_replies_hold_no_face(night: Night) -> None:
    replies = [one for one in night.spy.bus if one.where.endswith("/done")]
    assert replies and not any(faces(one.what) for one in replies)


def test_readings_and_devices_know_no_faces(night: Night) -> None:
    for one in night.spy.bus:
        if plane(one) in ("obs", "dev", "ask", "signal"):
            assert not faces(one.what), one.where


def test_a_tag_is_named_by_readings_only(night: Night) -> None:
    assert any(night.tags.search(one.what) for one in night.spy.bus if plane(one) == "obs")
    for one in night.spy.bus + night.spy.pages:
        assert "/obs/" in one.where or not night.tags.search(one.what), one.where


def test_pages_show_a_face_only_while_it_lies_open(night: Night) -> None:
    for one in night.spy.pages:
        if one.who != "broadcast":
            assert faces(one.what) <= night.open_around(one.at), f"{one.who} {one.where}"


def test_the_words_of_a_page_are_the_same_whatever_is_dealt(night: Night) -> None:
    words: dict[str, set[str]] = {}
    for one in night.spy.pages:
        for found in WORDS.findall(one.what):
            words.setdefault(one.where, set()).add(found)
    assert f"/console/{TABLE}" in words
    assert {where: len(texts) for where, texts in words.items()} == dict.fromkeys(words, 1)


def test_the_broadcast_gets_hole_cards_and_never_before_the_delay(night: Night) -> None:
    hidden_seen = set()
    overlays = [one for one in night.spy.bus if plane(one) == "sealed"]
    overlays += [
        Heard(one.at, one.who, one.where, one.what.removeprefix("data: "))
        for one in night.spy.pages
        if one.who == "broadcast" and one.what.startswith(('data: {"table"', '{"table"'))
    ]
    assert {one.who for one in overlays} == {"web", "broadcast"}
    for one in overlays:
        picture = json.loads(one.what)
        dealt = night.dealt.get(picture["hand"])
        if dealt is None:
            assert not faces(one.what)
            continue
        if faces(one.what):
            assert one.at >= dealt.began + OVERLAY_DELAY_S, "earlier than the delay"
        opened = {str(card): since for card, since in dealt.opened.items()}
        for face in faces(one.what) & set(opened):
            if face in {str(card) for card in picture["board"]}:
                assert one.at >= opened[face] + OVERLAY_DELAY_S, "a board card earlier than the delay"
        hidden_seen |= {(picture["hand"], face) for face in faces(one.what)} & {
            (dealt.number, str(card)) for card in dealt.hidden
        }
    assert hidden_seen, "the overlay showed no hole cards: this test could not fail"


def test_logs_hold_no_face_and_no_tag(night: Night) -> None:
    assert {"engine.log", "web.log", f"drive-{TABLE}.log", "broker.log"} <= set(night.logs)
    assert night.logs["web.log"]
    for name, text in night.logs.items():
        assert not night.tags.search(text), name
        assert not faces(text) & {str(card) for card in DECK_52}, (name, faces(text))


def test_refusals_name_no_face(night: Night) -> None:
    """Whoever guesses is told nothing that he did not know: lines about cards that are somewhere else."""
    console, last = night.session.console, night.order[-1]
    console.refused.clear()
    hole = next(
        hole for hole in last.hand.holes.values() if "Kh" not in map(str, hole)
    )  # the card of all examples
    lines = (
        f"table 1 {hole[0]} {hole[1]}",
        f"deal 2 {hole[0]}",
        f"board {hole[0]}",
        f"burn {hole[0]} {hole[1]}",
        f"ruling burn {hole[0]}",
        f"ruling {hole[0]}",
        f"table 1 {hole[0]} z",
        f"deal 1 {hole[0]} so",
    )
    done = [line for line in lines if console.write(line)]
    assert not done
    assert len(console.refused) == len(lines)
    for sentence in console.refused:
        assert faces(sentence) <= {"Kh"}, "a sentence repeats a face"
