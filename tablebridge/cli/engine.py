"""`tablebridge engine`: sensing, hand engine and journal of the tables of this box."""

from pathlib import Path

import click

from tablebridge.cli.log_options import log_format, start_logs
from tablebridge.cli.options import site_option
from tablebridge.logs import Form


@click.command(epilog="Example: tablebridge engine --site /etc/tablebridge/site.toml")
@site_option
@log_format
def command(site_file: Path, form: Form | None) -> None:
    """Run sensing, hand engine and journal of the tables. It is the only writer of their journals."""
    from tablebridge.app.check import check_tables
    from tablebridge.app.engine import EngineProcess

    site = check_tables(site_file)
    start_logs(site, form, "engine")
    EngineProcess(site).run()
