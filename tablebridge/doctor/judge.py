"""The verdict on what a device reported: checks from its tally. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from tablebridge.doctor.check import Check, fail, ok, warn
from tablebridge.doctor.tally import AntennaTally, Tally, shared
from tablebridge.host.plugged import USB
from tablebridge.host.sanitize import printable
from tablebridge.model.readings import DeviceStatus
from tablebridge.sdk.driver import Driver, Options, Rejected
from tablebridge.settings.site import Device

STANDARD: Final = "cards"
"""The option that says which standard of cards a reader is to read."""
SLOW_S: Final = 0.5
"""A card that is dealt and lifted is on the antenna for about a second: it should be read twice."""
NOISY: Final = 0.02
WEAK: Final = 0.7
_JUDGED_VISITS: Final = 8
_UNDERSTOOD: Final = 3
_SHOWN_BYTES: Final = 48
_TEXT: Final = bytes(range(0x20, 0x7F)) + b"\t\r\n"


def judge(
    device: Device,
    tally: Tally,
    detail: str,
    drivers: Iterable[Driver],
    site_file: Path = Path("site.toml"),
) -> Iterator[Check]:
    """The checks of one device. `detail`: why it is not live, as the host reports it. `drivers`: other
    drivers that might understand it. `site_file`: for the commands that are proposed.
    """
    name = device.name
    if not tally.alive:
        yield Check(
            "fail",
            name,
            detail or "nothing that makes sense came from it.",
            _better_driver(device, tally, drivers)
            or "Check power and cable, and driver, port and options in the site "
            f"file; `tablebridge capture {name} --site {site_file} --out {name}.jsonl` records what it says.",
            shown(tally.heard),
        )
        return
    yield ok(name, f"{tally.identity or 'it works and does not say what it is'}; {tally.readings} readings.")
    if any(driver.composed and driver.name == device.driver.rpartition(":")[2] for driver in drivers):
        yield ok(
            name,
            f"the driver {device.driver} was tried with composed answers only: compare what it reads with "
            "what lies there.",
        )
    yield from _standard(device, tally, drivers)
    yield from _noise(name, tally)
    yield from _statuses(device, tally)
    yield from _antennas(device, tally)
    for contact in sorted(set(tally.contacts) - set(device.contacts)):
        yield warn(
            name,
            f"contact {contact} was pressed and the site file gives it no meaning.",
            f'Add `{contact} = "…"` under contacts of {name}, or leave it.',
        )


def _standard(device: Device, tally: Tally, drivers: Iterable[Driver]) -> Iterator[Check]:
    """What a reader without a card may be set to: cards of the other standard are not there for it."""
    driver = next((known for known in drivers if known.name == device.driver.rpartition(":")[2]), None)
    if driver is not None and (hint := no_card(driver, device.options, tally)):
        yield ok(device.name, hint)


def no_card(driver: Driver, options: Options, tally: Tally) -> str:
    """What to try if a reader has visited its antennas and read no card; empty if it has read one, or reads
    all.
    """
    if not tally.antennas or any(antenna.tags for antenna in tally.antennas.values()):
        return ""
    hint = other_standard(driver, options)
    return f"it works and read no card. If cards lie there: {hint}." if hint else ""


def other_standard(driver: Driver, options: Options) -> str:
    """What to try if a reader that works reads no card; empty if its driver reads all."""
    cards = driver.options.get(STANDARD)
    if cards is not None:
        now = options.get(STANDARD, cards.default)
        others = " or ".join(f'{STANDARD} = "{choice}"' for choice in cards.choices if choice != now)
        return f"as it is set it sees no card but those of {now}; try {others}"
    return f"it sees cards of {driver.standard} only" if driver.standard else ""


def _statuses(device: Device, tally: Tally) -> Iterator[Check]:
    name = device.name
    for (state, antenna), text in tally.statuses.items():
        if state in ("failed", "degraded"):
            part = (
                "it" if antenna is None else f"antenna {antenna} ({device.antennas.get(antenna, 'no place')})"
            )
            make = fail if state == "failed" else warn
            yield make(
                name,
                f"{part} says of itself: {text or state}.",
                "Look at the device and its antenna's cable.",
            )


def _noise(name: str, tally: Tally) -> Iterator[Check]:
    count = tally.rejects.total()
    if count > NOISY * (count + tally.readings) and count > 1:
        reasons = ", ".join(f"{number} {reason}" for reason, number in tally.rejects.most_common())
        yield warn(
            name,
            f"{count} pieces were rejected beside {tally.readings} readings ({reasons}).",
            "Look at cable, grounding and supply; time-outs alone may be a device that is asked too early.",
        )


def _antennas(device: Device, tally: Tally) -> Iterator[Check]:
    for number, place in device.antennas.items():
        antenna = tally.antennas.get(number)
        if antenna is None:
            heard = ", ".join(map(str, sorted(tally.antennas))) or "none"
            yield warn(
                device.name,
                f"antenna {number} ({place}) was never visited; visited were {heard}.",
                "Put the numbers right under antennas, or the driver's option for how many it visits.",
            )
        else:
            yield from _antenna(device.name, f"antenna {number} ({place})", antenna)
    for number in sorted(set(tally.antennas) - set(device.antennas)):
        # A multiplexer's free connections are visited as well, and read nothing.
        if not tally.antennas[number].tags:
            continue
        yield warn(
            device.name,
            f"antenna {number} reads tags and the site file gives it no place: what it reads is not used.",
            f'Add `{number} = "seat 1"`, or what it looks at, under antennas of {device.name}.',
        )


def _antenna(name: str, called: str, antenna: AntennaTally) -> Iterator[Check]:
    cycle_s = antenna.cycle_s
    if cycle_s is not None and cycle_s > SLOW_S:
        yield warn(
            name,
            f"{called} is visited every {cycle_s:.2f} s only: a card that is lifted soon may be missed.",
            "Put fewer antennas on one reader, or shorten its pauses in options.",
        )
    elif cycle_s is not None:
        yield ok(
            name, f"{called} is visited every {1000 * cycle_s:.0f} ms; tags read there: {len(antenna.tags)}."
        )
    if antenna.cut_short > antenna.visits / 10:
        yield warn(
            name,
            f"{called}: {antenna.cut_short} of {antenna.visits} inventories were cut short.",
            "Too many tags for this reader at once, or a weak field: take some away and look again.",
        )
    weak = [
        seen
        for seen in antenna.tags.values()
        if seen.last - seen.first >= _JUDGED_VISITS and seen.share < WEAK
    ]
    if weak:
        worst = min(seen.share for seen in weak)
        yield warn(
            name,
            f"{called} reads {len(weak)} of {len(antenna.tags)} tags badly, the worst in {worst:.0%} of "
            "visits.",
            "Move the card to the middle; if that helps, the antenna is too small or stands too far off.",
        )


def overlaps(devices: Mapping[str, Device], tallies: Mapping[str, Tally]) -> Iterator[Check]:
    """Antennas of different places that read the same tag while nobody moved it."""
    for group in sorted(shared(tallies), key=sorted):
        places = sorted(
            {devices[name].antennas[number] for name, number in group if number in devices[name].antennas}
        )
        if len(places) > 1:
            yield warn(
                "antennas",
                f"{' and '.join(places)} read the same tag.",
                "If nobody moved that card, the fields overlap: move the antennas apart, or lower the power.",
            )


def _better_driver(device: Device, tally: Tally, drivers: Iterable[Driver]) -> str:
    """Another driver of the same kind of port that the bytes prove to be the right one."""
    for driver in drivers:
        reached = driver.usb if device.port.startswith(USB) else driver.port
        if reached is None or driver.name == device.driver.rpartition(":")[2]:
            continue
        if understands(driver, tally.heard):
            return (
                f"The driver {driver.name} understands what it says: "
                f'write driver = "{driver.name}" in the site file.'
            )
    return ""


def understands(driver: Driver, heard: bytes) -> bool:
    """Whether these bytes prove that the device is one of the driver's."""
    if driver.decode is None or not driver.distinctive or not heard:
        return False
    items = driver.decode(heard)
    rejects = sum(isinstance(item, Rejected) for item in items)
    # In text, a status is a word that other devices say as well: a modem's OK, a sketch's name.
    proofs = sum(not isinstance(item, Rejected | DeviceStatus) for item in items)
    understood = proofs if _is_text(heard) else len(items) - rejects
    return understood >= _UNDERSTOOD and understood > 3 * rejects


def _is_text(heard: bytes) -> bool:
    """Whether all that came is lines of printable characters."""
    return not heard.translate(None, _TEXT)


def shown(heard: bytes) -> str:
    """The first bytes that came, as text and as hex digits."""
    if not heard:
        return "It sent nothing."
    head = heard[:_SHOWN_BYTES]
    text = printable(head.decode("ascii", "replace").replace("\ufffd", "?"))
    more = "more than " if len(heard) > len(head) else ""
    return f'It sent {more}{len(head)} bytes: "{text}" ({head.hex(" ").upper()}).'


__all__ = ["SLOW_S", "judge", "overlaps", "shown", "understands"]
