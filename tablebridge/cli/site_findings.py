"""`tablebridge site findings`: what was found about the records of a room. `site settle`: somebody has looked
into it.
"""

import getpass
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from tablebridge.model.errors import ConfigError

if TYPE_CHECKING:
    from tablebridge.archive.settling import SiteFindings

_DATABASE: Final = "TABLEBRIDGE_DATABASE"


@click.command(
    "findings",
    short_help="List what was found about a room's records.",
    epilog="Example: tablebridge site findings --all",
)
@click.option("--all", "settled", is_flag=True, help="Those that were settled as well.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per finding.")
def findings(settled: bool, as_json: bool) -> None:
    """List what was found about the records and nobody has settled, the newest last, with what to do. Exit
    status 1 if something critical is among it.

    The address of the database is in the environment, as TABLEBRIDGE_DATABASE.
    """
    with _findings() as known:
        listed = known.listed(settled=settled)
    for found in listed:
        if as_json:
            row = found._asdict() | {"at": found.at.isoformat(), "todo": found.todo}
            row["settled"] = found.settled.isoformat() if found.settled else None
            click.echo(json.dumps(row))
            continue
        at = f"{found.at:%Y-%m-%d %H:%M UTC}"
        click.echo(f"{found.id}  {at}  {found.severity}  {found.finding}  {found.table or '-'}")
        click.echo(f"    {found.sentence}")
        if found.settled is None:
            click.echo(f"    To do: {found.todo}")
        else:
            who = f" by {found.by}: {found.why}" if found.by else ": the records came"
            click.echo(f"    Settled {found.settled:%Y-%m-%d %H:%M UTC}{who}")
    if not listed and not as_json:
        click.echo("Nothing is open." if not settled else "Nothing was ever found.")
    if any(found.severity == "critical" and found.settled is None for found in listed):
        raise SystemExit(1)


@click.command(
    "settle",
    short_help="Note that somebody has looked into a finding.",
    epilog='Example: tablebridge site settle 12 --why "the box was restored from Monday\'s backup"',
)
@click.argument("number", type=click.IntRange(1, 2**63 - 1))
@click.option("--why", required=True, help="What came out.")
@click.option("--by", help="Who has looked into it; without it the user of this machine.")
@click.option("--is-right", is_flag=True, help="two-boxes, other-key: it is so from now on.")
def settle(number: int, why: str, by: str | None, is_right: bool) -> None:
    """Settle the finding NUMBER of `tablebridge site findings`: it is recorded who did it, when and why.
    Nothing is deleted, but what a settled finding held back goes by the rule of retention.

    The address of the database is in the environment, as TABLEBRIDGE_DATABASE.
    """
    who = by or os.environ.get("SUDO_USER") or getpass.getuser()
    with _findings() as known:
        found = known.settle(number, who, why, is_right=is_right)
    click.echo(f"Settled: {found.finding} of table {found.table or '-'}, by {who}.")


@contextmanager
def _findings() -> "Iterator[SiteFindings]":
    """Those in the room's database. Raises ConfigError."""
    from sqlalchemy.exc import SQLAlchemyError

    from tablebridge.archive.database import check_version, open_database
    from tablebridge.archive.settling import SiteFindings

    address = os.environ.get(_DATABASE, "")
    if not address:
        raise ConfigError(f"no database is named: set {_DATABASE}=postgresql://USER@HOST/NAME")
    engine = open_database(address)
    try:
        check_version(engine)
        yield SiteFindings(engine)
    except SQLAlchemyError as error:
        raise ConfigError(f"the database does not answer ({str(error).splitlines()[0]})") from None
    finally:
        engine.dispose()
