"""Three kinds of shuffler below a board's pins: what a photodiode, a current clamp and a tray switch give of
each.

composed: no machine was measured. The kinds differ in the language of their lamps, as we suppose;
the levels are of a photodiode over 10 kOhm and of a clamp around half the supply, with mains
hum on both.
"""

from math import pi, sin
from typing import Literal

Doing = Literal["empty", "shuffling", "ready", "jam"]
GREEN, RED, CLAMP, TRAY = 26, 27, 28, 15
_BRIGHT, _ROOM = 42000, 3000


class Machine:
    """A machine whose state the test sets. `kind`: `steady` (green when ready, red when jammed), `blinking`
    (green blinks while it shuffles, red when jammed), `one-lamp` (an amber lamp is lit while it shuffles and
    blinks fast when jammed; the deck falls into the tray).
    """

    def __init__(self, kind: Literal["steady", "blinking", "one-lamp"]) -> None:
        self.kind = kind
        self.doing: Doing = "empty"

    def lamp(self, pin: int, us: float) -> bool:
        """Whether a lamp shines at this moment."""
        slow, fast = us // 350_000 % 2 == 0, us // 130_000 % 2 == 0
        match self.kind, pin:
            case "steady", 26:
                return self.doing == "ready"
            case "steady", 27:
                return self.doing == "jam"
            case "blinking", 26:
                return self.doing == "ready" or (self.doing == "shuffling" and slow)
            case "blinking", 27:
                return self.doing == "jam" and slow
            case "one-lamp", 26:
                return self.doing == "shuffling" or (self.doing == "jam" and fast)
        return False

    def diode(self, pin: int, us: float) -> int:
        """What the photodiode on a lamp gives: light of the room, hum of its lamps, and the lamp."""
        hum = int(900 * sin(us * 2 * pi / 10_000))
        return max(0, (_BRIGHT if self.lamp(pin, us) else _ROOM) + hum)

    def clamp(self, us: float) -> int:
        """What the current clamp gives: 50 Hz around the middle while the motor runs, noise otherwise."""
        swing = 9000 if self.doing == "shuffling" else 150
        return 32768 + int(swing * sin(us * 2 * pi / 20_000))

    def tray(self, us: float) -> int:
        """The tray's switch: low while the deck lies in it."""
        return 0 if self.doing == "ready" else 1
