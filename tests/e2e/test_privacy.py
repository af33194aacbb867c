"""No face reaches anybody who may not see it at that moment: hands are dealt, and everything that leaves a
process is read.

What lay open when is the dealer's own knowledge, not the engine's. A face that never lay open may stand in
`sealed/overlay` alone, after the delay; a tag in `obs` alone; no place says of a tag which card it is.
"""

import json
import os
import re
import stat
from bisect import bisect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from rig.wait import wait_for

from tablebridge.model.cards import DECK_52, spoken
from tablebridge.settings.state import FILES
from tablebridge.sim.dealer import Dealer, Manner
from tablebridge.sim.hands import Board, Hand, Street
from tablebridge.sim.irregular import IRREGULAR
from tablebridge.sim.rig import TABLE
from tablebridge.sim.session import OVERLAY_DELAY_S, Session

from .dealing import Deals, Dealt
from .spy import STREAMS, THE_SAME, Heard, Spy, spying

pytestmark = pytest.mark.slow

FACE = re.compile(r"(?<![A-Za-z0-9])(?!As [a-z])(?:[2-9TJQKA][cdhs])+(?![A-Za-z0-9])")
"""An ace before a word in small letters is a word itself: "As each address says"."""
SIGNS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
WORDS = re.compile(r'<script type="application/json" id="words">.*?</script>', re.DOTALL)
PATH = re.compile(r'<path d="[^"]*"')
DRAWN = re.compile(r"(?<![A-Za-z0-9])([2-9JQKA]|10)\s*(?:<[^>]*>)*([♣♦♥♠])")
OUTS = re.compile(r'"outs":\[[^]]*\]')
REGULAR = int(os.environ.get("TABLEBRIDGE_SPIED_HANDS", "8"))
IN_SECRET = ("duplicate-card", "card-out-of-place", "foreign-card", "wrong-card-count")
"""Irregularities in which no further face comes to lie open."""


class Night:
    """A session that was spied on, what was heard, and how every hand truly was."""

    def __init__(self, session: Session, spy: Spy, dealt: list[Dealt], guesses: dict[str, set[str]]) -> None:
        self.guesses = guesses
        self.session = session
        self.spy = spy
        self.dealt = {one.number: one for one in dealt}
        self.begins = [one.began for one in dealt]
        self.order = dealt
        tags = [*session.rig.deck.values(), *session.rig.other_deck.values()]
        self.tags = re.compile("|".join(tags), re.IGNORECASE)
        self.processes = processes(session)
        self.tokens = dict(session.runner.tokens)
        self.passwords = [
            path.read_text().strip() for path in session.folder.glob("broker/accounts/*.password")
        ]
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


class Guesser(Manner):
    """On the flop somebody at the console has lines foreseen that name hidden cards, of seats and of the
    stub. `answers`: by line what came of it, the card left out.
    """

    def __init__(self, session: Session, hand: Hand) -> None:
        board = {card for step in hand.steps if isinstance(step, Board) for card in step.cards}
        held = [card for hole in hand.holes.values() for card in hole]
        stub = [card for card in DECK_52 if card not in board and card not in held]
        self._cards = (*held[:8], *stub[:8])
        self._session = session
        self.answers: dict[str, set[str]] = {line: set() for line in GUESSES}

    def after_street(self, dealer: Dealer, street: Street) -> None:
        if street != "flop":
            return
        token = self._session.runner.tokens["operator"]
        address = f"{self._session.runner.web_url}/api/tables/{TABLE}/preview"
        for number, card in enumerate(self._cards):
            for line, answers in self.answers.items():
                body = {"id": f"guess-{number:04d}", "lines": [line.format(card=card)]}
                answer = httpx.post(
                    address, json=body, headers={"Authorization": f"Bearer {token}"}, timeout=60
                )
                said = {name: value for name, value in answer.json().items() if name not in ("id", "rev")}
                text = json.dumps([answer.status_code, said])
                answers.add(text.replace(str(card), "CARD").replace(spoken(card), "CARD"))


GUESSES = (
    "seen {card} floor",
    "boxed {card}",
    "burn {card}",
    "table 1 {card}",
    "expose 1 {card}",
    "turn {card}",
)


def processes(session: Session) -> str:
    """What the list of processes says of those of the session: their commands and environments."""
    said = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            if str(session.folder).encode() in command:
                said += [command.decode(errors="replace"), (folder / "environ").read_text(errors="replace")]
        except OSError:
            continue
    return "\n".join(said)


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    session = Session(tmp_path_factory.mktemp("night"), level="clean", speed=None, seed=31)
    site_file = session.folder / "site.toml"
    site_file.write_text(site_file.read_text().replace('log_level = "info"', 'log_level = "debug"'))
    with session:
        deals = Deals(session, 31)
        with spying(session) as spy:
            for number in range(REGULAR):
                deals.play(deals.draw("flop", shows=2) if number % 3 == 0 else None)
                if number % 4 == 1:
                    spy.insider(session, deals.dealt[-1].number)
            for name in IN_SECRET:
                manner, hand = IRREGULAR[name](), deals.draw("river")
                while not manner.suits(hand):
                    hand = deals.draw("river")
                deals.play(hand, manner)
            hand = deals.draw("flop")
            guesser = Guesser(session, hand)
            deals.play(hand, guesser)
            last = deals.dealt[-1].number
            wait_for(
                lambda: any(f'"hand":{last},' in one.what for one in spy.bus if "/sealed/" in one.where),
                "the overlay shows the last hand",
                OVERLAY_DELAY_S + 20,
            )
        yield Night(session, spy, deals.dealt, guesser.answers)


@cache
def faces(text: str) -> frozenset[str]:
    """All faces in a text, as codes. The examples of the console are nobody's hand: in its entry field, and
    among the words of its script. The lines of an icon are no card: "2h16".
    """
    text = PATH.sub("", WORDS.sub("", re.sub(r'placeholder="[^"]*"', "", text)))
    codes = (run[at : at + 2] for run in FACE.findall(text) for at in range(0, len(run), 2))
    signs = (("T" if rank == "10" else rank) + SIGNS[sign] for rank, sign in DRAWN.findall(text))
    return frozenset(codes) | frozenset(signs)


def around(text: str, which: frozenset[str]) -> list[str]:
    """The places of a text that hold these faces, with what stands around them."""
    return [
        text[max(0, found.start() - 80) : found.end() + 80]
        for form in (FACE, DRAWN)
        for found in form.finditer(text)
        if faces(found[0]) & which
    ]


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
        if plane(one) != which or ('"guess-' in one.what and one.where.endswith("/preview")):
            continue  # the guesses themselves
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
    wrong = []
    for one in night.spy.pages:
        if one.who == "broadcast" or one.where in THE_SAME:
            continue
        allowed = night.open_around(one.at)
        if one.where in (f"/director/{TABLE}", f"/live/director/{TABLE}"):
            # The director has the delayed picture before him, as the broadcast has.
            for dealt in night.order:
                if dealt.began + OVERLAY_DELAY_S <= one.at:
                    allowed = allowed | {str(card) for card in (*dealt.hidden, *dealt.opened)}
        if hand := re.search(r"/hands/(\d+)", one.where):
            dealt = night.dealt.get(int(hand[1]))
            allowed = (
                {str(card) for card, since in dealt.opened.items() if since <= one.at} if dealt else set()
            )
        elif one.where.endswith("/findings"):
            # The record of the whole night.
            allowed = {
                str(card) for dealt in night.order for card, since in dealt.opened.items() if since <= one.at
            }
        if more := faces(one.what) - allowed:
            wrong.append((one.who, one.where, around(one.what, more)))
    assert not wrong


def test_the_pages_of_nobodys_hand_are_the_same_whatever_is_dealt(night: Night) -> None:
    for path in THE_SAME:
        shown = {faces(one.what) for one in night.spy.pages if one.where == path and faces(one.what)}
        assert len(shown) == 1, path


def test_a_hand_of_the_record_is_read_by_whoever_may_and_holds_what_lay_open(night: Night) -> None:
    read = {
        one.where.rpartition("/")[2] for one in night.spy.pages if "/hands/" in one.where and faces(one.what)
    }
    assert {"timeline", "bundle.zip", "lane.csv?lane=board"} <= read


def test_feeds_hold_no_face_before_the_delay(night: Night) -> None:
    seen = 0
    for one in night.spy.pages:
        if one.who == "broadcast" and one.where not in THE_SAME:
            due = {str(card) for dealt in night.order if dealt.began + OVERLAY_DELAY_S <= one.at
                   for card in (*dealt.hidden, *dealt.opened)}  # fmt: skip
            # Outs follow from the picture itself.
            assert faces(OUTS.sub("", one.what)) <= due, one.where
            seen += "/feeds/" in one.where and bool(faces(one.what))
    assert seen


def test_streams_were_left_and_opened_again(night: Night) -> None:
    assert night.spy.connections > 2 * sum(map(len, STREAMS.values()))


def test_the_list_of_processes_has_no_secret_face_or_tag(night: Night) -> None:
    said = night.processes
    assert "tablebridge" in said and "engine" in said
    assert not [role for role, token in night.tokens.items() if token in said]
    assert not [one for one in night.passwords if one in said]
    assert not night.tags.search(said)


def test_files_are_their_owners_alone(night: Night) -> None:
    wrong = [
        (str(path.relative_to(night.session.folder)), oct(stat.S_IMODE(path.lstat().st_mode)))
        for path in night.session.folder.rglob("*")
        if path.name != "site.toml" and not path.is_symlink()
        if stat.S_IMODE(path.lstat().st_mode) & 0o077 and path.parent != night.session.folder
    ]
    assert not wrong


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


def test_a_preview_of_a_guess_says_the_same_of_every_hidden_card(night: Night) -> None:
    """What is foreseen of a line does not depend on where its card is: at a seat, or in the stub."""
    assert len(night.guesses) == len(GUESSES)
    for line, answers in night.guesses.items():
        assert len(answers) == 1, (line, answers)
