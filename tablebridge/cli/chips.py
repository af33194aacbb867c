"""`tablebridge chips`: enrol racks of chips, see what is enrolled, see what a table's tray holds."""

from collections import Counter
from pathlib import Path

import click
import msgspec

_SITE = click.option(
    "--site", "site_file", type=click.Path(path_type=Path), required=True, help="The site file."
)
_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object.")


@click.group(epilog="Example: tablebridge chips enrol 100 --device rack --site site.toml")
def command() -> None:
    """Give chips their denominations, see which are enrolled, and what a table's tray holds."""


@command.command(
    short_help="Give chips their denomination.",
    epilog="Example: tablebridge chips enrol 100 --device rack --site site.toml",
)
@click.argument("denomination", type=click.IntRange(min=1))
@_SITE
@click.option(
    "--device", "device_name", help="The reader on which chips are laid; needed if the site has several."
)
@click.option(
    "--antenna",
    type=click.IntRange(min=0),
    help="Its antenna; by default the first that the site file names.",
)
@click.option(
    "--readings",
    type=click.Choice(["-"]),
    help="Read readings as JSON lines on standard input, not from MQTT.",
)
def enrol(
    denomination: int, site_file: Path, device_name: str | None, antenna: int | None, readings: str | None
) -> None:
    """Every chip that is laid on the antenna is of DENOMINATION, until Ctrl-C. Each is saved at once.

    Lay a rack of that denomination down, or a few of its chips at a time. A chip that has a denomination
    already keeps it.
    """
    from tablebridge.doctor.enrolment import enrol_chips
    from tablebridge.doctor.hearing import UNDO, antenna_sweeps, typed_sweeps
    from tablebridge.model.errors import ConfigError
    from tablebridge.model.readings import Sweep
    from tablebridge.sensing.enrolment.chip_enrolment import ChipEnrolment
    from tablebridge.settings.decks import chips_path, load_inventory
    from tablebridge.settings.load import load_site

    site = load_site(site_file)
    if not site.tables:
        raise ConfigError(f"{site_file}: the site has no table; write one before you enrol its chips.")
    path = chips_path(site)
    known = load_inventory(site, site.tables[0])
    rack = ChipEnrolment(denomination, known.chips, [tag for deck in known.decks for tag in deck.cards])
    source = typed_sweeps(Sweep, UNDO) if readings else antenna_sweeps(site, device_name, antenna)
    enrol_chips(rack, denomination, path, source)


@command.command(
    short_help="How many chips of each denomination are enrolled.",
    epilog="Example: tablebridge chips show --site site.toml",
)
@_SITE
@_JSON
def show(site_file: Path, as_json: bool) -> None:
    """How many chips of each denomination are enrolled, and what they are worth."""
    from tablebridge.settings.decks import chips_path, load_chips
    from tablebridge.settings.load import load_site

    path = chips_path(load_site(site_file))
    _counts(dict(sorted(Counter((load_chips(path) if path.exists() else {}).values()).items())), as_json)


@command.command(
    short_help="Whether the enrolled chips are right.",
    epilog="Example: tablebridge chips check --site site.toml",
)
@_SITE
@_JSON
def check(site_file: Path, as_json: bool) -> None:
    """Whether each tag is one chip only and no card, and which denominations are in play at no table (status
    1).
    """
    from tablebridge.settings.decks import load_inventory
    from tablebridge.settings.load import load_site

    site = load_site(site_file)
    enrolled = {value for table in site.tables for value in load_inventory(site, table).chips.values()}
    in_play = {value for table in site.tables for value in table.chips}
    odd = sorted(enrolled - in_play) if in_play else []
    missing = sorted(in_play - enrolled) if enrolled else []
    if as_json:
        click.echo(msgspec.json.encode({"ok": not odd, "at_no_table": odd, "not_enrolled": missing}))
    else:
        for value in odd:
            click.echo(
                f"Chips of {value} are enrolled and in play at no table; write it in a table's chips, or "
                "remove them."
            )
        for value in missing:
            click.echo(f"note: no chip of {value} is enrolled.")
        if not odd:
            click.echo("ok")
    if odd:
        raise SystemExit(1)


@command.command(
    short_help="What a table's tray holds.",
    epilog="Example: tablebridge chips tray /var/lib/tablebridge/journal/1.sqlite",
)
@click.argument("journal", type=click.Path(path_type=Path, dir_okay=False))
@_JSON
def tray(journal: Path, as_json: bool) -> None:
    """What the tray of the table of JOURNAL held when it was read last, and what of it nothing explains."""
    from tablebridge.engine.table import Table
    from tablebridge.engine.views import tray_view
    from tablebridge.journal.read import entries
    from tablebridge.journal.store import Journal

    record = Journal(journal, None, readonly=True)
    table = Table(record.table)
    for entry in entries(record):
        table.apply(entry)
    record.close()
    view = tray_view(table)
    account = table.setup.tray
    if as_json:
        wrong = account.breakdown if account is not None and account.variance else ()
        click.echo(msgspec.json.encode({"table": table.name, "tray": view, "wrong": wrong}))
    elif view is None or account is None:
        click.echo(f"The tray of table {table.name} was never read.")
    else:
        _counts(view.chips, as_json)
        if view.variance:
            click.echo(f"{abs(view.variance)} {'less' if view.variance < 0 else 'more'} than is explained:")
            for counted in account.breakdown:
                click.echo(f"{counted.denomination:>9}  expected {counted.expected}, found {counted.found}")


def _counts(chips: dict[int, int], as_json: bool) -> None:
    total = sum(value * number for value, number in chips.items())
    if as_json:
        click.echo(msgspec.json.encode({"chips": chips, "total": total}))
        return
    for value, number in chips.items():
        click.echo(f"{value:>9}  {number:>5}  {value * number}")
    click.echo(f"    total  {sum(chips.values()):>5}  {total}")
