"""`tablebridge site web`: the pages of a room. `site people`: who may open them."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tablebridge.cli.ends import End
from tablebridge.cli.log_options import log_format
from tablebridge.logs import Form
from tablebridge.model.errors import ConfigError

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from tablebridge.hall.people import People
    from tablebridge.settings.site import Web

_DATABASE: Final = "TABLEBRIDGE_DATABASE"
_ROLES: Final = ("floor", "surveillance")
_STATEMENT_S: Final = 10
_CONNECTIONS: Final = 6

_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command(
    "web",
    short_help="Serve the pages of a room.",
    epilog="Example: tablebridge site web --server tls://nats-1:4222 --credentials pages.creds --port 8443",
)
@click.option("--site-name", "site", default="site", show_default=True, help="The name of the site.")
@click.option("--server", "servers", multiple=True, help="Address of a nats-server; once for each of them.")
@click.option("--credentials", type=click.Path(path_type=Path), help="Credentials of the pages' account.")
@click.option("--ca", type=click.Path(path_type=Path), help="Certificates of the room's authority.")
@click.option("--replicas", type=click.IntRange(1, 5), default=3, show_default=True, help="Of the bucket.")
@click.option("--listen", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8081, show_default=True, help="0: any.")
@click.option("--allow-plain-http", is_flag=True, help="Tokens may cross a network without encryption.")
@click.option(
    "--language",
    type=click.Choice(("en", "ru", "es", "zh")),
    default="en",
    show_default=True,
    help="Of who has chosen none.",
)
@log_format
def web(
    site: str,
    servers: tuple[str, ...],
    credentials: Path | None,
    ca: Path | None,
    replicas: int,
    listen: str,
    port: int,
    allow_plain_http: bool,
    language: str,
    form: Form | None,
) -> None:
    """Serve floor, wall, timeline and figures of all tables of a site.

    The address of the database is in the environment, as TABLEBRIDGE_DATABASE, since it may hold a password.
    Start as many of them as you like: they keep nothing of their own. They speak plain HTTP: before other
    machines may reach them, put a proxy with TLS in front.
    """
    from tablebridge import logs
    from tablebridge.hall.server import serve_hall
    from tablebridge.logs import Origin
    from tablebridge.stream.connection import Credentials
    from tablebridge.stream.joining import PAGES
    from tablebridge.stream.message import is_name

    if not is_name(site):
        raise ConfigError(f"{site!r} is no name of a site: letters a to z, digits, - and _, at most 32")
    wanted = {"allow_plain_http": allow_plain_http, "listen": listen, "port": port, "language": language}
    settings = _settings(wanted)
    logs.start("info", form=form or "text", origin=Origin("pages"))
    serve_hall(
        _migrated(_database()),
        site,
        servers,
        Credentials(PAGES, credentials, ca),
        settings,
        lambda url: click.echo(url),
        replicas=replicas,
    )


def _settings(wanted: dict[str, object]) -> "Web":
    """What was wanted of the pages. Raises ConfigError."""
    from pydantic import ValidationError

    from tablebridge.settings.site import Web

    try:
        return Web.model_validate(wanted)
    except ValidationError as error:
        why = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise ConfigError(
            f"--listen: {why.replace('allow_plain_http = true', '--allow-plain-http')}"
        ) from None


@click.group("people", epilog="Example: tablebridge site people add floor Anna")
def people() -> None:
    """Give, list and revoke access to the pages of a room.

    The address of the database is in the environment, as TABLEBRIDGE_DATABASE.
    """


@people.command(
    "add", epilog="Example: tablebridge site people add floor Anna --once --base https://floor.example"
)
@click.argument("role", type=click.Choice(_ROLES))
@click.argument("name")
@click.option("--expires", type=End(), help="When it ends: 30m, 8h, 14d, or a date.")
@click.option("--once", is_flag=True, help="The link is good for one browser, within a day.")
@click.option("--base", default="http://127.0.0.1:8081", show_default=True, help="Address of the pages.")
@_json
def add(role: str, name: str, expires: int | None, once: bool, base: str, as_json: bool) -> None:
    """Make a token for the person NAME and print the link to sign in with, once.

    floor sees and takes alerts; surveillance sees the timeline, cards hidden.
    """
    from tablebridge.hall.people import ROLES

    (known,) = (possible for possible in ROLES if possible == role)
    with _people() as persons:
        token, secret = persons.add(known, name, expires, once=once, by="command")
    link = f"{base.rstrip('/')}/login?token={secret}"
    if as_json:
        click.echo(json.dumps({"id": token.id, "name": token.name, "role": token.role, "link": link}))
        return
    click.echo(f"{token.name}, {role}, id {token.id}. This is shown once:")
    click.echo(f"  {link}")


@people.command("list", epilog="Example: tablebridge site people list")
@_json
def list_(as_json: bool) -> None:
    """List the persons: who, which role, until when."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        with _people() as persons:
            found = persons.all()
    except SQLAlchemyError as error:
        raise ConfigError(f"the database does not answer ({str(error).splitlines()[0][:200]})") from None
    rows = [
        {
            "id": token.id,
            "name": token.name,
            "role": token.role,
            "expires": token.expires_wall_s
            and datetime.fromtimestamp(token.expires_wall_s, UTC).isoformat(timespec="minutes"),
            "opened": not token.link,
        }
        for token in found
    ]
    if as_json:
        click.echo(json.dumps(rows))
        return
    for row in rows:
        until = f", until {row['expires']}" if row["expires"] else ""
        click.echo(f"{row['id']}  {row['role']:<12}  {row['name']}{until}")
    if not rows:
        click.echo("Nobody yet. Let somebody in: tablebridge site people add floor NAME")


@people.command("revoke", epilog="Example: tablebridge site people revoke 4f0c21aa")
@click.argument("id")
def revoke(id: str) -> None:
    """Revoke the token with this ID: its pages end within two seconds."""
    with _people() as persons:
        token = persons.revoke(id, "command")
    click.echo(f"Revoked: {token.name}, {token.role}.")


@contextmanager
def _people() -> Iterator["People"]:
    """The persons of the room, and the end of the connection to their database."""
    from tablebridge.hall.people import People

    engine = _database()
    try:
        yield People(engine)
    finally:
        engine.dispose()


def _migrated(engine: "Engine") -> "Engine":
    """The database, if it is of this version or cannot be asked now: floor and wall do not need it. Raises
    ConfigError.
    """
    from sqlalchemy.exc import ProgrammingError, SQLAlchemyError

    from tablebridge.archive.database import check_version

    try:
        check_version(engine)
    except ConfigError:
        engine.dispose()
        raise
    except ProgrammingError:
        engine.dispose()
        # Before step 0006 the pages had no right to ask for the step.
        raise ConfigError(
            "the database is a step behind: run `tablebridge archive --migrate` once, then start the pages "
            "again."
        ) from None
    except SQLAlchemyError:
        pass
    return engine


def _database() -> "Engine":
    from tablebridge.archive.database import open_database

    address = os.environ.get(_DATABASE, "")
    if not address:
        raise ConfigError(f"no database is named: set {_DATABASE}=postgresql://USER@HOST/NAME")
    return open_database(
        address, name="tablebridge site web", connections=_CONNECTIONS, statement_s=_STATEMENT_S
    )
