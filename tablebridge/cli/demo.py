"""`tablebridge demo`: hands on an emulated table; all above the hardware is the real service."""

import contextlib
import os
import signal
import tempfile
import textwrap
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

import click

from tablebridge.cli.ticker import Ticker
from tablebridge.sim.hands import INVENTED
from tablebridge.sim.irregular import BROKER_RESTART, IRREGULAR
from tablebridge.sim.noise import LEVELS
from tablebridge.sim.pace import Stopped

if TYPE_CHECKING:
    # What these need takes a second to import, in which the terminal would be silent.
    from tablebridge.sim.game import Game, Outcome
    from tablebridge.sim.lobby import Lobby
    from tablebridge.sim.session import Session

_NAMES: Final = textwrap.fill(
    ", ".join([*IRREGULAR, BROKER_RESTART]),
    72,
    break_on_hyphens=False,
    initial_indent="  ",
    subsequent_indent="  ",
)

_WHAT: Final[dict[tuple[str, ...], str]] = {
    ("anna", "boris", "carmen"): "Floor",
    ("console",): "Operator",
    ("dealer",): "Dealer",
    ("surveillance", "investigator"): "Timeline",
    ("technician",): "Devices",
    ("overlay", "director"): "Broadcast",
}
"""The short links as they are printed."""


class Speed(click.ParamType[float]):
    """`live`, `max`, or how many times faster than life."""

    name = "speed"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if value in ("live", "max"):
            return 1.0 if value == "live" else 0.0
        try:
            times = float(str(value))
        except ValueError:
            times = 0.0
        if not 0.1 <= times <= 100:
            self.fail(
                f"{value!r} is no speed; give live, max, or a number from 0.1 to 100 such as 10", param, ctx
            )
        return times


@contextmanager
def until_interrupted() -> Iterator[list[bool]]:
    """A list that holds True once Ctrl-C or a termination signal has come; the old handlers come back at the
    end.
    """
    stopped = [False]

    def stop(_signal: int, _frame: object) -> None:
        stopped[0] = True

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@click.command(
    epilog=f"\b\nWhat can go wrong:\n{_NAMES}\n\n"
    "Example: tablebridge demo --speed 5 --irregular flop-four-cards"
)
@click.option(
    "--hands", type=click.IntRange(min=1), help="Stop after this number of hands; without it, deal for ever."
)
@click.option(
    "--speed", type=Speed(), default="live", show_default=True, help="live, max, or times faster than life."
)
@click.option("--game", type=click.Choice(INVENTED), default="nlhe", show_default=True, help="What is dealt.")
@click.option(
    "--level",
    type=click.Choice(list(LEVELS)),
    default="mild",
    show_default=True,
    help="How badly the antennas read.",
)
@click.option(
    "--irregular",
    type=click.Choice([*IRREGULAR, BROKER_RESTART]),
    metavar="NAME",
    help="Let this go wrong in every hand.",
)
@click.option(
    "--irregular-share",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="Let something go wrong in this share of the hands.",
)
@click.option("--seed", type=int, help="The same seed deals the same cards.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port of the pages; any free one by default."
)
@click.option("--no-browser", is_flag=True, help="Only print the links.")
def command(
    hands: int | None,
    speed: float,
    game: str,
    level: str,
    irregular: str | None,
    irregular_share: float,
    seed: int | None,
    port: int,
    no_browser: bool,
) -> None:
    """Deal hands on an emulated table and open the pages.

    Card readers, shuffler, dealer and players are emulated; drivers, broker, sensing, hand engine and pages
    are the real ones. Hole cards are not printed here. Ctrl-C ends it.
    """
    rng = Random(seed)
    with (
        contextlib.ExitStack() as running,
        Ticker(lambda: "the demo starts") as ticker,
        tempfile.TemporaryDirectory(prefix="tablebridge-demo-") as folder,
        until_interrupted() as stopped,
    ):
        ticker.say("An emulated table starts: devices, broker, drivers, engine and pages.", err=True)
        from tablebridge.sim.game import Game
        from tablebridge.sim.lobby import Lobby
        from tablebridge.sim.session import Session

        lobby = running.enter_context(Lobby())

        session = Session(
            Path(folder),
            level=level,
            speed=speed or None,
            seed=rng.randrange(1 << 32),
            web_port=port,
            game=game,
            stopped=lambda: stopped[0],
            lobby=lobby,
        )
        ticker.going_on = _Doings(session)
        game_dealt = Game(session, rng, irregular=irregular, share=irregular_share)
        _play(session, game_dealt, lobby, hands, ticker, no_browser)


def _play(
    session: "Session", game: "Game", lobby: "Lobby", hands: int | None, ticker: Ticker, no_browser: bool
) -> None:
    """Open the pages, deal the hands, say what came of them."""
    began = time.monotonic()
    with session:
        floor = _links(session, lobby, ticker)
        if not no_browser and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            webbrowser.open(floor)
        played, last = _deal(game, lobby, hands, ticker)
    took = time.monotonic() - began
    for sentence in session.endings():
        ticker.say(sentence, err=True)
    for line in _summary(session, played, last, took):
        ticker.say(line)


class _Doings:
    """What goes on in the demo, and whether its dealer waits because the readers cannot keep up."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._began_s = time.monotonic()
        self._had_worked_s = session.rig.worked_s()

    def __call__(self) -> str:
        """In a few words, since the last time."""
        now_s, worked_s = time.monotonic(), self._session.rig.worked_s()
        busy = self._session.dealing and worked_s - self._had_worked_s < now_s - self._began_s
        self._began_s, self._had_worked_s = now_s, worked_s
        return self._session.doing + ("; this machine is busy: the dealer waits" if busy else "")


def _summary(session: "Session", played: int, last: int, took_s: float) -> list[str]:
    """What came of all hands, up to the record `last`, in lines."""
    return [
        f"\n{played} hand{'s' * (played != 1)} in {took_s:.0f} s; {session.readings_lost()} readings lost",
        *(f"{count:5d}  {finding}" for finding, count in sorted(session.findings(last).items())),
    ]


def _links(session: "Session", lobby: "Lobby", ticker: Ticker) -> str:
    """Print the links to the pages; the floor's."""
    floor = lobby.short("anna")
    for names, what in _WHAT.items():
        shown = "  ".join(f"{name.capitalize()} {lobby.short(name)}" for name in names)
        ticker.say(f"{what:13s}{shown}")
    ticker.say(
        "Their phones are here: what they are sent is printed below, and goes nowhere else.\n"
        f"The overlay shows everything {session.overlay_delay_s:.0f} s late here; in a card room minutes are "
        "usual. Ctrl-C ends the demo."
    )
    return floor


def _deal(game: "Game", lobby: "Lobby", hands: int | None, ticker: Ticker) -> tuple[int, int]:
    """Deal hands until there are enough or Ctrl-C; how many were played to their end, and the last record."""
    played = last = 0
    with contextlib.suppress(Stopped):
        for outcome in game.hands(hands):
            played += not outcome.played.void
            last = outcome.played.view.rev
            ticker.say(line_of(outcome))
            for line in lobby.news():
                ticker.say(f"  {line}")
    return played, last


def line_of(outcome: "Outcome") -> str:
    """What everybody at the table could see of a hand, on one line."""
    view = outcome.played.view
    won = ", ".join(f"{seat.name or f'seat {seat.seat}'} wins {seat.won}" for seat in view.seats if seat.won)
    parts = [f"hand {view.hand}", " ".join(view.board) or "no board", f"pot {outcome.pot}", won]
    if outcome.played.void:
        parts[2:] = ["misdeal, dealt again"]
    if outcome.irregular:
        parts.append(f"({outcome.irregular})")
    return "  ".join(part for part in parts if part)
