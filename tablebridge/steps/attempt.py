"""One attempt to work with what is connected to a port, with one driver after the other. Pure.

**Theory.** Whoever runs the attempt opens the port with the driver that `driver` names and reports what
happens; the attempt says in which state it is. No state but the last two lasts for ever: each has its time
limit, so that nobody looks at an attempt that does not move.

| state      | what happens | then                                                    |
| ---------- | ------------ | ------------------------------------------------------- |
| opening    | opened       | asking                                                  |
| opening    | refused      | failed: why, in the words of who refused                |
| opening    | late         | failed                                                  |
| asking     | answered     | identified                                              |
| asking     | refused      | failed                                                  |
| asking     | next         | opening, with the next driver                           |
| asking     | late         | failed: nothing that makes sense came                   |
| identified | proved       | tested                                                  |
| identified | refused      | failed                                                  |
| identified | late         | failed: it answered once and fell silent                |

`proved`: it has shown `PROOFS` signs of life. `late` is found by `due`; it is `next` while a driver is left.
"""

from typing import Final, Literal

AttemptState = Literal["opening", "asking", "identified", "tested", "failed"]
Happened = Literal["opened", "answered", "proved", "refused", "next", "late"]

TABLE: Final[dict[tuple[AttemptState, Happened], AttemptState]] = {
    ("opening", "opened"): "asking",
    ("opening", "refused"): "failed",
    ("opening", "late"): "failed",
    ("asking", "answered"): "identified",
    ("asking", "refused"): "failed",
    ("asking", "next"): "opening",
    ("asking", "late"): "failed",
    ("identified", "proved"): "tested",
    ("identified", "refused"): "failed",
    ("identified", "late"): "failed",
}
PROOFS: Final = 3
LIMITS_S: Final[dict[AttemptState, float]] = {"opening": 5.0, "asking": 6.0, "identified": 10.0}
"""How long a state lasts at most, in seconds; set."""
LATE: Final[dict[AttemptState, str]] = {
    "opening": "The port does not open. Is another program using it?",
    "asking": "Nothing that makes sense came from it. Check power and cable, choose another driver, and "
    "press its button or lay a card on it if it only speaks then.",
    "identified": "It answered once and fell silent. Check power and cable.",
}


class Attempt:
    """An attempt with these drivers, in their order. `limits_s`: the time limits of the states that have one.

    `state`; `driver`: the one that is tried, or that was found; `why`: why it failed, a sentence, empty if it
    did not.
    """

    def __init__(
        self, drivers: tuple[str, ...], now_s: float, limits_s: dict[AttemptState, float] | None = None
    ) -> None:
        self.state: AttemptState = "opening"
        self.why = ""
        self._drivers = list(drivers)
        self._limits_s = limits_s or LIMITS_S
        self._since_s = now_s

    @property
    def driver(self) -> str:
        """The driver that is tried now."""
        return self._drivers[0]

    @property
    def over(self) -> bool:
        """Whether nothing more happens."""
        return self.state in ("tested", "failed")

    def take(self, happened: Happened, now_s: float, why: str = "") -> bool:
        """Something happened at `now_s` (seconds, monotonic). Returns whether it changed the state."""
        following = TABLE.get((self.state, happened))
        if following is None:
            return False
        if following == "failed":
            self.why = why or LATE[self.state]
        if happened == "next":
            self._drivers.pop(0)
        self.state, self._since_s = following, now_s
        return True

    def due(self, now_s: float) -> bool:
        """Time has passed. Returns whether that changed the state."""
        limit_s = self._limits_s.get(self.state)
        if limit_s is None or now_s - self._since_s < limit_s:
            return False
        more = len(self._drivers) > 1 and self.state == "asking"
        return self.take("next" if more else "late", now_s)


__all__ = ["LIMITS_S", "PROOFS", "TABLE", "Attempt", "AttemptState", "Happened"]
