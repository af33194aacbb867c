"""`tablebridge web`: serve the pages of a site."""

from pathlib import Path

import click

from tablebridge.cli.log_options import log_format, start_logs
from tablebridge.cli.options import site_option
from tablebridge.logs import Form


@click.command(epilog="Example: tablebridge web --site /etc/tablebridge/site.toml")
@site_option
@log_format
def command(site_file: Path, form: Form | None) -> None:
    """Serve the pages, the REST interface and the live streams of a site."""
    from tablebridge.settings.load import load_site
    from tablebridge.web.server import serve

    site = load_site(site_file)
    start_logs(site, form, "web")
    serve(site, lambda url: click.echo(f"Pages: {url}"))
