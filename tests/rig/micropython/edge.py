"""Runs under MicroPython: `machine` and what else touches pins, time and the serial line, as calls of the
host.

Changes of output pins go along with the next call, so that a transfer on a bus is one call. Numbers are
decimal, bytes are hex.
"""

import sys

import host

_changes = []


def ask(what, *words):
    """The host's answer. Pins that have changed go first."""
    text = " ".join(_changes) + ";" + ",".join(str(word) for word in words)
    _changes.clear()
    answer = host.call(what, text)
    if answer[:1] == "!":
        raise (OSError if answer[1] == "O" else ValueError)(answer[3:])
    return answer


def hexed(data):
    """Bytes as hex. This MicroPython gives b'' and not '' for none."""
    return data.hex() if data else ""


class Pin:
    IN, OUT, PULL_UP, PULL_DOWN = 0, 1, 2, 3

    def __init__(self, number, mode=-1, pull=-1, value=None):
        ask("pin", number, mode, pull)
        self.number = number
        self.mode = mode
        if value is not None:
            self(value)

    def __call__(self, value=None):
        if value is None:
            return int(ask("level", self.number))
        _changes.append(str(self.number) + "=" + str(int(value)))
        return None

    value = __call__


class SPI:
    def __init__(self, number, baudrate=1000000, sck=None, mosi=None, miso=None, firstbit=0):
        self.number = number
        ask("spi_open", number, baudrate, sck.number, mosi.number, miso.number)

    def write_readinto(self, data, answer):
        answer[:] = bytes.fromhex(ask("spi", self.number, data.hex()))


class I2C:
    def __init__(self, number, scl=None, sda=None, freq=400000):
        self.number = number
        ask("i2c_open", number, freq, scl.number, sda.number)

    def writeto(self, address, data):
        ask("i2c_write", self.number, address, data.hex())

    def readfrom(self, address, count):
        return bytes.fromhex(ask("i2c_read", self.number, address, count))


class ADC:
    def __init__(self, pin):
        self.number = pin.number
        ask("adc_open", self.number)

    def read_u16(self):
        return int(ask("adc", self.number))


class WDT:
    def __init__(self, timeout):
        ask("watchdog", timeout)

    def feed(self):
        ask("feed")


class Machine:
    PWRON_RESET, HARD_RESET, WDT_RESET, SOFT_RESET = 1, 2, 3, 5
    Pin, SPI, I2C, ADC, WDT = Pin, SPI, I2C, ADC, WDT

    def reset_cause(self):
        return int(ask("reset_cause"))

    def unique_id(self):
        return bytes.fromhex(ask("unique_id"))

    def reset(self):
        ask("reset")

    def disable_irq(self):
        return 0

    def enable_irq(self, state):
        pass


class Time:
    def ticks_ms(self):
        return int(ask("ticks_us")) // 1000 & 0x3FFFFFFF

    def ticks_diff(self, one, other):
        return ((one - other + 0x20000000) & 0x3FFFFFFF) - 0x20000000

    def sleep_ms(self, ms):
        ask("sleep_us", ms * 1000)

    def sleep_us(self, us):
        ask("sleep_us", us)


class Stream:
    def write(self, data):
        ask("write", data.hex())

    def read(self, count):
        return bytes.fromhex(ask("read", count))


class Standard:
    buffer = Stream()


class System:
    stdin = stdout = Standard()


class Poll:
    def register(self, stream, events):
        pass

    def poll(self, timeout):
        return [1] * int(ask("waiting"))


class Select:
    POLLIN = 1

    def poll(self):
        return Poll()


class MicroPython:
    def kbd_intr(self, char):
        ask("kbd_intr", char)


def install():
    """Put all of it in the places of MicroPython's own modules."""
    sys.modules["machine"] = Machine()
    sys.modules["time"] = Time()
    sys.modules["select"] = Select()
    sys.modules["sys"] = System()
    sys.modules["micropython"] = MicroPython()


def prompt(system):
    """Run what is typed, for ever. What it prints goes to the host, and not to this build's own console."""
    import io

    def printed(*values, end="\n"):
        ask("printed", hexed((" ".join(str(value) for value in values) + end).encode()))

    names = {"__name__": "__main__", "print": printed}
    while True:
        code = bytes.fromhex(ask("typed")).decode()
        fault = ""
        try:
            exec(code, names)
        except BaseException as raised:
            text = io.StringIO()
            system.print_exception(raised, text)
            fault = text.getvalue()
        ask("ended", hexed(fault.encode()))
