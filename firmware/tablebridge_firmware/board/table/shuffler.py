"""A shuffler seen from outside: lamps, motor current and tray become reports of the line protocol.

Nothing of the machine is touched but its light, its cable's field and its tray. What its lamps mean differs
from make to make, so the configuration's `says` has it: "green lit", "red blinking", "motor runs", "tray
closed".
"""

REPORTS = ("jam", "ready", "started")
"""In this order, if several become true at once."""
STATES = {
    "lamp": ("lit", "blinking", "dark"),
    "motor": ("runs", "stopped"),
    "tray": ("closed", "open"),
}
_BLINKS = 3
"""Changes within `hold_ms` that make a lamp a blinking one."""


class Lamp:
    """A photodiode on a lamp. It counts as lit at `on` and as dark at `off`; between them it is as it was.
    `hold_ms` is longer than two periods of its blinking: as long as that without a change it is steady.
    """

    def __init__(self, read, on, off, hold_ms):
        self._read = read
        self._on, self._off = on, off
        self._hold_ms = hold_ms
        self._lit = None
        self._changes = []
        self._since_ms = 0
        self.state = None

    def poll(self, now_ms):
        """Look at it."""
        value = self._read()
        bright = value >= self._on if self._on > self._off else value <= self._on
        dim = value <= self._off if self._on > self._off else value >= self._off
        if self._lit is None:
            self._lit, self._since_ms = bright, now_ms
        elif (bright and not self._lit) or (dim and self._lit):
            self._lit = not self._lit
            self._changes = [at for at in self._changes if now_ms - at < self._hold_ms] + [now_ms]
            self._since_ms = now_ms
        if now_ms - self._since_ms >= self._hold_ms:
            self.state = "lit" if self._lit else "dark"
        elif len(self._changes) >= _BLINKS:
            self.state = "blinking"


class Motor:
    """A current clamp: what it gives swings around `rest` while the motor runs, by `on` or more. It has
    stopped when the swing has stayed below `off` for `hold_ms`.
    """

    def __init__(self, read, on, off, rest, hold_ms):
        self._read = read
        self._on, self._off, self._rest = on, off, rest
        self._hold_ms = hold_ms
        self._swung_ms = None
        self.state = "stopped"

    def poll(self, now_ms):
        """Look at it."""
        swing = abs(self._read() - self._rest)
        if swing >= (self._on if self.state == "stopped" else self._off):
            self._swung_ms = now_ms
            self.state = "runs"
        elif self._swung_ms is not None and now_ms - self._swung_ms >= self._hold_ms:
            self.state = "stopped"


class Tray:
    """A switch that is closed while the deck lies in the tray."""

    def __init__(self, closed, debounce_ms):
        self._closed = closed
        self._debounce_ms = debounce_ms
        self._seen = None
        self._since_ms = 0
        self.state = None

    def poll(self, now_ms):
        """Look at it."""
        closed = self._closed()
        if closed != self._seen:
            self._seen, self._since_ms = closed, now_ms
        elif now_ms - self._since_ms >= self._debounce_ms:
            self.state = "closed" if closed else "open"


class Shuffler:
    """Reports when something of `says` becomes true. `says`: by report, pairs of a sensor's name and its
    state, which all must hold. What is true when the board starts is no news, but for a jam.
    """

    def __init__(self, lines, sensors, says):
        self._lines = lines
        self._sensors = sensors
        self._says = says
        self._held = {}
        self._number = 0
        self._last = None

    def poll(self, now_ms):
        """Look at all of it."""
        for sensor in self._sensors.values():
            sensor.poll(now_ms)
        for report in REPORTS:
            conditions = self._says.get(report)
            if not conditions or any(self._sensors[name].state is None for name, _ in conditions):
                continue
            holds = all(self._sensors[name].state == state for name, state in conditions)
            if holds and not self._held.get(report, report != "jam"):
                self._number = 1 if self._number == 65535 else self._number + 1
                self._last = report
                self.snapshot()
            self._held[report] = holds

    def snapshot(self):
        """The latest report."""
        if self._last is not None:
            self._lines.say("s", self._number, self._last)
