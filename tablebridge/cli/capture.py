"""`tablebridge capture`: the conversation of a device with its driver, recorded while the table goes on, or
on a bench.
"""

from pathlib import Path
from typing import Final, Literal

import click

from tablebridge.cli.driver_options import parse_option
from tablebridge.cli.log_options import start_logs
from tablebridge.model.errors import BrokerError

SILENT: Final = "It sent nothing."


@click.command()
@click.argument("device", required=False)
@click.option("--site", "site_file", type=click.Path(path_type=Path), help="The site file with DEVICE.")
@click.option("--port", help="Without a site file: the port, as a site file has it.")
@click.option("--driver", "driver_name", metavar="NAME", help="Without a site file: the driver.")
@click.option("--raw", is_flag=True, help="Without a driver: what a serial device says by itself.")
@click.option("--baud", type=click.IntRange(300, 4_000_000), help="Of --raw: the speed. [default: 9600]")
@click.option("--parity", type=click.Choice(["N", "E", "O"]), default="N", help="Of --raw: the parity.")
@click.option(
    "--option", "given", multiple=True, metavar="NAME=VALUE", help="Without a site file: an option of it."
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The file to write."
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    help="Stop after so long; otherwise Ctrl-C stops it.",
)
def command(
    device: str | None,
    site_file: Path | None,
    port: str | None,
    driver_name: str | None,
    raw: bool,
    baud: int | None,
    parity: Literal["N", "E", "O"],
    given: tuple[str, ...],
    out: Path,
    seconds: float | None,
) -> None:
    """Record what a device and its driver say to each other, with the times, into a file.

    DEVICE is one of a site file. Its driver runs as `tablebridge drive` runs it, with all devices of its
    group, so what is read meanwhile still goes to the table. Stop the group's own process first, and start
    it again afterwards; nothing is lost but what is read in between.

    With --raw nothing is sent, and what a device says by itself is recorded and shown, with the drivers that
    understand it. With --port and --driver the device is alone: no site file and no broker is needed, and
    what is read goes into the file only. The file holds the tags that were read, and no card.

    \b
    Example: tablebridge capture seat-3 --site site.toml --out seat-3.jsonl --seconds 30
    Example: tablebridge capture --port /dev/ttyUSB0 --driver feig --out feig.jsonl
    Example: tablebridge capture --port /dev/ttyUSB0 --raw --baud 115200 --out board.jsonl
    """
    if (
        raw
        and port is not None
        and driver_name is None
        and device is None
        and site_file is None
        and not given
    ):
        _raw(port, baud or 9600, parity, out, seconds)
        return
    if raw or baud is not None:
        raise click.UsageError("--raw goes with --port, --baud and --parity, and --baud with --raw only.")
    if port is not None and driver_name is not None and device is None and site_file is None:
        _alone(port, driver_name, given, out, seconds)
    elif device is not None and site_file is not None and port is None and driver_name is None and not given:
        _of_site(device, site_file, out, seconds)
    else:
        raise click.UsageError(
            "Name either a device of a site file, DEVICE --site FILE, or a device alone, "
            "--port PORT --driver NAME."
        )


def _raw(port: str, baud: int, parity: Literal["N", "E", "O"], out: Path, seconds: float | None) -> None:
    from tablebridge.doctor.alone import capture_raw

    heard, understood = capture_raw(port, baud, parity, out, seconds)
    click.echo(f"{out}: {heard}")
    click.echo(understood)
    if heard == SILENT:
        raise SystemExit(1)


def _of_site(device: str, site_file: Path, out: Path, seconds: float | None) -> None:
    from tablebridge.app.check import check_group, find_group
    from tablebridge.app.drive import drive
    from tablebridge.host.recorder import Recorder
    from tablebridge.sdk.driver import Driver, Options

    site = check_group(site_file, device, broken=lambda _sentence: None)
    start_logs(site, None, "capture", device)
    made: list[Recorder] = []

    def recorder(driver: Driver, options: Options) -> Recorder:
        made.append(Recorder(out, driver, options))
        return made[0]

    try:
        drive(site, device, recorder, seconds or 0)
    except BrokerError as error:
        group = find_group(site, device).name
        raise BrokerError(
            f"{error} Stop it first: sudo systemctl stop tablebridge-driver@{group}, or end `tablebridge run`"
            " if that serves the site."
        ) from None
    finally:
        for capture in made:
            capture.close()
    (capture,) = made
    click.echo(capture.error or capture.summary)
    if capture.error or not capture.bytes["rx"]:
        raise SystemExit(1)


def _alone(port: str, driver: str, given: tuple[str, ...], out: Path, seconds: float | None) -> None:
    from tablebridge.doctor.alone import capture_alone

    capture = capture_alone(port, driver, dict(map(parse_option, given)), out, seconds)
    click.echo(capture.error or capture.summary)
    if capture.error:
        raise SystemExit(1)
