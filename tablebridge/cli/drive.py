"""`tablebridge drive`: the process of one device."""

from pathlib import Path

import click

from tablebridge.cli.log_options import log_format, start_logs
from tablebridge.logs import Form


@click.command("drive")
@click.argument("name")
@click.option("--site", "site_file", type=click.Path(path_type=Path), required=True, help="The site file.")
@log_format
def command(name: str, site_file: Path, form: Form | None) -> None:
    """Run the driver of the device NAME of the site file, until it is stopped.

    What the device reads is kept on disk and sent to the broker. It may be pulled out and put back at any
    time.

    \b
    Example: tablebridge drive seat-3 --site /etc/tablebridge/site.toml
    """
    from tablebridge.app.check import check_device
    from tablebridge.app.drive import drive

    site = check_device(site_file, name)
    start_logs(site, form, "drive", name)
    drive(site, name)
