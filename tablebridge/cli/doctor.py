"""`tablebridge doctor`: what is wrong with a box, in sentences that say what to do."""

import logging
from collections.abc import Callable, Iterable
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.live import Live

from tablebridge.cli.options import optional_site
from tablebridge.doctor.check import Check, fail, status
from tablebridge.doctor.tally import Tally
from tablebridge.model.errors import ConfigError
from tablebridge.settings.site import Device


@click.command(epilog="Example: tablebridge doctor --site /etc/tablebridge/site.toml --report doctor.json")
@optional_site
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=5.0,
    show_default=True,
    help="How long devices are listened to; Ctrl-C ends it sooner.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object instead of text.")
@click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the report as JSON; it holds no password, no tag and no card.",
)
@click.option(
    "--endurance",
    type=click.FloatRange(min=0, min_open=True),
    metavar="TBW",
    help="Terabytes that may be written to the box's card or SSD, as its maker states.",
)
def command(
    site_file: Path | None, seconds: float, as_json: bool, report: Path | None, endurance: float | None
) -> None:
    """Examine the machine, and with --site the site: ports, devices, antennas, broker, record, files.

    Each device is opened with its driver and listened to; on a terminal its antennas are shown meanwhile. Put
    a card on each antenna to see how well it is read. One line a check, and what to do. Exit status 0: all is
    well, 1: something to look at, 2: something that does not work.
    """
    from tablebridge.doctor import examine, writes

    # The checks say it; a log line in the middle of the table would be in the way.
    logging.getLogger().addHandler(logging.NullHandler())
    console = Console(soft_wrap=True, highlight=False)
    checks: list[Check] = []

    def report_checks(found: Iterable[Check]) -> None:
        for check in found:
            checks.append(check)
            if not as_json:
                console.print(
                    str(check), markup=False, style={"warn": "yellow", "fail": "red"}.get(check.level)
                )

    report_checks(examine.machine())
    written = writes.budget()
    report_checks([writes.judge_budget(written, endurance)])
    tallies: dict[str, Tally] = {}
    if site_file is None:
        report_checks(examine.without_site())
    else:
        devices = _site(site_file, report_checks)
        found, tallies = _listened(devices, seconds, console if not as_json else None, site_file)
        report_checks(found)
    made = msgspec.json.format(msgspec.json.encode(examine.report(checks, tallies, written)), indent=2)
    if as_json:
        click.echo(made.decode())
    _write(report, made + b"\n")
    raise SystemExit(status(checks))


def _site(site_file: Path, report_checks: Callable[[Iterable[Check]], None]) -> list[Device]:
    """Examine the site; the devices that can be opened."""
    from tablebridge.doctor import examine
    from tablebridge.settings.load import load_site

    try:
        site = load_site(site_file)
    except ConfigError as error:
        report_checks(fail("site", line, "Fix it and look again.") for line in str(error).splitlines())
        return []
    report_checks(examine.site_checks(site, site_file))
    before, devices = examine.before_opening(site)
    report_checks(before)
    return devices


def _listened(
    devices: list[Device], seconds: float, console: Console | None, site_file: Path
) -> tuple[list[Check], dict[str, Tally]]:
    """What devices sent; on a terminal their antennas are shown meanwhile."""
    from tablebridge.doctor import examine
    from tablebridge.doctor.live import table

    if console is None or not console.is_terminal:
        return examine.listened(devices, seconds, site_file=site_file)
    with Live(console=console, transient=True) as live:
        return examine.listened(devices, seconds, lambda listeners: live.update(table(listeners)), site_file)


def _write(report: Path | None, made: bytes) -> None:
    try:
        if report is not None:
            report.write_bytes(made)
    except OSError as error:
        raise ConfigError(
            f"{report} cannot be written ({error.strerror}): give another path for the report."
        ) from None
