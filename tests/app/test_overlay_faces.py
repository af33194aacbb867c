"""What the broadcast is sent follows from faces that are due and from no others, equities too."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest

from tablebridge.app.core import TableCore
from tablebridge.bus import topics
from tablebridge.bus.messages import Command
from tablebridge.model.cards import DECK_52, Card
from tablebridge.model.instant import later
from tablebridge.model.overlay import OverlayPicture, OverlayView
from tablebridge.model.places import BOARD, BURN, MUCK, seat_place
from tablebridge.model.readings import Stamped
from tablebridge.odds.picture import with_odds
from tablebridge.settings.site import Site

from .conftest import START, stamp
from .recording import END_KEY, HAND_KEY, Recording
from .test_core import core_of
from .test_hidden_faces import SEATS, STAKES, site_of

CALLS = ("call 3", "call 1", "check 2")
CHECKS = ("check 1", "check 2", "check 3")


DEAL = Random(11).sample(DECK_52, 52)
"""The faces in the order in which they are dealt: six to the seats, then burn and flop, and so on."""


class Viewer:
    """A core, and every picture that left it for the broadcast, with its odds."""

    def __init__(self, core: TableCore) -> None:
        self.core = core
        self.now = START
        self.got: list[OverlayPicture] = []
        self._number = 0

    def read(self, stamped: Sequence[Stamped]) -> None:
        for each in stamped:
            self.now = later(self.now, 0.01)
            self.core.readings([each], self.now)
            self._take()

    def send(self, *lines: str) -> None:
        self._number += 1
        command = Command(f"v{self._number}", "Olga", "operator", later(self.now, 60).wall_ns, lines)
        assert self.core.command(command, self.now, retained=False).ok
        self._take()

    def wait(self, seconds: float) -> None:
        end = later(self.now, seconds)
        while (wake := self.core.wake_ns) is not None and wake < end.monotonic_ns:
            self.now = later(self.now, max(0.001, (wake - self.now.monotonic_ns) / 1e9))
            self.core.tick(self.now)
            self._take()
        self.now = end

    def _take(self) -> None:
        while self.core.messages:
            topic, message = self.core.messages.popleft()
            if topic is topics.OVERLAY:
                assert isinstance(message, OverlayView)
                self.got.append(with_odds(message))


def shown(site: Site) -> list[OverlayPicture]:
    """The pictures of a hand that three seats check down, with a fold on the turn."""
    site = site.model_copy(update={"web": site.web.model_copy(update={"overlay_reveal": "delay"})})
    recording, cuts = Recording(), []
    recording.press(HAND_KEY)
    recording.cycles(3)
    held: dict[int, list[Card]] = {seat: [] for seat in SEATS}
    for _ in range(2):
        for seat in SEATS:
            held[seat] += recording.put(seat_place(seat))
    cuts.append((len(recording.readings), CALLS))
    for count in (3, 1, 1):
        recording.put(BURN)
        recording.put(BOARD, count)
        recording.cycles(12)
        acts = CHECKS if len(cuts) < 2 else ("check 1", "check 2", "fold 3") if len(cuts) == 2 else CHECKS[:2]
        cuts.append((len(recording.readings), acts))
        if len(cuts) == 3:
            recording.move(held[3], MUCK)
    recording.press(END_KEY)
    recording.cycles(3)
    stamped, begun = stamp(recording.readings), 0
    with core_of(site) as core:
        viewer = Viewer(core)
        viewer.send(*STAKES)
        for cut, lines in cuts:
            viewer.read(stamped[begun:cut])
            begun = cut
            viewer.wait(1)
            for line in lines:
                viewer.send(line)
                viewer.wait(1)
        viewer.read(stamped[begun:])
        viewer.wait(30)
        return viewer.got


def faces(picture: OverlayPicture) -> set[Card]:
    return {*picture.board, *(face for seat in picture.seats for face in seat.faces)}


def deck(exchanged: dict[Card, Card]) -> dict[Card, Card]:
    """The faces in place of those of the recording's deck, some of them exchanged."""
    return {card: exchanged.get(face, face) for card, face in zip(DECK_52, DEAL, strict=True)}


@pytest.mark.parametrize("seed", range(6))
def test_no_picture_depends_on_a_face_before_a_picture_that_shows_it(tmp_path: Path, seed: int) -> None:
    given = shown(site_of(folder(tmp_path, "as they are"), deck({})))
    assert any(hand.equity not in (None, 0.0, 1.0) for picture in given for hand in picture.hands)
    assert any(hand.outs for picture in given for hand in picture.hands)
    assert any(hand.made for picture in given for hand in picture.hands)
    rng = Random(seed)
    # Two cards of the board and the burns, or one of those that are dealt and one that is not: whichever is
    # shown first ends what must be equal.
    one, other = rng.sample(DEAL[6:14], 2) if seed % 2 else (rng.choice(DEAL[:14]), rng.choice(DEAL[14:]))
    due = next((at for at, picture in enumerate(given) if faces(picture) & {one, other}), len(given))
    others = shown(site_of(folder(tmp_path, "exchanged"), deck({one: other, other: one})))
    before = [msgspec.json.encode(picture) for picture in given[:due]]
    assert before == [msgspec.json.encode(picture) for picture in others[:due]]
    assert due == len(given) or faces(given[due]) != faces(others[due])


def test_without_hole_cards_no_picture_depends_on_a_hidden_face(tmp_path: Path) -> None:
    def pictures(name: str, exchanged: dict[Card, Card]) -> list[bytes]:
        site = site_of(folder(tmp_path, name), deck(exchanged))
        closed = site.web.model_copy(update={"overlay_hole_cards": False})
        given = shown(site.model_copy(update={"web": closed}))
        # When the hand is over the winner follows from the hidden cards, and it is public.
        return [msgspec.json.encode(picture) for picture in given if picture.street != "over"]

    board = {*DEAL[7:10], DEAL[11], DEAL[13]}
    hidden = [card for card in DEAL if card not in board]
    given = pictures("as they are", {})
    assert len(given) > 10 and all(b'"hands":[]' in picture for picture in given)
    for number in range(2):
        others = Random(number).sample(hidden, len(hidden))
        assert pictures(str(number), dict(zip(hidden, others, strict=True))) == given


def folder(under: Path, name: str) -> Path:
    (under / name).mkdir()
    return under / name
