"""`tablebridge archive`: a worker that writes the records of a room into PostgreSQL."""

import os
from pathlib import Path

import click

from tablebridge import logs
from tablebridge.cli.log_options import log_format
from tablebridge.logs import Form, Origin
from tablebridge.model.errors import ConfigError

_DATABASE = "TABLEBRIDGE_DATABASE"


@click.command(epilog="Example: tablebridge archive --server tls://nats-1:4222 --credentials archive.creds")
@click.option("--site-name", "site", default="site", show_default=True, help="The name of the site.")
@click.option("--server", "servers", multiple=True, help="Address of a nats-server; once for each of them.")
@click.option("--credentials", type=click.Path(path_type=Path), help="Credentials of the archive's account.")
@click.option("--ca", type=click.Path(path_type=Path), help="Certificates of the room's authority.")
@click.option("--replicas", type=click.IntRange(1, 5), default=3, show_default=True, help="Of the stream.")
@click.option(
    "--metrics",
    "port",
    type=click.IntRange(1, 65535),
    help="Serve metrics and health on this port of 127.0.0.1.",
)
@click.option(
    "--migrate", "only_migrate", is_flag=True, help="Bring the database up to this version, and end."
)
@log_format
def command(
    site: str,
    servers: tuple[str, ...],
    credentials: Path | None,
    ca: Path | None,
    replicas: int,
    port: int | None,
    only_migrate: bool,
    form: Form | None,
) -> None:
    """Check the records of all tables of a site as they arrive, and write them into PostgreSQL.

    The address of the database is in the environment, as TABLEBRIDGE_DATABASE, since it may hold a password.
    Start as many of them as you like.
    """
    from tablebridge.archive.database import migrate, open_database
    from tablebridge.archive.process import ArchiveProcess
    from tablebridge.stream.connection import Credentials
    from tablebridge.stream.message import is_name

    logs.start("info", form=form or "text", origin=Origin("archive"))
    address = os.environ.get(_DATABASE, "")
    if not address:
        raise ConfigError(f"no database is named: set {_DATABASE}=postgresql://USER@HOST/NAME")
    engine = open_database(address)
    if only_migrate:
        click.echo(f"The database is at step {migrate(engine)}.")
        return
    if not is_name(site):
        raise ConfigError(f"{site!r} is no name of a site: letters a to z, digits, - and _, at most 32")
    process = ArchiveProcess(engine, site, servers, Credentials("archive", credentials, ca), replicas)
    if port is not None:
        process.metrics.serve(port)
    process.run()
