"""A tray that weighs its chips: an HX711 per denomination.

Source: AVIA Semiconductor's HX711 data sheet, p. 4 and 5: 24 bits in two's complement, highest first, one
per pulse of PD_SCK; a 25th pulse asks for channel A with gain 128 and pulls DOUT high until the next value,
100 ms later or 400 ms after power-up. 7FFFFFh and 800000h are the ends of its range. PD_SCK high for 60 us
switches the chip off.
"""

_EVERY_MS = 10000
_MOST_CHIPS = 65535
_STEADY = 3
_SILENT_MS = 1000
_ENDS = (0x7FFFFF, 0x800000)


class Unusable(Exception):
    """What a scale says is no weight; its text says why."""


class Hx711:
    """One chip. `data()` reads DOUT, `clock(level)` sets PD_SCK; nothing may hold a pulse up, so interrupts
    are off.
    """

    def __init__(self, data, clock, interrupts_off, interrupts_on):
        self._data = data
        self._clock = clock
        self._off = interrupts_off
        self._on = interrupts_on

    def read(self):
        """Its value, or None while it has none. Raises Unusable."""
        if self._data():
            return None
        value = 0
        for bit in range(25):
            state = self._off()
            self._clock(1)
            self._clock(0)
            self._on(state)
            if bit < 24:
                value = value << 1 | self._data()
        if not self._data():
            raise Unusable("DOUT stays low: is it wired to ground?")
        if value in _ENDS:
            raise Unusable("out of its range: too heavy or a wire of its load cell is loose")
        return value - (1 << 24) if value & 0x800000 else value


class Scales:
    """Chips by weight. `scales`: by denomination, a chip of the HX711, its value when empty, and that of one
    chip. `fault`: what is wrong with them, empty if nothing is; until then the tray is not counted.
    """

    def __init__(self, lines, scales):
        self._lines = lines
        self._scales = scales
        self.fault = ""
        self._faults = {}
        self._heard_ms = {}
        self._raw = {}
        self._steady = {}
        self._counts = {}
        self._said_ms = None
        self._said = None

    def poll(self, now_ms):
        """Look whether a value has come; a count is believed when it came three times in a row."""
        for denomination, (chip, zero, one) in self._scales.items():
            value = self._value(denomination, chip, now_ms)
            if value is None:
                continue
            self._raw[denomination] = value
            count = min(max(0, int((value - zero) / one + 0.5)), _MOST_CHIPS)
            last, times = self._steady.get(denomination, (count, 0))
            times = times + 1 if count == last else 1
            self._steady[denomination] = count, times
            if times >= _STEADY:
                self._counts[denomination] = count
        whole = len(self._counts) == len(self._scales)
        late = self._said_ms is None or now_ms - self._said_ms >= _EVERY_MS
        if whole and (late or self._counts != self._said):
            self._said, self._said_ms = dict(self._counts), now_ms
            pairs = sorted(self._counts.items())
            self._lines.say("c", *[number for pair in pairs for number in pair])

    def snapshot(self):
        """The protocol has no counts in a snapshot."""

    def remarks(self):
        """What each scale reads, by which its `zero` and `chip` are found."""
        return ["scale of %d reads %d" % pair for pair in sorted(self._raw.items())]

    def _value(self, denomination, chip, now_ms):
        why = ""
        try:
            value = chip.read()
        except Unusable as fault:
            value, why = None, str(fault)
        if value is not None or why:
            self._heard_ms[denomination] = now_ms
        elif now_ms - self._heard_ms.setdefault(denomination, now_ms) >= _SILENT_MS:
            why = "no value for a second: is DOUT wired?"
        else:
            return None
        if why:
            self._steady.pop(denomination, None)
            self._counts.pop(denomination, None)
            self._raw.pop(denomination, None)
        self._judge(denomination, why)
        return value

    def _judge(self, denomination, why):
        if self._faults.get(denomination, "") != why:
            self._faults[denomination] = why
            said = ["scale of " + str(one) + ": " + self._faults[one] for one in sorted(self._faults)]
            self.fault = next((each for each in said if not each.endswith(": ")), "")
