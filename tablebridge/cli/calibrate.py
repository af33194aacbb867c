"""`tablebridge calibrate`: how well each antenna reads, measured with one card or learnt from play."""

import json
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from tablebridge.antennas.calibration import Calibration, learn
from tablebridge.antennas.dwell import DwellCounts
from tablebridge.antennas.guide import Guide
from tablebridge.app.antenna_counts import hand_over, known_counts, places_of
from tablebridge.app.recordings import counts_of
from tablebridge.cli.options import site_option
from tablebridge.doctor.antennas import SKIP, Heard, advice_of, measure, place_of, table_sweeps
from tablebridge.doctor.hearing import typed_sweeps
from tablebridge.model.errors import ConfigError
from tablebridge.model.readings import Sweep
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site, Table


@click.command("calibrate", epilog="Example: tablebridge calibrate --site site.toml --map antennas.svg")
@site_option
@click.option("--table", "table_name", help="The table; needed if the site has several.")
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
    help="Lay the card this often on each place: how it lies differs each time.",
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
    counts with it: the engine takes it between two hands, or when it starts, and its record says so.

    \b
    With --readings -, each line is a reading of a device, or the word skip:
      {"device": "seat-1", "kind": "sweep", "antenna": 0, "tags": ["E0040150ABCD0001"]}
    """
    if learnt and journal:
        raise click.UsageError("Give --learnt or --from, not both.")
    site = load_site(site_file)
    table = _table(site, table_name)
    if learnt or journal:
        found, advice = _learnt(site, table, journal)
    else:
        source = _typed() if readings else table_sweeps(site, table)
        found, advice = _measured(site, table, times, source)
    if found is None:
        raise ConfigError(
            "Nothing is known of the antennas of this table yet: play some hands, or lay cards as you are "
            "asked."
        )
    _show(table, found, advice, as_json=as_json)
    if picture is not None:
        _draw(found, picture)


def _learnt(site: Site, table: Table, journal: Path | None) -> tuple[Calibration | None, list[str]]:
    """What the table has learnt from play, or learns from a journal; and what to do about it."""
    counts = counts_of(table, journal) if journal else known_counts(site.state_dir, table.name)
    found = learn(counts, places_of(table))
    return found, advice_of(found) if found is not None else []


def _measured(
    site: Site, table: Table, times: int, source: Iterator[Heard | str]
) -> tuple[Calibration | None, list[str]]:
    """What was measured, which is left for the engine; and what to do about it."""
    places = places_of(table)
    guide = Guide(places, times)
    measure(guide, source)
    counts = DwellCounts()
    guide.add_to(counts)
    if counts.total:
        hand_over(site.state_dir, table.name, counts)
        click.echo(
            f"Kept: the engine of table {table.name} takes it between two hands, or when it starts.", err=True
        )
    return guide.result(), [sentence for measured in guide.done for sentence in measured.advice(places)]


def _draw(found: Calibration, picture: Path) -> None:
    from tablebridge.app.calibration import map_of
    from tablebridge.web.crosstalk import draw

    try:
        picture.write_text(draw(map_of(found, 0)), encoding="utf-8")
    except OSError as error:
        raise ConfigError(
            f"{picture} cannot be written ({error.strerror}): give another path for the picture."
        ) from None


def _show(table: Table, found: Calibration, advice: list[str], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"table": table.name, "advice": advice, **msgspec.to_builtins(found)}))
        return
    from rich.console import Console
    from rich.table import Table as Grid

    grid = Grid(box=None, pad_edge=False, header_style="bold")
    for column in ("antenna", "looks at", "reads", "worst tenth", "every", "from", "read elsewhere"):
        grid.add_column(column)
    for spot, antenna in found.antennas.items():
        cross = ", ".join(
            f"{place_of(found, other)} {rate:.1%}"
            for other, rate in sorted(found.cross.get(spot, {}).items(), key=lambda pair: -pair[1])
            if rate >= 0.001
        )
        every = f"{1000 * antenna.cycle_s:.0f} ms" if antenna.cycle_s else ""
        stays = f"{antenna.stays} stay" + ("" if antenna.stays == 1 else "s")
        grid.add_row(spot, antenna.place, f"{antenna.hit:.0%}", f"{antenna.low:.0%}", every, stays, cross)
    Console(highlight=False, soft_wrap=True).print(grid)
    for sentence in advice:
        click.echo(sentence)


def _table(site: Site, name: str | None) -> Table:
    found = [table for table in site.tables if name in (None, table.name)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(table.name for table in site.tables) or "none"
    if name is None:
        raise ConfigError(f"Say which table: --table NAME, of {names}.")
    raise ConfigError(f"The site file has no table {name!r}; it has {names}.")


class _Line(Sweep, frozen=True, tag="sweep", tag_field="kind"):
    """A sweep with its device. `at_ms`: when."""

    device: str = ""
    at_ms: float = 0.0


def _typed() -> Iterator[Heard | str]:
    for heard in typed_sweeps(_Line, SKIP):
        yield heard if isinstance(heard, str) else (heard.device, heard, round(heard.at_ms * 1e6))
