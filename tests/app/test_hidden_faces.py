"""A person at the console learns nothing that only antennas know: attacks on the real core, with real
readings.
"""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest

from tablebridge.app.core import TableCore
from tablebridge.bus import topics
from tablebridge.bus.messages import Command, HistoryRequest, Reply
from tablebridge.journal.read import findings
from tablebridge.journal.store import Journal
from tablebridge.model.alerts import AlertChange
from tablebridge.model.cards import DECK_52, Card
from tablebridge.model.decks import Deck
from tablebridge.model.instant import later
from tablebridge.model.places import BOARD, BURN, MUCK, seat_place
from tablebridge.model.readings import Stamped
from tablebridge.model.views import TableView
from tablebridge.settings.decks import save_deck
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site

from .conftest import START, stamp
from .recording import DECK, END_KEY, HAND_KEY, Recording, site_text
from .test_core import core_of

SEATS = (1, 2, 3)
STAKES = ("game nlhe 50/100", "seats 1-3", "button 3", "stacks 10000")


class Room:
    """A core, who types, and everything that staff and public got, in order."""

    def __init__(self, core: TableCore) -> None:
        self.core = core
        self.got: list[bytes] = []
        self.number = 0
        self.now = START

    def hear(self) -> None:
        while self.core.messages:
            topic, message = self.core.messages.popleft()
            if topic is not topics.OVERLAY:
                self.got.append(topic.name.encode() + b" " + msgspec.json.encode(message))

    def ask(self) -> None:
        """What has happened, as whoever comes later gets it."""
        for about in ("findings", "closed-alerts"):
            self.got.append(msgspec.json.encode(self.core.history.page(HistoryRequest("later", about))))

    def read(self, stamped: Sequence[Stamped]) -> None:
        for one in stamped:
            self.core.readings([one], one.at)
            self.now = one.at
            self.hear()

    def settle_alerts(self) -> None:
        """The floor rules on what it can, and closes it."""
        for alert in self.core.alerts.active():
            for to in ("ruled", "closed"):
                self.number += 1
                wanted = AlertChange(alert.id, to, "Anna")  # type: ignore[arg-type]
                command = Command(
                    f"c{self.number}", "Anna", "floor", later(self.now, 60).wall_ns, alert=wanted
                )
                self.got.append(msgspec.json.encode(self.core.command(command, self.now, retained=False)))
                self.hear()

    def send(self, *lines: str, undo: int | None = None, role: str = "operator") -> Reply:
        self.number += 1
        command = Command(f"c{self.number}", "Olga", role, later(self.now, 60).wall_ns, lines, undo)
        reply = self.core.command(command, self.now, retained=False)
        self.got.append(msgspec.json.encode(reply))
        self.hear()
        return reply


def site_of(folder: Path, exchanged: dict[Card, Card]) -> Site:
    """A site whose deck has other faces on the same tags."""
    save_deck(
        folder / "decks" / "red.toml",
        Deck("red", {tag: exchanged.get(card, card) for tag, card in DECK.cards.items()}),
    )
    (folder / "site.toml").write_text(site_text(folder, 18830))
    return load_site(folder / "site.toml")


def dealt() -> list[Stamped]:
    """Readings of a deal to three seats."""
    recording = Recording()
    recording.press(HAND_KEY)
    recording.cycles(3)
    for _ in range(2):
        for seat in SEATS:
            recording.put(seat_place(seat))
    return stamp(recording.readings)


def curious(rng: Random) -> str:
    """A line of somebody who wants to know."""
    card, other = rng.choice(DECK_52), rng.choice(DECK_52)
    seat, place = (
        rng.choice(SEATS),
        rng.choice(("floor", "stub", "muck", "burn", "board", "seat 1", "seat 3")),
    )
    return rng.choice(
        (
            f"seen {card} {place}",
            f"table {seat} {card} ??",
            f"table {seat} {card} {other}",
            f"expose {seat} {card}",
            f"deal {seat} {card}",
            f"burn {card}",
            f"boxed {card}",
            f"board-exposed {card}",
            f"flop {card} {other} ??",
            "call 3",
            "call 1",
            "check 2",
            f"fold {seat}",
            f"muck {seat}",
            "ruling play-on",
            "dealt",
            "cut",
        )
    )


def played(folder: Path, exchanged: dict[Card, Card], seed: int) -> list[bytes]:
    """A whole hand with lines of somebody who wants to know, and everything that was given out until the key
    ends it.
    """
    folder.mkdir()
    rng, recording, cuts = Random(seed), Recording(), []
    recording.press(HAND_KEY)
    recording.cycles(3)
    held: dict[int, list[Card]] = {seat: [] for seat in SEATS}
    for _ in range(2):
        for seat in SEATS:
            held[seat] += recording.put(seat_place(seat))
            cuts.append(len(recording.readings))
    recording.move(held[2], MUCK)
    cuts.append(len(recording.readings))
    for count in (3, 1, 1):
        recording.put(BURN)
        cuts.append(len(recording.readings))
        recording.put(BOARD, count)
        recording.cycles(12)
        cuts.append(len(recording.readings))
    stamped = stamp(recording.readings)
    with core_of(site_of(folder, exchanged)) as core:
        room, begun, last = Room(core), 0, []
        room.send(*STAKES)
        for cut in cuts:
            room.read(stamped[begun:cut])
            begun = cut
            for _ in range(rng.randint(0, 4)):
                if last and rng.random() < 0.4:
                    room.send(undo=last.pop())
                    continue
                last += room.send(curious(rng)).entries
                if last and rng.random() < 0.1:
                    room.settle_alerts()
            room.ask()
        return room.got


@pytest.mark.parametrize("seed", range(4))
def test_all_that_leaves_the_core_is_the_same_whatever_the_hidden_faces_are(
    tmp_path: Path, seed: int
) -> None:
    # Of the recording's deck, in its order: six cards to the seats, then burn and flop, burn and turn, burn
    # and river.
    board = {*DECK_52[7:10], DECK_52[11], DECK_52[13]}
    hidden = [card for card in DECK_52 if card not in board]
    given = played(tmp_path / "as they are", {}, seed)
    assert len(given) > 50
    for number in range(3):
        others = Random(f"{seed} {number}").sample(hidden, len(hidden))
        assert played(tmp_path / str(number), dict(zip(hidden, others, strict=True)), seed) == given


def test_fifty_two_lines_and_their_undo_tell_no_hole_card_and_are_a_critical_alert(tmp_path: Path) -> None:
    readings = dealt()
    site = site_of(tmp_path, {})
    with core_of(site) as core:
        room = Room(core)
        room.send(*STAKES)
        room.read(readings)
        answers = {}
        for card in DECK_52:
            before = len(room.got)
            line = room.send(f"seen {card} floor")
            room.send(undo=line.entries[0])
            told = [
                msgspec.json.decode(one.removeprefix(b"finding "))["finding"]
                for one in room.got[before:]
                if one.startswith(b"finding ")
            ]
            answers[card] = [
                (one["finding"], one["sentence"]) for one in told if one["finding"] != "faces-probed"
            ]
        alike = [("card-out-of-place", "A card is at floor where no event put it.")]
        assert all(told == alike for told in answers.values())
        probed = [alert for alert in core.alerts.active() if alert.finding == "faces-probed"]
        assert len(probed) == 5 and all(
            alert.severity == "critical" and not alert.cleared for alert in probed
        )
        assert all(not seat.faces for seat in _state(room).seats)
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    assert "faces-probed" in {finding.finding for finding in findings(journal)}
    journal.close()


def _state(room: Room) -> TableView:
    return next(message for topic, message in room.core.retained() if topic is topics.STATE)  # type: ignore[no-any-return]


def test_typed_betting_streets_and_end_tell_no_winner_and_only_the_floor_takes_the_end_back(
    tmp_path: Path,
) -> None:
    readings = dealt()
    with core_of(site_of(tmp_path, {})) as core:
        room = Room(core)
        room.send(*STAKES)
        room.read(readings)
        assert room.send(
            "allin 3", "call 1", "fold 2", "burn", "flop 2h 7s Jh", "burn", "turn 4s", "burn", "river 9h"
        ).ok
        done = room.send("end")
        state = _state(room)
        assert state.street == "over" and not any(seat.won for seat in state.seats)
        assert "table them, or end the hand with the key" in " ".join(state.incomplete)
        for entry in (done.entries[0], done.entries[0] - 3):
            refused = room.send(undo=entry)
            assert not refused.ok and "the floor can take the line back" in refused.sentence
        assert room.send(undo=done.entries[0], role="floor").ok
        assert core.table.street == "showdown"


def test_a_line_that_is_none_is_not_taken_back(tmp_path: Path) -> None:
    with core_of(site_of(tmp_path, {})) as core:
        room = Room(core)
        room.send("hand", "dealt")
        for entry in (0, -5, 9_999):
            refused = room.send(undo=entry)
            assert not refused.ok and f"There is no line {entry}" in refused.sentence
        assert not room.send(undo=core.rev, role="broadcast").ok


def test_staff_get_no_hidden_face_in_findings_and_none_in_lines(tmp_path: Path) -> None:
    """A card that moves from seat to seat is a finding with its face in the record, and without it anywhere
    else.
    """
    recording = Recording()
    recording.press(HAND_KEY)
    recording.cycles(3)
    held = {seat: recording.put(seat_place(seat)) for seat in SEATS}
    recording.put(seat_place(1))
    recording.move(held[2], BURN)
    recording.cycles(40)
    recording.press(END_KEY)
    site = site_of(tmp_path, {})
    with core_of(site) as core:
        room = Room(core)
        room.send(*STAKES)
        room.read(stamp(recording.readings))
        told = b"\n".join(room.got)
        room.got.clear()
        room.ask()
        afterwards = b"\n".join(room.got)
    assert b'"line":"deal 1 ??"' in told
    for text in (told, afterwards):
        assert b'"finding":"card-out-of-place"' in text
        for card in (*held[1], *held[2], *held[3]):
            assert f'"{card}"'.encode() not in text and f" {card}".encode() not in text, card
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    assert held[2][0] in {card for finding in findings(journal) for card in finding.cards}
    journal.close()
