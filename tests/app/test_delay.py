"""The overlay's delay in the real core: it runs on the engine's own clock, whatever the clocks of the devices
say.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import msgspec
import pytest

from tablebridge.app.core import TableCore
from tablebridge.app.opening import open_core
from tablebridge.bus import topics
from tablebridge.bus.messages import Command
from tablebridge.engine.views import overlay_view
from tablebridge.model.instant import Instant, later
from tablebridge.model.overlay import OverlayView
from tablebridge.model.places import seat_place
from tablebridge.model.readings import Reading, Stamped
from tablebridge.settings.site import Site

from .conftest import START
from .recording import END_KEY, HAND_KEY, Recording
from .test_core import Fixed

TRIALS = 1_000
TEN_DAYS = 864_000
MOST = 2**63 - 1

CLOCKS: dict[str, Callable[[Instant, Random], Instant]] = {
    "same box": lambda now, rng: later(now, -rng.random()),
    "another box that has just started": lambda now, rng: Instant(
        now.wall_ns, now.monotonic_ns % 10**10, "pi"
    ),
    "another box that started long ago": lambda now, rng: Instant(
        now.wall_ns, now.monotonic_ns + TEN_DAYS * 10**9, "pi"
    ),
    "our boot, counted from 0": lambda now, rng: Instant(now.wall_ns, now.monotonic_ns % 10**10, now.boot_id),
    "our boot, ten days ahead": lambda now, rng: later(now, TEN_DAYS),
    "our boot, ten days ago": lambda now, rng: later(now, -TEN_DAYS),
    "nothing but zeros": lambda now, rng: Instant(0, 0, ""),
    "our boot at 0": lambda now, rng: Instant(0, 0, now.boot_id),
    "negative": lambda now, rng: Instant(-rng.randrange(MOST), -rng.randrange(MOST), now.boot_id),
    "the largest number": lambda now, rng: Instant(MOST, MOST, now.boot_id),
    "any number each time": lambda now, rng: Instant(
        rng.randrange(MOST), rng.randrange(MOST), rng.choice([now.boot_id, "x"])
    ),
}


def web(site: Site, **changes: Any) -> Site:
    return site.model_copy(update={"web": site.web.model_copy(update=changes)})


class Night(Recording):
    """Each step is what is read in a moment, of a hand in which three seats get two cards each, in turn."""

    def steps(self) -> Iterator[list[Reading]]:
        for step in (
            lambda: (self.press(HAND_KEY), self.cycles(3)),
            *(lambda seat=seat: self.put(seat_place(seat)) for seat in (1, 2, 3, 1, 2, 3)),
            lambda: (self.press(END_KEY), self.cycles(3)),
        ):
            self.readings.clear()
            step()
            yield list(self.readings)

    def cycles(self, count: int = 4) -> None:
        super().cycles(count)


class Watched:
    """A core, the faces that it knows and since when, and every overlay picture that left, and when. Times in
    seconds.
    """

    def __init__(self, core: TableCore, now: Instant) -> None:
        self.core = core
        self.now = now
        self.known: dict[str, float] = {}
        self.left: list[tuple[float, OverlayView]] = []
        self.began = now

    @property
    def seconds(self) -> float:
        return (self.now.monotonic_ns - self.began.monotonic_ns) / 1e9

    def look(self) -> None:
        for seat in overlay_view(self.core.table, self.now).seats:
            for face in seat.faces:
                self.known.setdefault(str(face), self.seconds)
        while self.core.messages:
            topic, message = self.core.messages.popleft()
            if topic is topics.OVERLAY:
                self.left.append((self.seconds, message))

    def wait(self, seconds: float) -> None:
        """As the engine's process does: `tick` when something is due, and once at the end."""
        end = later(self.now, seconds)
        while True:
            wake = self.core.wake_ns
            if wake is None or wake >= end.monotonic_ns:
                break
            self.now = later(self.now, max(0.001, (wake - self.now.monotonic_ns) / 1e9))
            self.core.tick(self.now)
            self.look()
        self.now = end
        self.core.tick(end)
        self.look()

    def restart(self, site: Site) -> None:
        """The engine's process ends and comes back at once."""
        self.core.close()
        self.core = open_core(site, site.tables[0], Fixed(self.now))
        self.look()

    def faces(self) -> dict[str, float]:
        """When each face left first."""
        first: dict[str, float] = {}
        for at, view in self.left:
            for seat in view.seats:
                for face in seat.faces:
                    first.setdefault(str(face), at)
        return first


@contextmanager
def watched(site: Site, at: Instant = START) -> Iterator[Watched]:
    seen = Watched(open_core(site, site.tables[0], Fixed(at)), at)
    try:
        yield seen
    finally:
        seen.core.close()


def forget(site: Site) -> None:
    for path in (site.state_dir / "journal").glob("one.sqlite*"):
        path.unlink()


def trial(site: Site, seed: int) -> tuple[str, int]:
    """One hand, with a restart of the engine in every second; which clock the device had, and how many faces
    were known.
    """
    rng = Random(seed)
    name, clock = rng.choice(list(CLOCKS.items()))
    delay, reveal = rng.choice([0.5, 8.0, 40.0, 300.0]), rng.choice(["delay", "hand-over"])
    site = web(site, overlay_delay_s=delay, overlay_reveal=reveal)
    with watched(site) as seen:
        number, restart = 0, rng.randrange(16)
        for done, step in enumerate(Night().steps()):
            if done == restart:
                seen.restart(site)
            stamped = []
            for reading in step:
                number += 1
                stamped.append(Stamped("board", "e", number, clock(seen.now, rng), reading))
            seen.core.readings(stamped, seen.now)
            seen.look()
            seen.wait(rng.uniform(0.5, 6))
        over = seen.seconds
        # Typed, so that the hand is over for sure and its time is the engine's.
        seen.core.command(
            Command("end", "Olga", "operator", later(seen.now, 60).wall_ns, ("end",)),
            seen.now,
            retained=False,
        )
        seen.wait(delay + over + 10)
        left = seen.faces()
        for face, since in seen.known.items():
            assert left[face] - since >= delay - 1e-9, (seed, name, face)
            assert left[face] - since <= delay + over + 1, (seed, name, "frozen")
    forget(site)
    return name, len(seen.known)


def test_no_face_leaves_before_the_delay_and_none_is_frozen_whatever_clock_a_device_has(site: Site) -> None:
    known: dict[str, int] = {}
    for seed in range(TRIALS):
        name, faces = trial(site, seed)
        known[name] = known.get(name, 0) + faces
    assert known.keys() == CLOCKS.keys()
    assert min(known.values()) >= 100, known


HOLES = ("button 3", "hand", "deal 1 As", "deal 2 Ks", "deal 3 Qs", "deal 1 Ah", "deal 2 Kh", "deal 3 Qh")


def say(seen: Watched, *lines: str) -> None:
    """Lines of table script, each a command of its own."""
    for line in lines:
        given = Command(f"{line} at {seen.seconds}", "Olga", "operator", later(seen.now, 60).wall_ns, (line,))
        reply = seen.core.command(given, seen.now, retained=False)
        assert reply.ok, reply.sentence
        seen.look()


def play(seen: Watched) -> None:
    """Deal six cards in thirty seconds, and end the hand five minutes later."""
    for line in HOLES:
        say(seen, line)
        seen.wait(5)
    seen.wait(300)
    say(seen, "end")


def test_no_picture_leaves_before_its_hand_is_over_unless_the_site_says_so(site: Site) -> None:
    long = web(site, overlay_delay_s=30.0)
    assert long.web.overlay_reveal == "hand-over", "the default is the safe one"
    with watched(long) as seen:
        play(seen)
        assert seen.known and seen.faces() == {}
        over = seen.seconds
        seen.wait(400)
        # The hand runs on the air as it was played, from its end on.
        began = seen.known["As"] - 5
        assert {face: at - over for face, at in seen.faces().items()} == pytest.approx(
            {face: since - began for face, since in seen.known.items()}
        )
    forget(site)
    with watched(web(site, overlay_delay_s=30.0, overlay_reveal="delay")) as seen:
        play(seen)
        assert seen.faces() == pytest.approx({face: since + 30 for face, since in seen.known.items()})


def test_a_hand_that_is_void_is_not_over_before_the_next_begins(site: Site) -> None:
    with watched(web(site, overlay_delay_s=1.0)) as seen:
        say(seen, *HOLES, "ruling misdeal")
        assert seen.core.table.street == "void"
        seen.wait(60)
        assert seen.faces() == {}
        say(seen, "hand")
        seen.wait(60)
        assert set(seen.faces()) == set(seen.known)


def pictures(seen: Watched, since: float) -> list[tuple[float, msgspec.Raw]]:
    """What left after that time, without the number of the record."""
    return [
        (round(at, 3), msgspec.Raw(msgspec.json.encode(msgspec.structs.replace(view, rev=0))))
        for at, view in seen.left
        if at > since
    ]


@pytest.mark.parametrize("reveal", ["delay", "hand-over"])
def test_after_a_restart_each_picture_leaves_at_the_time_that_it_would_have_left_at(
    site: Site, reveal: str
) -> None:
    site = web(site, overlay_delay_s=60.0, overlay_reveal=reveal)

    def evening(seen: Watched) -> None:
        for _ in range(3):
            for line in HOLES:
                say(seen, line)
                seen.wait(5)
            say(seen, "end")
            seen.wait(8)
        for line in HOLES[:6]:
            say(seen, line)
            seen.wait(4)

    def end(seen: Watched) -> None:
        say(seen, *HOLES[6:], "end")
        seen.wait(300)

    with watched(site) as seen:
        evening(seen)
        stopped = seen.seconds
        end(seen)
        whole = pictures(seen, stopped)
    forget(site)
    with watched(site) as seen:
        evening(seen)
        before, now = seen.left[-1][1], seen.now
    with watched(site, now) as seen:
        seen.began = START
        seen.look()
        ((_, first),) = seen.left
        assert msgspec.structs.replace(first, rev=0) == msgspec.structs.replace(before, rev=0)
        end(seen)
        assert pictures(seen, stopped) == whole and len(whole) > 8


@pytest.mark.parametrize("up_s", [1, 10**7])
def test_after_another_boot_the_overlay_is_empty_for_the_whole_delay(site: Site, up_s: int) -> None:
    site = web(site, overlay_delay_s=60.0)
    with watched(site) as seen:
        say(seen, *HOLES, "end")
        seen.wait(600)
        assert seen.faces()
    rebooted = Instant(later(seen.now, 1).wall_ns, up_s * 10**9, "another boot")
    with watched(site, rebooted) as seen:
        seen.wait(59.9)
        assert [view for _, view in seen.left] == [OverlayView("one")]
        seen.wait(1)
        assert {round(at) for at in seen.faces().values()} == {60}


def test_without_hole_cards_the_overlay_shows_none_and_what_the_broker_keeps_is_replaced_at_once(
    site: Site,
) -> None:
    with watched(web(site, overlay_delay_s=5.0)) as seen:
        say(seen, *HOLES, "end")
        seen.wait(60)
        assert set(seen.faces()) == set(seen.known) != set()
        say(seen, *HOLES)
    with watched(web(site, overlay_delay_s=5.0, overlay_hole_cards=False), seen.now) as seen:
        seen.look()
        assert len(seen.left) == 1, "one takes the place of the retained picture before anything else happens"
        seen.wait(20)
        # Without hole cards there is nothing to wait for the end of the hand for.
        assert seen.known and seen.faces() == {} and seen.left[-1][1].hand == 2


def test_what_the_operator_sees_says_nothing_of_who_is_given_hole_cards(site: Site) -> None:
    with watched(site) as seen:
        say(seen, "hand")
        given = Command(
            "g", "Studio", "broadcast", later(seen.now, 60).wall_ns, access="stream", token="4f0c21aa"
        )
        assert seen.core.command(given, seen.now, retained=False).ok
        views = [message for topic, message in seen.core.messages if topic is topics.STATE]
        assert [line.line for line in views[-1].lines] == ["hand"]
    with watched(site) as seen:
        (view,) = [message for topic, message in seen.core.retained() if topic is topics.STATE]
        assert [line.line for line in view.lines] == ["hand"]
