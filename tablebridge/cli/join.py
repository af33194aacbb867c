"""`tablebridge join`: a box joins a room."""

from pathlib import Path

import click

from tablebridge.cli.options import site_option


@click.command(epilog="Example: tablebridge join --site /etc/tablebridge/site.toml tbj1.eyJzZXJ2ZXJzIj...")
@site_option
@click.argument("token")
def command(site_file: Path, token: str) -> None:
    """Join the room that has printed TOKEN (`tablebridge site add-box`), and try the connection.

    The key of this box is made here and never leaves it. Run it as the user of the uplink; then start the
    uplink.
    """
    import asyncio

    from tablebridge.settings.load import load_site
    from tablebridge.stream.joining import read_token
    from tablebridge.uplink.join import join

    site = load_site(site_file)
    tables = [table.name for table in site.tables]
    joined = asyncio.run(join(read_token(token), site.state_dir, tables))
    click.echo(f"Box {joined.box} has joined the site {joined.site}. Now start the uplink.")
