"""What is done for a device: open, request, listen, stamp, keep, and start again for ever. Written once, for
every driver.

It does not wait: the loop (`loop.py`) waits for the link's descriptor and for the time that the supervisor
names, and calls `serve`.

    link      what happens
    closed    opening is tried when the backoff allows it, at once when the port appears
    settling  open, and silent for the driver's `settle_s`: boards that reset when they are opened send
              garbage at first
    talking   a session of the driver speaks to the device

A link is closed again when it breaks, when it accepts no bytes, when the driver fails, and when the device
has been silent until it is lost: opening it again wakes many boards, and a network connection may be dead
without notice.
"""

import logging
import random
import traceback
from collections.abc import Callable, Collection, Sequence
from typing import Final, ParamSpec, Protocol, cast

from tablebridge.host.backoff import Backoff
from tablebridge.host.clock import Clock, SystemClock
from tablebridge.host.coalesce import Coalescer, Passed
from tablebridge.host.health import Health, HealthRecord
from tablebridge.host.links.bus import CLAIM_NS, BusLink
from tablebridge.host.links.link import Link, LinkRefused
from tablebridge.host.links.opening import open_link, way
from tablebridge.host.links.sight import sight
from tablebridge.host.liveness import Liveness
from tablebridge.host.sanitize import sanitized
from tablebridge.model.errors import LinkError
from tablebridge.model.instant import Instant
from tablebridge.model.readings import HIDDEN_FACE, TOO_MANY_TAGS, bounded, hides_face
from tablebridge.sdk.driver import POLL_INTERVAL, Driver, Light, Options, SerialPort, Session, Signal, Turn

log = logging.getLogger(__name__)

HEALTH_NS: Final = 10_000_000_000
"""How often health is reported again if nothing has changed: ages and counters grow."""
_LOOK_NS: Final = 250_000_000
_UNSENT_NS: Final = 10_000_000
_UNHURRIED_MS: Final = 10
"""A device that is left alone for so long between two questions is not meant to be as fast as it can."""
_Given = ParamSpec("_Given")


class Uplink(Protocol):
    """Where readings and health go."""

    def keep(self, passed: Passed) -> None:
        """Put the readings where a kill cannot destroy them, in this order, and send them when that is
        possible.
        """

    def report(self, health: Health) -> None:
        """Publish the health, now and after every reconnect."""


class Supervisor:
    """Serves one device. `chance` gives a number from 0 to 1, for the waits. `named`: the ports that the site
    file names. `for_chips`: the antennas at places for chips. `held_out`: for how many seconds it is not
    opened at first, and why.

    `fd`: the descriptor of its link, -1 while there is none. `wake_ns`: when `serve` is to be called
    although nothing came (monotonic). `unhurried`: what comes may wait for a tick of the loop.
    """

    def __init__(
        self,
        name: str,
        port: str,
        driver: Driver,
        options: Options,
        uplink: Uplink,
        clock: Clock | None = None,
        chance: Callable[[], float] = random.random,
        named: Sequence[str] = (),
        for_chips: Collection[int] = (),
        held_out: tuple[float, str] | None = None,
    ) -> None:
        self.name = name
        self.fd = -1
        self.wake_ns = 0
        self.unhurried = driver.answers_only and int(options.get(POLL_INTERVAL, 0)) >= _UNHURRIED_MS
        self._port = port
        self._driver = driver
        self._options = options
        self._named = named
        self._on_bus = False
        self._for_chips = frozenset(for_chips)
        self._uplink = uplink
        self._chance = chance
        now_ns = (clock if clock is not None else SystemClock()).now().monotonic_ns
        self._liveness = Liveness(driver.stale_after_s, now_ns)
        self._backoff = Backoff()
        self._coalescer = Coalescer()
        self._link: Link | None = None
        self._session: Session | None = None
        self._signal = Signal()
        self._shown: Signal | None = None
        self._heard_ns = 0
        self._due_ns: int | None = None
        self._sent = True
        self._record = HealthRecord()
        self._outage = False
        self._reported_ns = 0
        self._held_out = held_out

    def show(self, signal: Signal) -> None:
        """Have a light show this. Call it from the thread of the loop."""
        self._signal = signal
        self.wake_ns = 0

    @property
    def live(self) -> bool:
        """Whether the device works now."""
        return self._liveness.state == "live"

    @property
    def summary(self) -> str:
        """How it is, in a line."""
        return self._record.summary(self._liveness.state or "lost")

    def serve(self, readable: bool, now: Instant) -> None:
        """Do what is due. `readable`: something can be read from the link."""
        try:
            if self._held_out is not None:
                wait_s, why = self._held_out
                self._held_out = None
                self._backoff.hold(now.monotonic_ns + round(wait_s * 1e9), sight(self._port))
                self._away(why, now)
            if self._link is None:
                self._open(now)
            if self._link is not None:
                self._converse(self._link, readable, now)
        except LinkError as error:
            self._broke(error, now)
        if held := self._coalescer.due(now.monotonic_ns):
            self._uplink.keep(held)
        if self._liveness.tick(now.monotonic_ns):
            self._state_changed(now)
        if now.monotonic_ns - self._reported_ns >= HEALTH_NS:
            self._report(now)
        self.fd = self._link.fileno() if self._link is not None else -1
        self.wake_ns = self._next_ns(now.monotonic_ns)

    def close(self) -> None:
        """Release the port. What is held is kept."""
        self._close()
        self._uplink.keep(self._coalescer.flush())

    def _next_ns(self, now_ns: int) -> int:
        """The earliest timer. Bytes that could not be sent are tried again soon, since the loop waits for
        input only.
        """
        earliest = self._reported_ns + HEALTH_NS
        for timer in (self._due_ns, self._coalescer.wake_ns, self._liveness.wake_ns):
            if timer is not None and timer < earliest:
                earliest = timer
        if self._link is None:
            earliest = min(earliest, now_ns + _LOOK_NS, max(now_ns, self._backoff.due_ns))
        if not self._sent:
            earliest = min(earliest, now_ns + _UNSENT_NS)
        return earliest

    # ---- the link

    def _open(self, now: Instant) -> None:
        """Open the port, if it is due. Raises LinkError."""
        self._backoff.seen(now.monotonic_ns, sight(self._port))
        if now.monotonic_ns < self._backoff.due_ns:
            return
        settings = way(self._port, self._driver, self._options)
        self._link = open_link(self._port, settings, self._named)
        self._on_bus = isinstance(self._link, BusLink)
        settle_s = settings.settle_s if isinstance(settings, SerialPort) else 0.0
        self._heard_ns = self._due_ns = now.monotonic_ns + round(settle_s * 1e9)
        log.debug("%s: %s is open", self.name, self._port)

    def _converse(self, link: Link, readable: bool, now: Instant) -> None:
        """Pass on what was received or is due. Raises LinkError."""
        data = link.read() if readable else b""
        due = self._due_ns is not None and now.monotonic_ns >= self._due_ns
        if due and self._on_bus and not cast(BusLink, link).claim():
            due, self._due_ns = False, now.monotonic_ns + CLAIM_NS
        if self._session is None:
            if due:
                session = self._session = self._driver.session(self._options)
                self._take(link, self._turn_of(session.start, now), now)
        else:
            session = self._session
            if data:
                self._take(link, self._turn_of(session.received, data, now), now)
            elif due:
                self._take(link, self._turn_of(session.due, now), now)
        if self._driver.shows and self._session is not None and self._shown != self._signal:
            light, self._shown = cast(Light, self._session), self._signal
            self._take(link, self._turn_of(light.show, self._signal, now), now)
        if not self._sent:
            self._sent = link.send(b"")
        if now.monotonic_ns - self._heard_ns >= self._liveness.lost_ns:
            raise LinkError(
                f"{self._port} is open and nothing that makes sense comes from it: check the device's "
                "power, and "
                "driver and options in the site file."
            )

    def _turn_of(self, call: Callable[_Given, Turn], *given: _Given.args, **named: _Given.kwargs) -> Turn:
        """What the session answers. Anybody may have written the driver: if it breaks its promise not to
        raise, its session ends.
        """
        try:
            return call(*given, **named)
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            # Not the error's own text, which may hold what was read.
            raise LinkRefused(
                f"the driver {self._driver.name} failed ({type(error).__name__} in {frame.filename}, line "
                f"{frame.lineno}): report it to its author."
            ) from error

    def _take(self, link: Link, turn: Turn, now: Instant) -> None:
        if turn.readings:
            passed: Passed = []
            for reading in turn.readings:
                if hides_face(reading):
                    self._record.rejects[HIDDEN_FACE] += 1
                    continue
                kept, surplus = bounded(sanitized(reading), self._for_chips)
                if surplus:
                    self._record.rejects[TOO_MANY_TAGS] += surplus
                passed += self._coalescer.take(now, kept)
            self._uplink.keep(passed)
            self._record.frames += len(turn.readings)
        for reject in turn.rejected:
            self._record.rejects[reject.reason.value] += 1
            log.debug("%s: rejected, %s", self.name, reject.reason.value)
        self._due_ns = turn.wake_ns
        if turn.alive:
            self._alive(now)
        if turn.send:
            self._sent = link.send(turn.send)

    def _broke(self, error: LinkError, now: Instant) -> None:
        self._record.reconnects += self._link is not None
        self._close()
        self._backoff.failed(
            now.monotonic_ns, sight(self._port), refused=isinstance(error, LinkRefused), chance=self._chance()
        )
        self._away(str(error), now)

    def _away(self, why: str, now: Instant) -> None:
        """There is no link, and that is why."""
        changed = self._liveness.broke() or self._record.detail != why
        self._record.detail = why
        self._begin_outage()
        if changed:
            self._state_changed(now)

    def _close(self) -> None:
        if self._link is not None:
            self._link.close()
        self._link = self._session = self._due_ns = self._shown = None
        self._sent = True

    # ---- what is known of the device

    def _alive(self, now: Instant) -> None:
        silence_s = self._liveness.silence_s(now.monotonic_ns)
        self._heard_ns = now.monotonic_ns
        self._record.alive_wall_ns = now.wall_ns
        self._backoff.worked()
        if self._liveness.alive(now.monotonic_ns):
            self._record.detail = ""
            if self._outage:
                log.warning("%s is back after %.1f s", self.name, silence_s)
                self._outage = False
            self._state_changed(now)

    def _begin_outage(self) -> None:
        """Log an outage once when it begins; the attempts to open the port until it ends are logged at debug
        only.
        """
        if self._outage:
            log.debug("%s: %s", self.name, self._record.detail)
        else:
            self._outage = True
            log.warning("%s is away: %s It is tried again for ever.", self.name, self._record.detail)

    def _state_changed(self, now: Instant) -> None:
        """Report a change of state. Held evidence is sent before it, and the device's next sweeps at once."""
        if self._liveness.state == "lost":
            self._record.detail = self._record.detail or "nothing comes from it."
            self._begin_outage()
        if self._liveness.state != "live":
            self._uplink.keep(self._coalescer.forget())
        self._report(now)

    def _report(self, now: Instant) -> None:
        self._reported_ns = now.monotonic_ns
        state = self._liveness.state
        if state is not None:
            self._uplink.report(self._record.health(state, now))
