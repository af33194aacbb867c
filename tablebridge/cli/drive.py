"""`tablebridge drive`: the process of one device."""

from pathlib import Path

import click


@click.command("drive")
@click.argument("name")
@click.option("--site", "site_file", type=click.Path(path_type=Path), required=True, help="The site file.")
def command(name: str, site_file: Path) -> None:
    """Run the driver of the device NAME of the site file, until it is stopped.

    What the device reads is kept on disk and sent to the broker. It may be pulled out and put back at any
    time.

    \b
    Example: tablebridge drive seat-3 --site /etc/tablebridge/site.toml
    """
    from tablebridge import logs
    from tablebridge.app.check import check_device
    from tablebridge.app.drive import drive

    site = check_device(site_file, name)
    logs.start(site.log_level)
    drive(site, name)
