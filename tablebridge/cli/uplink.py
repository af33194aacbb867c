"""`tablebridge uplink`: the records of a box to the stream of its room."""

from pathlib import Path

import click

from tablebridge.cli.log_options import log_format, start_logs
from tablebridge.cli.options import site_option
from tablebridge.logs import Form


@click.command(epilog="Example: tablebridge uplink --site /etc/tablebridge/site.toml")
@site_option
@log_format
@click.option(
    "--metrics",
    "port",
    type=click.IntRange(1, 65535),
    help="Serve metrics and health on this port of 127.0.0.1.",
)
@click.option("--again", is_flag=True, help="Send all records again; the room knows those that it has.")
def command(site_file: Path, form: Form | None, port: int | None, again: bool) -> None:
    """Send the records of all tables to the room that this box has joined, and what the floor sees of them.

    The journals are read only, and nothing of the box waits for it. What people in the room do to alerts is
    handed to the engine of the table, unless that is switched off (`tablebridge join --commands off`). Hidden
    faces are sealed for the site's key.
    """
    from tablebridge.app.pushed import check_pushed
    from tablebridge.settings.load import load_site
    from tablebridge.uplink.process import UplinkProcess

    site = load_site(site_file)
    start_logs(site, form, "uplink")
    process = UplinkProcess(site, site_file, check_pushed, again=again)
    if port is not None:
        process.metrics.serve(port)
    process.run()
