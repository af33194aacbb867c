"""The devices of the set-up process: what is plugged in, what was chosen, and the drivers that listen."""

import time
from collections.abc import Iterable
from typing import Final

from tablebridge.doctor.examine import installed
from tablebridge.doctor.judge import no_card
from tablebridge.doctor.listen import Heard as Hear
from tablebridge.doctor.listen import Listener
from tablebridge.doctor.readers import TRY, asking, file_of, numbered, parsed_options, tried
from tablebridge.doctor.trial import RunningTrial
from tablebridge.host import registry
from tablebridge.host.discovery import discover
from tablebridge.host.plugged import plugged
from tablebridge.model.errors import ConfigError, Refused
from tablebridge.sdk.boards import BOARD
from tablebridge.sdk.driver import Signal
from tablebridge.settings.site import Device
from tablebridge.steps.attempt import LIMITS_S, Attempt, AttemptState
from tablebridge.steps.devices import Adopting, DeviceRow, Found, Heard, Trial, free_name, rows
from tablebridge.steps.site_text import Part

LOOK_S: Final = 1.0
"""How often it is looked at what is plugged in."""
_MOST_PORTS: Final = 32
_STALE_S: Final = 5.0
_LOST_S: Final = 15.0


class Bench:
    """The devices. `parts`: those that were chosen, which only this class changes; `over_bus`: the names of
    those that another process drives, so that their ports are not opened. `hear`: receives all readings.
    """

    def __init__(
        self,
        parts: Iterable[Part],
        ports: Iterable[str],
        ignored: Iterable[str],
        over_bus: Iterable[str],
        hear: Hear,
    ) -> None:
        self.parts = list(parts)
        self.ports = list(ports)
        self.ignored = list(ignored)
        self.adopting = Adopting()
        self._over_bus = frozenset(over_bus)
        self._hear = hear
        self._drivers = installed()
        self._listeners: dict[str, Listener] = {}
        self._trials: dict[str, RunningTrial] = {}
        self._replaced: dict[str, str] = {}
        self._unnumbered: set[str] = set()
        """The names of devices that were chosen here and have not said their own number yet."""
        self._found: tuple[Found, ...] = ()
        self._looked_s = float("-inf")
        self._heard_s: dict[str, float] = {}

    @property
    def titles(self) -> dict[str, str]:
        """The drivers that a person may choose, with what they are for."""
        return {driver.name: driver.title for driver in self._drivers if driver.watch is None}

    @property
    def lights(self) -> list[str]:
        """The names of the devices that are signal lights."""
        shows = {driver.name for driver in self._drivers if driver.shows}
        return [part.name for part in self.parts if part.driver in shows]

    def show(self, name: str, signal: Signal) -> None:
        """Have a light show this. Raises Refused if it cannot."""
        if name in self._over_bus:
            raise Refused(
                "The site runs and drives its lights itself: call the floor, or end the site first."
            )
        listener = self._listeners.get(name)
        if name not in self.lights or listener is None or not listener.live:
            raise Refused(f"The light {name} does not work: step 1 says why.")
        listener.show(signal)

    def resume(self) -> None:
        """Listen to all devices that were chosen and that no other process drives."""
        for part in self.parts:
            if part.name not in self._over_bus and part.name not in self._listeners:
                self._listen(part)

    def pause(self) -> None:
        """Release all ports."""
        for listener in self._listeners.values():
            listener.stop()
        self._listeners.clear()
        for trial in self._trials.values():
            trial.stop()
        self._trials = {port: trial for port, trial in self._trials.items() if trial.attempt.over}

    def heard(self, device: str, now_s: float) -> None:
        """Something of a device came over the bus."""
        self._heard_s[device] = now_s

    def tick(self, now_s: float) -> bool:
        """Do what is due. Returns whether a device was chosen or replaced by it."""
        if now_s - self._looked_s >= LOOK_S:
            self._looked_s = now_s
            self._found = tuple(self._look())
        chosen = False
        for port, trial in self._trials.items():
            if trial.step(now_s) and trial.attempt.state == "tested":
                self._choose(port, trial)
                chosen = True
        return self._number() or chosen

    def rows(self, now_s: float) -> tuple[DeviceRow, ...]:
        """The list of devices."""
        heard = {name: _heard(listener) for name, listener in self._listeners.items()}
        for name in self._over_bus:
            heard[name] = self._over(name, now_s)
        trials = {
            port: Trial(trial.attempt.state, trial.attempt.driver, trial.attempt.why)
            for port, trial in self._trials.items()
        }
        known = {name: how for name, how in heard.items() if how is not None}
        return rows(self._found, self.parts, known, trials, self.ignored)

    def lost(self) -> list[str]:
        """The devices that do not work now."""
        return [name for name, listener in self._listeners.items() if not listener.live]

    # ---- what a person wants

    def add_port(self, port: str) -> None:
        """Something is connected to this port. Raises Refused."""
        if not port.strip() or not port.isprintable() or len(self.ports) >= _MOST_PORTS:
            raise Refused(
                "Write a port as in the site file, such as /dev/ttyS0 or socket://192.168.7.5:10001."
            )
        if file_of(port) in map(file_of, self.ports):
            raise Refused(f"{port} is in the list already.")
        self.ports.append(port)
        self._looked_s = float("-inf")

    def adopt(self, port: str, driver: str, options: str, now_s: float, replaces: str = "") -> None:
        """Speak to the device at a port, and choose it if it answers; in the place of the device `replaces`
        if that is given. Raises Refused.
        """
        if not self.adopting.left_s(now_s):
            raise Refused("Adopting is closed: open it first. It closes by itself after four minutes.")
        taken = next((part.name for part in self.parts if file_of(part.port) == file_of(port)), "")
        if taken:
            raise Refused(f"{port} is the device {taken} already: a device is added once only.")
        if port not in {device.id for device in self._found}:
            raise Refused(f"Nothing is known at {port}: plug it in, or add the port first.")
        known = self._trials.get(port)
        if known is not None and not known.attempt.over:
            raise Refused("It is being spoken to already: wait until that ends.")
        try:
            given = parsed_options(registry.load(driver), options) if driver != TRY else {}
            tries = {each.name: (each.driver, each.options) for each in tried(port)} if driver == TRY else {}
        except (ValueError, ConfigError) as error:
            raise Refused(str(error)) from None
        if driver != TRY:
            tries = {driver: (driver, given)}
        if not tries:
            raise Refused(f"No driver can be tried at {port}: choose the driver by its name.")
        limits: dict[AttemptState, float] = dict(LIMITS_S)
        if driver == TRY:
            limits["asking"] = LIMITS_S["asking"] / 2
        self._trials[port] = RunningTrial(Attempt(tuple(tries), now_s, limits), port, tries)
        self._replaced.pop(port, None)
        if replaces:
            self._replaced[port] = replaces
        self.ignored = [other for other in self.ignored if other != port]

    def replace(self, name: str, port: str, now_s: float) -> None:
        """Speak to what is at `port` as to the chosen device `name`, and put it in its place. Raises
        Refused.
        """
        part = self._part(name)
        kept = {key: value for key, value in part.options.items() if key != BOARD}
        options = ", ".join(f"{key} = {_toml(value)}" for key, value in kept.items())
        self.adopt(port, part.driver, options, now_s, name)

    def leave_alone(self, port: str) -> Part | None:
        """The device at a port is none of ours. Returns what was chosen until now, if it was."""
        gone = next((part for part in self.parts if part.port == port), None)
        if gone is not None:
            self.parts.remove(gone)
            listener = self._listeners.pop(gone.name, None)
            if listener is not None:
                listener.stop()
        trial = self._trials.pop(port, None)
        if trial is not None:
            trial.stop()
        if port not in self.ignored:
            self.ignored.append(port)
        return gone

    # ---- inside

    def _part(self, name: str) -> Part:
        part = next((part for part in self.parts if part.name == name), None)
        if part is None:
            raise Refused(f"There is no device {name!r}.")
        return part

    def _look(self) -> Iterable[Found]:
        """What is plugged in or was named, each once."""
        named = {file_of(port) for port in self.ports}
        yield from (Found(port, "") for port in self.ports)
        for device in discover(plugged(), self._drivers):
            if file_of(device.port) not in named and (device.candidates or device.adapter):
                proposed = device.candidates[0].driver if device.candidates else ""
                yield Found(device.port, str(device.plugged), proposed, device.adapter)

    def _choose(self, port: str, trial: RunningTrial) -> None:
        name = self._replaced.pop(port, "")
        if name:
            part = self._part(name)
            listener = self._listeners.pop(name, None)
            if listener is not None:
                listener.stop()
            part.port, part.options = port, trial.options
        else:
            driver = trial.driver
            part = Part(free_name(driver, self.parts), driver, port, trial.options)
            self.parts.append(part)
        self._unnumbered.add(part.name)
        self._listen(part)

    def _number(self) -> bool:
        """Note the own number of each device that was chosen here. Returns whether one has said it."""
        found = False
        for part in self.parts:
            listener = self._listeners.get(part.name)
            if part.name in self._unnumbered and listener is not None:
                options = numbered(part, listener)
                if options != part.options:
                    part.options, found = options, True
                    self._unnumbered.discard(part.name)
        return found

    def _listen(self, part: Part) -> None:
        options = asking(part) if part.name in self._unnumbered else part.options
        device = Device(name=part.name, driver=part.driver, port=part.port, options=options)
        try:
            listener = Listener(device, self._hear)
        except ConfigError:
            return  # the driver was taken away since; the list shows the device as configured
        self._listeners[part.name] = listener
        listener.start()

    def _over(self, name: str, now_s: float) -> Heard | None:
        at_s = self._heard_s.get(name)
        if at_s is None:
            return None
        age_s = now_s - at_s
        alive_wall_ms = round((time.time() - age_s) * 1000)
        return Heard(
            "lost" if age_s > _LOST_S else "stale" if age_s > _STALE_S else "live", "", alive_wall_ms
        )


def _heard(listener: Listener) -> Heard | None:
    health = listener.health
    if health is None:
        return None
    with listener.lock:
        identity = listener.tally.identity or listener.driver.title
        hint = no_card(listener.driver, listener.device.options, listener.tally)
    live = health.state == "live"
    # To the second: a picture that says nothing else is not sent ten times within it.
    alive_ms = int(time.time()) * 1000 if live else health.alive_wall_ns // 1_000_000
    # Whoever sets up stands beside the device: a link that broke is a cable that is out, and is said at once.
    state = "lost" if health.state == "stale" and health.detail else health.state
    return Heard(state, identity if live else health.detail, alive_ms, hint if live else "")


def _toml(value: bool | int | float | str) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


__all__ = ["LOOK_S", "Bench"]
