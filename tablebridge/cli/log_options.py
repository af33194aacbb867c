"""How a process logs: the option that all of them share, and its beginning."""

from typing import TYPE_CHECKING

import click

from tablebridge import logs
from tablebridge.logs import Form, Origin

if TYPE_CHECKING:  # the settings are an extra, and help must not need it
    from tablebridge.settings.site import Site

log_format = click.option(
    "--log-format",
    "form",
    type=click.Choice(("text", "json")),
    envvar="TABLEBRIDGE_LOG",
    help="One line of text or one JSON object per log record; without it as TABLEBRIDGE_LOG in the "
    "environment says, else the site file.",
)


def start_logs(site: "Site", form: Form | None, process: str, device: str = "") -> None:
    """Begin to log as the site file and the option say."""
    table = next((table.name for table in site.tables for known in table.devices if known.name == device), "")
    logs.start(site.log_level, form=form or site.log_format, origin=Origin(process, table, device))
