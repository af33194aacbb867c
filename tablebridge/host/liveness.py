"""Whether a device works, as distinct from being connected. Pure: time comes in.

Theory. A device is `live` from the moment a turn of its driver was `alive`. Silent for longer than the
driver's `stale_after_s`, or without a link, it is `stale`; silent for three times that it is `lost`. Before
the first report of any kind the state is unknown: a process that has just started knows nothing yet.

    state      alive   link fails   silent for stale_after_s   silent for 3 x stale_after_s
    (unknown)  live    stale        stale                      lost
    live       -       stale        stale                      lost
    stale      live    -            -                          lost
    lost       live    -            -                          -
"""

from typing import Final, Literal

State = Literal["live", "stale", "lost"]

LOST_FACTOR: Final = 3


class Liveness:
    """The state of one device; `state` None: not known yet. `stale_after_s` as the driver says.

    `alive`, `broke` and `tick` return whether they changed the state.
    """

    def __init__(self, stale_after_s: float, now_ns: int) -> None:
        self.state: State | None = None
        self.stale_ns = round(stale_after_s * 1e9)
        self.lost_ns = LOST_FACTOR * self.stale_ns
        self._alive_ns = now_ns

    @property
    def wake_ns(self) -> int | None:
        """When `tick` must be called at the latest (monotonic); None while only a sign of life can change the
        state.
        """
        match self.state:
            case "lost":
                return None
            case "stale":
                return self._alive_ns + self.lost_ns
            case _:
                return self._alive_ns + self.stale_ns

    def silence_s(self, now_ns: int) -> float:
        """Seconds since the device last proved that it works; since the start if it never did."""
        return (now_ns - self._alive_ns) / 1e9

    def alive(self, now_ns: int) -> bool:
        """The device proved that it works."""
        self._alive_ns = now_ns
        return self._become("live")

    def broke(self) -> bool:
        """The link failed or could not be opened."""
        return self.state != "lost" and self._become("stale")

    def tick(self, now_ns: int) -> bool:
        """Time passed."""
        silent = now_ns - self._alive_ns
        if silent >= self.lost_ns:
            return self._become("lost")
        return silent >= self.stale_ns and self._become("stale")

    def _become(self, state: State) -> bool:
        changed = state != self.state
        self.state = state
        return changed
