"""`tablebridge notify`: notify people of alerts."""

from pathlib import Path

import click

from tablebridge.cli.log_options import log_format, start_logs
from tablebridge.cli.options import site_option
from tablebridge.logs import Form
from tablebridge.model.errors import ConfigError


@click.command(epilog="Example: tablebridge notify --site /etc/tablebridge/site.toml")
@site_option
@log_format
def command(site_file: Path, form: Form | None) -> None:
    """Notify people of alerts, by the ways that the file of people names."""
    from tablebridge.notify.process import NotifyProcess, people_file
    from tablebridge.settings.load import load_site
    from tablebridge.settings.people import load_people

    site = load_site(site_file)
    start_logs(site, form, "notify")
    path = people_file(site)
    if path is None or not site.tables:
        raise ConfigError(
            f'{site_file} names nobody who is notified: write people = "people.toml" in it, and a [[person]] '
            "for each in that file; people.example.toml shows how."
        )
    NotifyProcess(site, load_people(path, tuple(table.name for table in site.tables))).run()
