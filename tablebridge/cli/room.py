"""`tablebridge room`: the process of a room of tables."""

from pathlib import Path

import click

from tablebridge.cli.log_options import log_format, start_logs
from tablebridge.cli.options import site_option
from tablebridge.logs import Form
from tablebridge.model.errors import ConfigError


@click.command(epilog="Example: tablebridge room --site /etc/tablebridge/site.toml")
@site_option
@log_format
def command(site_file: Path, form: Form | None) -> None:
    """Follow the tables of a tournament: who moves where, which table halts, who is out."""
    from tablebridge.settings.load import load_site
    from tablebridge.tournament.process import RoomProcess

    site = load_site(site_file)
    start_logs(site, form, "room")
    if not site.tables:
        raise ConfigError(f"{site_file} has no table: write a [[table]] in it.")
    RoomProcess(site).run()
