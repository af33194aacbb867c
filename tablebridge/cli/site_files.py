"""`tablebridge site files`: what the machines of a room are configured with."""

from pathlib import Path

import click

from tablebridge.install.room_files import EXAMPLE, write_room_files


@click.command(
    "files",
    short_help="Write configuration and units for the machines of a room.",
    epilog="Example: tablebridge site files room/ --server nats-1 --server nats-2 --server nats-3",
)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--server",
    "servers",
    multiple=True,
    default=EXAMPLE,
    show_default=True,
    help="Host of a nats-server; once for each.",
)
def room_files(folder: Path, servers: tuple[str, ...]) -> None:
    """Write into FOLDER what the machines of a room need: the configuration of each nats-server and of
    PostgreSQL, the roles of its database, the units of nats-server and archive workers with their users.

    The first line of each file says where it belongs. Nothing is installed, and no file holds a secret.
    """
    for name in write_room_files(folder, servers):
        click.echo(str(folder / name))
