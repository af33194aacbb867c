"""`tablebridge site retain`: delete what the archive of a room has kept for long enough."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tablebridge.model.errors import ConfigError

if TYPE_CHECKING:
    from tablebridge.archive.retention import Receipt

_DATABASE = "TABLEBRIDGE_DATABASE"
_LEAST_DAYS, _MOST_DAYS = 8, 36_500
"""The stream holds records for seven days: a day that is older gets no more of them."""


@click.command(
    "retain",
    short_help="Delete what the room's archive has kept for long enough.",
    epilog="Example: tablebridge site retain --days 90 --receipts /var/lib/tablebridge/paid",
)
@click.option(
    "--days", type=click.IntRange(_LEAST_DAYS, _MOST_DAYS), required=True, help="What stays: today and these."
)
@click.option(
    "--receipts",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of receipts of awards: the records of these hands stay.",
)
@click.option("--dry-run", is_flag=True, help="Say what would go; delete nothing.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per day.")
def retain(days: int, receipts: Path | None, dry_run: bool, as_json: bool) -> None:
    """Delete the records of days that are older, and what was read from them; beside running workers.

    What an open alert, an open finding about records, or a receipt needs stays, and so does the head of each
    chain. The address of the database is in the environment, as TABLEBRIDGE_DATABASE.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from tablebridge.archive.database import check_version, open_database
    from tablebridge.archive.retention import Retention, first_kept

    address = os.environ.get(_DATABASE, "")
    if not address:
        raise ConfigError(f"no database is named: set {_DATABASE}=postgresql://USER@HOST/NAME")
    engine = open_database(address)
    retention = Retention(engine, first_kept(days), list(_read(receipts)) if receipts else [])
    count = 0
    try:
        check_version(engine)
        for gone in retention.planned() if dry_run else retention.apply():
            count += gone.records
            if as_json:
                click.echo(json.dumps({"day": str(gone.day), "deleted": gone.records, "kept": gone.kept}))
            else:
                click.echo(f"{gone.day}: {gone.records} records deleted, {gone.kept} kept")
    except SQLAlchemyError as error:
        raise ConfigError(f"the database ends it here ({str(error).splitlines()[0]}): run it again") from None
    finally:
        engine.dispose()
    if not as_json:
        click.echo(f"{count} records {'would be' if dry_run else 'are'} deleted.")


def _read(folder: Path) -> Iterator["Receipt"]:
    """What the receipts of this folder rest on. Raises ConfigError: a receipt that cannot be read protects
    nothing.
    """
    import msgspec

    from tablebridge.archive.retention import Receipt
    from tablebridge.awards.receipt import AwardReceipt

    for path in sorted(folder.glob("*.json")):
        try:
            receipt = msgspec.json.decode(path.read_bytes(), type=AwardReceipt)
        except (OSError, ValueError) as error:
            raise ConfigError(
                f"{path} cannot be read as the receipt of an award ({error}); nothing was deleted. Take it "
                "out of the folder if it is none."
            ) from None
        yield Receipt(receipt.claim.table, receipt.proof.before[0], receipt.claim.entries[1])
