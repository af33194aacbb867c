"""From the configuration to pins: buses, chips, contacts."""

import machine
from machine import ADC, I2C, SPI, Pin

from .chips import pn532
from .chips.pn5180 import Pn5180
from .chips.rc522 import Rc522
from .contact import Contact
from .scale import Hx711, Scales
from .shuffler import Lamp, Motor, Shuffler, Tray


class SpiDevice:
    """One chip on an SPI bus, selected by a pin that is low while bytes go."""

    def __init__(self, bus, select):
        self._bus = bus
        self._select = select

    def exchange(self, data):
        """Send these bytes; what came meanwhile."""
        answer = bytearray(len(data))
        self._select(0)
        try:
            self._bus.write_readinto(data, answer)
        finally:
            self._select(1)
        return answer


class ContactPin:
    """A contact between a pin and ground. `closed`: the level at which it counts as closed; `high` turns it
    round, as for a reed whose magnet leaves when a lid opens. A broken wire reads high.
    """

    def __init__(self, pin, closed, contact):
        self._pin = Pin(pin, Pin.IN, Pin.PULL_UP)
        self._closed = 0 if closed == "low" else 1
        self._contact = contact
        self.snapshot = contact.snapshot

    def poll(self, now_ms):
        """Look at the pin."""
        self._contact.read(self._pin() == self._closed, now_ms)


def open_buses(configuration):
    """SPI and I2C buses by number; a bus that the board refuses is a fault."""
    spi, i2c = {}, {}
    for number, bus in configuration.spi.items():
        try:
            spi[number] = SPI(
                int(number),
                baudrate=bus["baud"],
                sck=Pin(bus["sck"]),
                mosi=Pin(bus["mosi"]),
                miso=Pin(bus["miso"]),
            )
        except (ValueError, OSError) as fault:
            configuration.faults.append("spi." + number + ": the board refuses these pins: " + str(fault))
    for number, bus in configuration.i2c.items():
        try:
            i2c[number] = I2C(int(number), scl=Pin(bus["scl"]), sda=Pin(bus["sda"]), freq=bus["baud"])
        except (ValueError, OSError) as fault:
            configuration.faults.append("i2c." + number + ": the board refuses these pins: " + str(fault))
    return spi, i2c


def make_chips(configuration, pause, now_ms):
    """Chips by antenna. All selects are high before the first byte goes to any of them."""
    spi, i2c = open_buses(configuration)
    selects, chips = {}, {}
    for entry in configuration.chips:
        if "cs" in entry:
            selects[entry["antenna"]] = _output(configuration, entry, "cs", 1)
        if entry["chip"] != "pn5180" and "reset" in entry:
            _output(configuration, entry, "reset", 1)
    for entry in configuration.chips:
        antenna = entry["antenna"]
        if "spi" in entry and (entry["spi"] not in spi or selects.get(antenna) is None):
            continue
        if "i2c" in entry and entry["i2c"] not in i2c:
            continue
        bus = SpiDevice(spi[entry["spi"]], selects[antenna]) if "spi" in entry else None
        if entry["chip"] == "rc522":
            chips[antenna] = Rc522(bus, pause, now_ms, entry.get("gain", 4))
        elif entry["chip"] == "pn532":
            wires = pn532.Spi(bus) if bus else pn532.I2c(i2c[entry["i2c"]])
            chips[antenna] = pn532.Pn532(wires, pause, now_ms)
        else:
            reset = _output(configuration, entry, "reset", 1)
            busy = _input(configuration, entry, "busy")
            if reset is not None and busy is not None:
                standards = entry.get("standards", ["iso15693"])
                chips[antenna] = Pn5180(bus, busy, reset, pause, now_ms, standards)
    return chips


def make_contacts(configuration, lines):
    """What is polled for each contact."""
    found = []
    for entry in configuration.contacts:
        contact = Contact(entry["number"], lines, entry["debounce_ms"])
        try:
            found.append(ContactPin(entry["pin"], entry["closed"], contact))
        except (ValueError, OSError) as fault:
            configuration.faults.append(
                "contacts: the board refuses pin " + str(entry["pin"]) + ": " + str(fault)
            )
    return found


def make_shuffler(configuration, lines):
    """What watches the shuffler, as a list of one; empty if there is none."""
    if configuration.shuffler is None:
        return []
    described, says = configuration.shuffler
    sensors = {}
    for name, (kind, entry) in described.items():
        try:
            sensors[name] = _sensor(kind, entry)
        except (ValueError, OSError) as fault:
            configuration.faults.append("shuffler." + name + ": the board refuses the pin: " + str(fault))
    usable = {
        report: conditions
        for report, conditions in says.items()
        if all(name in sensors for name, _ in conditions)
    }
    return [Shuffler(lines, sensors, usable)]


def _sensor(kind, entry):
    if kind == "tray":
        level = 0 if entry["closed"] == "low" else 1
        pin = Pin(entry["pin"], Pin.IN, Pin.PULL_UP)
        return Tray(lambda: pin() == level, entry["debounce_ms"])
    adc = ADC(Pin(entry["pin"]))
    if kind == "motor":
        return Motor(adc.read_u16, entry["on"], entry["off"], entry["rest"], entry["hold_ms"])
    return Lamp(adc.read_u16, entry["on"], entry["off"], entry["hold_ms"])


def make_scales(configuration, lines):
    """What weighs the tray, as a list of one; empty if nothing does."""
    scales = {}
    for entry in configuration.scales:
        try:
            # Pulled up, a DOUT that is not wired has no value ready.
            data, clock = Pin(entry["data"], Pin.IN, Pin.PULL_UP), Pin(entry["clock"], Pin.OUT, value=0)
        except (ValueError, OSError) as fault:
            configuration.faults.append("scales: the board refuses a pin: " + str(fault))
            continue
        chip = Hx711(data, clock, machine.disable_irq, machine.enable_irq)
        scales[entry["denomination"]] = (chip, entry["zero"], entry["chip"])
    return [Scales(lines, scales)] if scales else []


def _input(configuration, entry, key):
    return _pin(configuration, entry, key, lambda pin: Pin(pin, Pin.IN))


def _output(configuration, entry, key, value):
    return _pin(configuration, entry, key, lambda pin: Pin(pin, Pin.OUT, value=value))


def _pin(configuration, entry, key, make):
    try:
        return make(entry[key])
    except (ValueError, OSError) as fault:
        configuration.faults.append(
            "chips: antenna "
            + str(entry["antenna"])
            + ": "
            + key
            + ": the board refuses the pin: "
            + str(fault)
        )
        return None
