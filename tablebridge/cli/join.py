"""`tablebridge join`: a box joins a room, and its owner says what the room may do at it."""

import sys
from pathlib import Path
from typing import Literal

import click

from tablebridge.cli.options import site_option


@click.command(
    epilog="Example: tablebridge join --site /etc/tablebridge/site.toml -\n\n"
    "Example: tablebridge join --site /etc/tablebridge/site.toml --commands off"
)
@site_option
@click.option(
    "--commands",
    type=click.Choice(["on", "off"]),
    help="Whether people in the room may see, take and close alerts of this box; on if nothing is said.",
)
@click.argument("token", required=False)
def command(site_file: Path, commands: Literal["on", "off"] | None, token: str | None) -> None:
    """Join the room that has printed TOKEN (`tablebridge site add-box`), and try the connection.

    With - for TOKEN it is read from the first line of the standard input: as an argument everybody on this
    machine could read it in the list of processes. A box that has joined leaves TOKEN out to change what the
    room may do.

    The key of this box is made here and never leaves it. Run it as the user of the uplink; then start the
    uplink.
    """
    import asyncio

    from tablebridge.settings.load import load_site
    from tablebridge.stream.joining import read_token
    from tablebridge.uplink.join import join
    from tablebridge.uplink.joined import let_room

    site = load_site(site_file)
    if token is None and commands is None:
        raise click.UsageError(
            "Give the token, or - to paste it; or say what the room may do: --commands off"
        )
    if token == "-":
        click.echo("Paste the token, and press Enter:", err=True)
        token = sys.stdin.readline()
    allowed = None if commands is None else commands == "on"
    if token is not None:
        tables = [table.name for table in site.tables]
        joined = asyncio.run(join(read_token(token), site.state_dir, tables, commands=allowed))
        click.echo(f"Box {joined.box} has joined the site {joined.site}. Now start the uplink.")
    elif allowed is not None:
        let_room(site.state_dir, commands=allowed)
        does = "taken" if allowed else "refused"
        click.echo(f"What people in the room do to alerts of this box is {does} from now on.")
