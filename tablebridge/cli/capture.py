"""`tablebridge capture`: the conversation of a device with its driver, recorded while the table goes on."""

from pathlib import Path

import click

from tablebridge.cli.log_options import start_logs
from tablebridge.cli.options import site_option
from tablebridge.model.errors import BrokerError


@click.command()
@click.argument("device")
@site_option
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The file to write."
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    help="Stop after so long; otherwise Ctrl-C stops it.",
)
def command(device: str, site_file: Path, out: Path, seconds: float | None) -> None:
    """Record what DEVICE and its driver say to each other, with the times, into a file.

    The driver runs as `tablebridge drive` runs it, with all devices of its group, so what is read meanwhile
    still goes to the table. Stop the group's own process first, and start it again afterwards; nothing is
    lost but what is read in between. The file holds the tags that were read, and no card.

    \b
    Example: tablebridge capture seat-3 --site site.toml --out seat-3.jsonl --seconds 30
    """
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
        raise BrokerError(f"{error} Stop it first: sudo systemctl stop tablebridge-driver@{group}") from None
    finally:
        for capture in made:
            capture.close()
    (capture,) = made
    click.echo(capture.error or capture.summary)
    if capture.error or not capture.bytes["rx"]:
        raise SystemExit(1)
