"""The loop of a device: open, request, listen, stamp, keep, and start again for ever. Written once, for every
driver.

One thread. It waits on the device and on the broker at once (`Uplink.step`) and on the earliest of its
timers. A pass of the loop in which everything that was due was done feeds the watchdog; nothing else does.

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
import os
import random
import traceback
import weakref
from collections.abc import Callable, Collection, Sequence
from typing import Final, Protocol, cast

from tablebridge.host.backoff import Backoff
from tablebridge.host.clock import Clock, SystemClock
from tablebridge.host.coalesce import Coalescer, Passed
from tablebridge.host.health import Health, HealthRecord
from tablebridge.host.links.link import Link, LinkRefused
from tablebridge.host.links.opening import open_link, way
from tablebridge.host.links.sight import sight
from tablebridge.host.liveness import Liveness
from tablebridge.host.sanitize import sanitized
from tablebridge.model.errors import LinkError
from tablebridge.model.instant import Instant
from tablebridge.model.readings import TOO_MANY_TAGS, bounded
from tablebridge.sdk.driver import Driver, Light, Options, SerialPort, Session, Signal, Turn
from tablebridge.watchdog import Watchdog

log = logging.getLogger(__name__)

HEALTH_NS: Final = 5_000_000_000
"""How often health is reported again if nothing has changed: ages and counters grow."""
_LOOK_S: Final = 0.25
_UNSENT_S: Final = 0.01
_LONGEST_S: Final = 1.0


class Uplink(Protocol):
    """Where readings and health go."""

    def keep(self, passed: Passed) -> None:
        """Put the readings where a kill cannot destroy them, in this order, and send them when that is
        possible.
        """

    def report(self, health: Health) -> None:
        """Publish the health, now and after every reconnect."""

    def step(self, timeout_s: float, fds: Sequence[int]) -> Collection[int]:
        """Serve the broker and wait at most `timeout_s`; returns those of `fds` that can be read."""


class _Waker:
    """An event descriptor that ends the poll of another thread, or of the same thread in a signal handler."""

    def __init__(self) -> None:
        self.fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        # It is closed with the object and not at the end of `run`: somebody may be calling `stop` as that
        # ends, and the number may belong to another file by then.
        weakref.finalize(self, os.close, self.fd)

    def wake(self) -> None:
        """End the poll."""
        os.eventfd_write(self.fd, 1)


class Supervisor:
    """Runs one device. `chance` gives a number from 0 to 1, for the waits. `named`: the ports that the site
    file names. `for_chips`: the antennas at places for chips.
    """

    def __init__(
        self,
        name: str,
        port: str,
        driver: Driver,
        options: Options,
        uplink: Uplink,
        watchdog: Watchdog,
        clock: Clock | None = None,
        chance: Callable[[], float] = random.random,
        named: Sequence[str] = (),
        for_chips: Collection[int] = (),
    ) -> None:
        self._name = name
        self._port = port
        self._driver = driver
        self._options = options
        self._named = named
        self._for_chips = frozenset(for_chips)
        self._uplink = uplink
        self._watchdog = watchdog
        self._clock = clock if clock is not None else SystemClock()
        self._chance = chance
        self._liveness = Liveness(driver.stale_after_s, self._clock.now().monotonic_ns)
        self._backoff = Backoff()
        self._coalescer = Coalescer()
        self._link: Link | None = None
        self._session: Session | None = None
        self._signal = Signal()
        self._shown: Signal | None = None
        self._heard_ns = 0
        self._wake_ns: int | None = None
        self._sent = True
        self._record = HealthRecord()
        self._outage = False
        self._reported_ns = 0
        self._stopping = False
        self._waker = _Waker()

    def run(self) -> None:
        """Run until `stop`. However it ends, what is held is kept and the port is released."""
        self._watchdog.ready(f"{self._name}: {self._driver.title}")
        try:
            while not self._stopping:
                self._pass()
                self._watchdog.worked()
        finally:
            self._close()
            self._uplink.keep(self._coalescer.flush())

    def stop(self) -> None:
        """End `run` after the present pass, if it has not ended. Call it from a signal handler or another
        thread.
        """
        self._stopping = True
        self._waker.wake()

    def show(self, signal: Signal) -> None:
        """Have a light show this. Call it from the thread that runs the supervisor."""
        self._signal = signal

    # ---- one pass

    def _pass(self) -> None:
        now = self._clock.now()
        fds = [self._waker.fd]
        try:
            if self._link is None:
                self._open(now)
            if self._link is not None:
                fds.append(self._link.fileno())
            ready = self._uplink.step(self._timeout_s(self._clock.now().monotonic_ns), fds)
            now = self._clock.now()
            if self._link is not None:
                self._serve(self._link, self._link.fileno() in ready, now)
        except LinkError as error:
            self._broke(error, now)
        self._uplink.keep(self._coalescer.due(now.monotonic_ns))
        if self._liveness.tick(now.monotonic_ns):
            self._state_changed(now)
        if now.monotonic_ns - self._reported_ns >= HEALTH_NS:
            self._report(now)

    def _timeout_s(self, now_ns: int) -> float:
        """The time until the earliest timer. Bytes that could not be sent are tried again soon, since the
        poll waits for input only.
        """
        timers = [
            self._wake_ns,
            self._coalescer.wake_ns,
            self._liveness.wake_ns,
            self._reported_ns + HEALTH_NS,
        ]
        waits = [(at - now_ns) / 1e9 for at in timers if at is not None]
        waits.append(self._watchdog.every_s or _LONGEST_S)
        if self._link is None:
            waits += [_LOOK_S, (self._backoff.due_ns - now_ns) / 1e9]
        if not self._sent:
            waits.append(_UNSENT_S)
        return max(0.0, min(_LONGEST_S, *waits))

    # ---- the link

    def _open(self, now: Instant) -> None:
        """Open the port, if it is due. Raises LinkError."""
        self._backoff.seen(now.monotonic_ns, sight(self._port))
        if now.monotonic_ns < self._backoff.due_ns:
            return
        settings = way(self._port, self._driver, self._options)
        self._link = open_link(self._port, settings, self._named)
        settle_s = settings.settle_s if isinstance(settings, SerialPort) else 0.0
        self._heard_ns = self._wake_ns = now.monotonic_ns + round(settle_s * 1e9)
        log.debug("%s: %s is open", self._name, self._port)

    def _serve(self, link: Link, readable: bool, now: Instant) -> None:
        """Pass on what was received or is due. Raises LinkError."""
        data = link.read() if readable else b""
        due = self._wake_ns is not None and now.monotonic_ns >= self._wake_ns
        if self._session is None:
            if due:
                session = self._session = self._driver.session(self._options)
                self._take(link, self._turn_of(lambda: session.start(now)), now)
        else:
            session = self._session
            if data:
                self._take(link, self._turn_of(lambda: session.received(data, now)), now)
            elif due:
                self._take(link, self._turn_of(lambda: session.due(now)), now)
        if self._driver.shows and self._session is not None and self._shown != self._signal:
            light, self._shown = cast(Light, self._session), self._signal
            self._take(link, self._turn_of(lambda: light.show(self._signal, now)), now)
        if not self._sent:
            self._sent = link.send(b"")
        if now.monotonic_ns - self._heard_ns >= self._liveness.lost_ns:
            raise LinkError(
                f"{self._port} is open and nothing that makes sense comes from it: check the device's "
                "power, and "
                "driver and options in the site file."
            )

    def _turn_of(self, call: Callable[[], Turn]) -> Turn:
        """What the session answers. Anybody may have written the driver: if it breaks its promise not to
        raise, its session ends.
        """
        try:
            return call()
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            # Not the error's own text, which may hold what was read.
            raise LinkRefused(
                f"the driver {self._driver.name} failed ({type(error).__name__} in {frame.filename}, line "
                f"{frame.lineno}): report it to its author."
            ) from error

    def _take(self, link: Link, turn: Turn, now: Instant) -> None:
        passed: Passed = []
        for reading in turn.readings:
            kept, surplus = bounded(sanitized(reading), self._for_chips)
            if surplus:
                self._record.rejects[TOO_MANY_TAGS] += surplus
            passed += self._coalescer.take(now, kept)
        self._uplink.keep(passed)
        self._record.frames += len(turn.readings)
        for reject in turn.rejected:
            self._record.rejects[reject.reason.value] += 1
            log.debug("%s: rejected, %s", self._name, reject.reason.value)
        self._wake_ns = turn.wake_ns
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
        changed = self._liveness.broke() or self._record.detail != str(error)
        self._record.detail = str(error)
        self._begin_outage()
        if changed:
            self._state_changed(now)

    def _close(self) -> None:
        if self._link is not None:
            self._link.close()
        self._link = self._session = self._wake_ns = self._shown = None
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
                log.warning("%s is back after %.1f s", self._name, silence_s)
                self._outage = False
            self._state_changed(now)

    def _begin_outage(self) -> None:
        """Log an outage once when it begins; the attempts to open the port until it ends are logged at debug
        only.
        """
        if self._outage:
            log.debug("%s: %s", self._name, self._record.detail)
        else:
            self._outage = True
            log.warning("%s is away: %s It is tried again for ever.", self._name, self._record.detail)

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
            self._watchdog.status(f"{self._name}: {self._record.summary(state)}")
