"""`tablebridge drive`: the process of a group of devices."""

from pathlib import Path

import click

from tablebridge.cli.log_options import log_format, start_logs
from tablebridge.cli.options import site_option
from tablebridge.logs import Form


@click.command("drive")
@click.argument("name")
@site_option
@log_format
def command(name: str, site_file: Path, form: Form | None) -> None:
    """Run the drivers of the group NAME of the site file, until they are stopped.

    A group is all devices of a table if the site file says nothing else (`group`); the name of a device
    stands for its group. What the devices read is kept on disk and sent to the broker. Each may be pulled out
    and put back at any time.

    \b
    Example: tablebridge drive final --site /etc/tablebridge/site.toml
    """
    from tablebridge.app.check import check_group
    from tablebridge.app.drive import drive

    # What cannot run is logged by `drive`, as soon as the log is open.
    site = check_group(site_file, name, broken=lambda _sentence: None)
    start_logs(site, form, "drive", name)
    drive(site, name)
