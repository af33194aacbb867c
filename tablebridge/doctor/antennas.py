"""Guided measurement of a table's antennas with one card, and what to do about antennas that read badly."""

import contextlib
from collections.abc import Iterable, Iterator
from typing import Final

import click

from tablebridge.antennas.calibration import Calibration
from tablebridge.antennas.guide import CROSS, FAIR, Guide, Measured
from tablebridge.doctor.hearing import bus_readings
from tablebridge.model.readings import Sweep
from tablebridge.settings.site import Site, Table

SKIP: Final = "skip"
Heard = tuple[str, Sweep, int]
"""A device, its sweep, and when (monotonic ns)."""


def measure(guide: Guide, source: Iterable[Heard | str]) -> None:
    """Ask for the places one after the other, until all are done or nothing more is heard."""
    _ask(guide)
    with contextlib.suppress(KeyboardInterrupt):
        for heard in source:
            before = len(guide.done)
            if isinstance(heard, str):
                guide.skip()
            else:
                _report(guide.measure_report(*heard))
            if len(guide.done) > before:
                done = guide.done[-1]
                click.echo(f"    {_said_of(done)}", err=True)
                if guide.place is None:
                    return
                _ask(guide)


def _said_of(done: Measured) -> str:
    if not done.visits:
        return "skipped"
    sure = f", a card is read surely in {done.sure_s:.1f} s" if done.sure_s is not None else ""
    return f"{done.rate:.0%} of {done.visits} visits{sure}: {done.verdict}"


def _report(what: str | None) -> None:
    if what == "several":
        click.echo("More than one card is read there: leave only one.", err=True)
    elif what == "lies":
        click.echo("    is read; leave it there …", err=True)


def _ask(guide: Guide) -> None:
    if guide.place is not None:
        again = guide.done and guide.done[-1].place == guide.place
        what = "lift the card and lay it anew" if again else "lay the card"
        click.echo(f"{len(guide.done) + 1} of {guide.total}: {what} on {guide.place}.", err=True)


def table_sweeps(site: Site, table: Table) -> Iterator[Heard | str]:
    """Sweeps of the table's readers from the bus, and `skip` when Enter is pressed. Raises BrokerError."""
    for heard in bus_readings(site, table, [device.name for device in table.devices], "calibrate"):
        if isinstance(heard, str):
            yield SKIP
        elif isinstance(heard.reading, Sweep):
            yield heard.device, heard.reading, heard.at.monotonic_ns


def advice_of(found: Calibration) -> list[str]:
    """What to do about antennas, by what was learnt from play. A weak reader looks like one that a
    player's arm lies on, so only what is plain is said.
    """
    advice = []
    for spot, antenna in found.antennas.items():
        if antenna.place != "stub" and antenna.hit < FAIR and antenna.place != "muck":
            advice.append(
                f"{antenna.place} reads {antenna.hit:.0%} only: move the antenna closer to the felt, or "
                "take out the "
                "metal beneath it."
            )
        advice += [
            f"A card at {antenna.place} is read at {place_of(found, other)} too, in {rate:.0%} of the "
            "visits: move the "
            "antennas apart, or lower the power of one."
            for other, rate in found.cross.get(spot, {}).items()
            if rate >= CROSS
        ]
    return advice


def place_of(found: Calibration, spot: str) -> str:
    """The place at which an antenna looks; its own name if nothing is known of it."""
    antenna = found.antennas.get(spot)
    return antenna.place if antenna else spot
