"""`tablebridge calibrate`: how well each antenna reads, measured with one card or learnt from play."""

import contextlib
import heapq
import json
import secrets
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from tablebridge.antennas.calibration import CalibratedAntenna, Calibration, learn
from tablebridge.antennas.dwell import DwellCounter, DwellCounts
from tablebridge.antennas.guide import CROSS, FAIR, Guide
from tablebridge.bus.account import account
from tablebridge.bus.client import Ack, BusClient
from tablebridge.bus.messages import ReadingMessage, decode
from tablebridge.bus.topics import READING
from tablebridge.journal.antennas import calibration_path, load_counts, places_of, save_counts
from tablebridge.journal.read import entry_of
from tablebridge.journal.store import Journal, Record, Row, Taken
from tablebridge.model.errors import ConfigError
from tablebridge.model.events import Hand
from tablebridge.model.readings import Sweep
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site, Table

_STEP_S: Final = 0.2
_SKIP: Final = "skip"
Heard = tuple[str, Sweep, int]
"""A device, what it read, and when (monotonic ns)."""


@click.command("calibrate", epilog="Example: tablebridge calibrate --site site.toml --map antennas.svg")
@click.option("--site", "site_file", type=click.Path(path_type=Path), required=True, help="The site file.")
@click.option("--table", "table_name", help="The table; needed where the site has several.")
@click.option("--learnt", is_flag=True, help="Show what the table has learnt from play, and measure nothing.")
@click.option(
    "--from",
    "journal",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="TABLE.sqlite",
    help="Learn from the readings that a journal keeps.",
)
@click.option(
    "--map",
    "picture",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.svg",
    help="Draw the antennas and which read their neighbours' cards.",
)
@click.option(
    "--times",
    type=click.IntRange(1, 10),
    default=1,
    show_default=True,
    help="Lay the card so often on each place: how it lies differs each time.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option(
    "--readings",
    type=click.Choice(["-"]),
    help="Read readings as JSON lines on standard input, not from MQTT.",
)
def command(
    site_file: Path,
    table_name: str | None,
    learnt: bool,
    journal: Path | None,
    picture: Path | None,
    times: int,
    as_json: bool,
    readings: str | None,
) -> None:
    """Measure how well each antenna reads.

    Lay one card on each place in turn, as you are asked: a few seconds each, five minutes for a table with
    --times 3. Enter skips a place, Ctrl-C ends. Then it says what each antenna read, which others read the
    card too, and what to do about it. Do it while no hand is played.

    A table learns the same from play, all the time and without a word: --learnt shows it. What is measured
    counts with it.

    \b
    With --readings -, each line is a reading of a device, or the word skip:
      {"device": "seat-1", "kind": "sweep", "antenna": 0, "tags": ["E0040150ABCD0001"]}
    """
    site = load_site(site_file)
    table = _table(site, table_name)
    path = calibration_path(site, table)
    if learnt and journal:
        raise click.UsageError("Give --learnt or --from, not both.")
    places = places_of(table)
    if learnt or journal:
        found = learn(_recorded(table, journal) if journal else load_counts(path), places)
        advice = _advice(found) if found is not None else []
    else:
        guide = Guide(places, times)
        guided(guide, _lines() if readings else _bus(site, table))
        advice = [sentence for one in guide.done for sentence in one.advice(places)]
        kept = load_counts(path)
        guide.add_to(kept)
        save_counts(path, kept)
        found = guide.result()
    if found is None:
        raise ConfigError(
            "Nothing is known of the antennas of this table yet: play some hands, or lay cards as you are asked."
        )
    if as_json:
        click.echo(json.dumps({"table": table.name, "advice": advice, **msgspec.to_builtins(found)}))
    else:
        _show(found, advice)
    if picture is not None:
        from tablebridge.app.calibration import map_of
        from tablebridge.web.crosstalk import draw

        try:
            picture.write_text(draw(map_of(found, 0)), encoding="utf-8")
        except OSError as error:
            raise ConfigError(
                f"{picture} cannot be written ({error.strerror}): give another path for the picture."
            ) from None


def guided(guide: Guide, source: Iterable[Heard | str]) -> None:
    """Ask for one place after the other, until all are done or nothing more is heard."""
    _ask(guide)
    with contextlib.suppress(KeyboardInterrupt):
        for one in source:
            before = len(guide.done)
            if isinstance(one, str):
                guide.skip()
            else:
                told = guide.measure_report(*one)
                if told == "several":
                    click.echo("More than one card is read there: leave only one.", err=True)
                elif told == "lies":
                    click.echo("    is read; leave it there …", err=True)
            if len(guide.done) > before:
                done = guide.done[-1]
                click.echo(
                    f"    {done.rate:.0%} of {done.visits} visits" if done.visits else "    skipped", err=True
                )
                if guide.place is None:
                    return
                _ask(guide)


def _ask(guide: Guide) -> None:
    if guide.place is not None:
        again = guide.done and guide.done[-1].place == guide.place
        what = "lift the card and lay it anew" if again else "lay the card"
        click.echo(f"{len(guide.done) + 1} of {guide.total}: {what} on {guide.place}.", err=True)


def _show(found: Calibration, advice: list[str]) -> None:
    from rich.console import Console
    from rich.table import Table as Grid

    grid = Grid(box=None, pad_edge=False, header_style="bold")
    for column in ("antenna", "looks at", "reads", "worst tenth", "every", "from", "read elsewhere"):
        grid.add_column(column)
    for spot, antenna in found.antennas.items():
        cross = ", ".join(
            f"{found.antennas[other].place if other in found.antennas else other} {rate:.1%}"
            for other, rate in sorted(found.cross.get(spot, {}).items(), key=lambda pair: -pair[1])
            if rate >= 0.001
        )
        every = f"{1000 * antenna.cycle_s:.0f} ms" if antenna.cycle_s else ""
        stays = f"{antenna.stays} stay" + ("" if antenna.stays == 1 else "s")
        grid.add_row(spot, antenna.place, f"{antenna.hit:.0%}", f"{antenna.low:.0%}", every, stays, cross)
    Console(highlight=False, soft_wrap=True).print(grid)
    for sentence in advice:
        click.echo(sentence)


def _advice(found: Calibration) -> list[str]:
    """Of what was learnt from play: no reader is told from one that a player's arm lies on, so only what is
    plain.
    """
    told = []
    for spot, antenna in found.antennas.items():
        if antenna.place != "stub" and antenna.hit < FAIR and antenna.place != "muck":
            told.append(
                f"{antenna.place} reads {antenna.hit:.0%} only: move the antenna closer to the felt, or take out the "
                "metal beneath it."
            )
        told += [
            f"A card at {antenna.place} is read at {_place(found, other)} too, in {rate:.0%} of the visits: move the "
            "antennas apart, or lower the power of one."
            for other, rate in found.cross.get(spot, {}).items()
            if rate >= CROSS
        ]
    return told


def _place(found: Calibration, spot: str) -> str:
    antenna: CalibratedAntenna | None = found.antennas.get(spot)
    return antenna.place if antenna else spot


def _table(site: Site, name: str | None) -> Table:
    found = [table for table in site.tables if name in (None, table.name)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(table.name for table in site.tables) or "none"
    if name is None:
        raise ConfigError(f"Say which table: --table NAME, of {names}.")
    raise ConfigError(f"The site file has no table {name!r}; it has {names}.")


def _recorded(table: Table, path: Path) -> DwellCounts:
    """The stays in what a journal keeps."""
    places = {
        (device.name, antenna): place
        for device in table.devices
        for antenna, place in device.antennas.items()
    }
    collector = DwellCounter(places)
    journal = Journal(path, table.name, readonly=True)
    rows: Iterable[Record | Row] = heapq.merge(
        journal.records(), journal.readings(), key=lambda row: row.number
    )
    for row in rows:
        if isinstance(row, Row):
            if isinstance(row.row, Taken) and isinstance(row.row.stamped.reading, Sweep):
                collector.count_report(
                    row.row.stamped.device, row.row.stamped.reading, row.row.stamped.at.monotonic_ns
                )
        elif (entry := entry_of(row)) is not None and isinstance(entry.event, Hand):
            collector.end_hand()
    journal.close()
    collector.end_hand()
    return collector.counts


class _Line(Sweep, frozen=True, tag="sweep", tag_field="kind"):
    """A sweep with its device. `at_ms`: when."""

    device: str = ""
    at_ms: float = 0.0


def _lines() -> Iterator[Heard | str]:
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_Line)
    for number, line in enumerate(sys.stdin, 1):
        if line.strip() == _SKIP:
            yield _SKIP
        elif line.strip():
            try:
                one = decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                click.echo(f"line {number}: this is no sweep ({error}); skipped", err=True)
                continue
            yield one.device, one, round(one.at_ms * 1e6)


def _bus(site: Site, table: Table) -> Iterator[Heard | str]:
    """Sweeps of all readers of the table, and `skip` when Enter is pressed."""
    came: deque[Heard | str] = deque()
    user, password = account(site, "enrol")
    client = BusClient(site.broker, f"calibrate-{secrets.token_hex(8)}", user, password, clean=True)

    def message(topic: str, payload: bytes, retained: bool, ack: Ack) -> None:
        ack()
        with contextlib.suppress(ValueError):
            stamped = decode(payload, ReadingMessage).stamped
            if isinstance(stamped.reading, Sweep):
                came.append((stamped.device, stamped.reading, stamped.at.monotonic_ns))

    client.on_message = message
    for device in table.devices:
        # QoS 0: what is read while nobody calibrates must not be kept for us.
        client.subscribe(READING.of(site.name, table.name, device.name), qos=0)
    keys = [sys.stdin.fileno()] if sys.stdin.isatty() else []
    try:
        while True:
            if client.step(_STEP_S, keys):
                sys.stdin.readline()
                came.append(_SKIP)
            while came:
                yield came.popleft()
    finally:
        client.close()
