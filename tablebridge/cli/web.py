"""`tablebridge web`: serve the pages of a site."""

from pathlib import Path

import click


@click.command(epilog="Example: tablebridge web --site /etc/tablebridge/site.toml")
@click.option(
    "--site",
    "site_file",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The site file.",
)
def command(site_file: Path) -> None:
    """Serve the pages, the REST interface and the live streams of a site."""
    from tablebridge import logs
    from tablebridge.settings.load import load_site
    from tablebridge.web.server import serve

    site = load_site(site_file)
    logs.start(site.log_level)
    serve(site, lambda url: click.echo(f"Pages: {url}"))
