"""`tablebridge site verify`: whether the chains in the archive of a room still hold."""

import json
import os
from typing import TYPE_CHECKING

import click

from tablebridge.model.errors import ConfigError

if TYPE_CHECKING:
    from tablebridge.archive.verifying import Verified

_DATABASE = "TABLEBRIDGE_DATABASE"


@click.command(
    "verify",
    short_help="Check every chain in the room's archive.",
    epilog="Example: tablebridge site verify",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per segment.")
def verify(as_json: bool) -> None:
    """Calculate the hashes of all records in the database again. Exit status 1 if one is not what arrived.

    Of each table it says up to which record its box has signed the chain, and with which key: compare that
    with `tablebridge journal key` on the box.

    The address of the database is in the environment, as TABLEBRIDGE_DATABASE.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from tablebridge.archive.database import check_version, open_database
    from tablebridge.archive.verifying import verified

    address = os.environ.get(_DATABASE, "")
    if not address:
        raise ConfigError(f"no database is named: set {_DATABASE}=postgresql://USER@HOST/NAME")
    engine = open_database(address)
    segments: list[Verified] = []
    try:
        check_version(engine)
        for segment in verified(engine):
            segments.append(segment)
            if as_json:
                click.echo(json.dumps(segment._asdict()))
            elif segment.unsound:
                click.echo(f"{segment.table}: record {segment.unsound} is not what arrived")
            elif segment.missing:
                click.echo(f"{segment.table}: records at the end of segment {segment.segment} are missing")
            if segment.forged and not as_json:
                click.echo(
                    f"{segment.table}: the signature of record {segment.signed} is not that of its key"
                )
            elif not as_json:
                click.echo(f"{segment.table}: {_signed(segment)}")
    except SQLAlchemyError as error:
        raise ConfigError(f"the database does not answer ({str(error).splitlines()[0]})") from None
    finally:
        engine.dispose()
    wrong = sum(bool(segment.unsound or segment.missing or segment.forged) for segment in segments)
    if not as_json:
        records = sum(segment.records for segment in segments)
        click.echo(f"{records} records in {len(segments)} segments hold; {wrong} segments do not.")
    if wrong:
        raise SystemExit(1)


def _signed(segment: "Verified") -> str:
    """Up to which record a segment is signed, and by whom."""
    if not segment.signed:
        return f"segment {segment.segment}, up to record {segment.head}, is not signed by box {segment.box}"
    upto = f"signed up to record {segment.signed} of {segment.head}"
    return f"segment {segment.segment} is {upto} by box {segment.box} with the key {segment.key}"
