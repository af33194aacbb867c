"""An HX711 as its data sheet describes it.

Source: AVIA Semiconductor, HX711 data sheet, p. 4 and 5: DOUT high until a value is ready; one bit per pulse
of PD_SCK, highest first, in two's complement, saturated at 800000h and 7FFFFFh; pulses 25, 26 and 27 pull
DOUT high and choose A with 128, B with 32, A with 64 for the next value; PD_SCK high for 60 us switches it
off, low again resets it. 10 values per second if RATE is 0, the first 400 ms after a reset (p. 3).
"""

from collections.abc import Callable

_PERIOD_US, _SETTLING_US, _DOWN_US = 100_000.0, 400_000.0, 60.0
_GAINS = {25: ("A", 128), 26: ("B", 32), 27: ("A", 64)}


class Hx711:
    """The chip. `value(us)` is what it measures with channel A and gain 128; `now_us` the time."""

    def __init__(self, value: Callable[[float], int], now_us: Callable[[], float]) -> None:
        self._value, self._now_us = value, now_us
        self.gain = ("A", 128)
        self.wrong_pulses = 0
        self._clock = self._pulses = self._latched = 0
        self._next_us = 0.0
        self._rose_us = 0.0
        self._reset(0.0)

    def clock(self, level: int) -> None:
        """The level of PD_SCK."""
        us = self._now_us()
        if level and not self._clock:
            self._rose_us = us
            self._pulse(us)
        elif not level and self._clock and us - self._rose_us >= _DOWN_US:
            self._reset(us)
        self._clock = level

    def data(self, us: float) -> int:
        """The level of DOUT."""
        if self._clock and us - self._rose_us >= _DOWN_US:
            return 1
        if self._pulses == 0:
            if us >= self._next_us:
                self._latched = max(-0x800000, min(0x7FFFFF, self._value(us))) & 0xFFFFFF
                return 0
            return 1
        return self._latched >> 24 - self._pulses & 1 if self._pulses <= 24 else self._after(us)

    def _after(self, us: float) -> int:
        """High after the 25th pulse, until the next value is there."""
        if us < self._next_us:
            return 1
        self.gain = _GAINS.get(self._pulses, self.gain)
        self.wrong_pulses += self._pulses not in _GAINS
        self._pulses = 0
        return self.data(us)

    def _pulse(self, us: float) -> None:
        if self._pulses == 0 and self.data(us):
            return
        if self._pulses >= 25 and self._after(us) == 0:
            return
        self._pulses += 1
        if self._pulses == 25:
            self._next_us = (us // _PERIOD_US + 1) * _PERIOD_US

    def _reset(self, us: float) -> None:
        self.gain = ("A", 128)
        self._pulses = self._latched = 0
        self._next_us = us + _SETTLING_US
