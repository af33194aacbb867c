"""`tablebridge journal`: verify a record, read it, replay it."""

from pathlib import Path

import click
import msgspec


@click.group(epilog="Example: tablebridge journal verify /var/lib/tablebridge/journal/final.sqlite")
def command() -> None:
    """Verify and read a journal."""


_FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@command.command(
    short_help="Check the chain of hashes.",
    epilog="Example: tablebridge journal verify /var/lib/tablebridge/journal/1.sqlite",
)
@_FILE
def verify(file: Path) -> None:
    """Check every record against the chain of hashes; print the number of records and the last hash.

    If snapshots were taken, all records are folded and each snapshot is compared: minutes for a journal of
    50,000 hands.
    """
    from tablebridge.app.snapshots import verify_snapshots
    from tablebridge.journal.store import Journal

    journal = Journal(file, None, readonly=True, whole=False)
    click.echo(f"{journal.verify()} records, all sound; last hash {journal.head}")
    agree, others, unknown = verify_snapshots(journal)
    redacted = sum(1 for record in journal.records() if record.redacted)
    journal.close()
    if redacted:
        click.echo(f"{redacted} of them redacted, each of them named by a record of that")
    if agree:
        click.echo(f"{agree} snapshots, each of them what the records before it fold to")
    if others:
        click.echo(f"{others} snapshots of other software, which are not compared and never used by this one")
    if unknown:
        click.echo(f"{unknown} snapshots cannot be compared, for records before them were redacted")


@command.command(
    "drop-snapshots",
    short_help="Have the next start fold all records.",
    epilog="Example: tablebridge journal drop-snapshots /var/lib/tablebridge/journal/1.sqlite",
)
@_FILE
def drop_snapshots(file: Path) -> None:
    """Drop all snapshots of a journal that no engine has open. The records stay as they are, and the engine
    folds all of them at its next start.
    """
    from tablebridge.journal.store import Journal

    readable = Journal(file, None, readonly=True, whole=False)
    table = readable.table
    readable.close()
    journal = Journal(file, table)
    with journal.transaction():
        dropped = journal.snapshots.drop()
    journal.close()
    click.echo(f"{dropped} snapshots dropped; the next start folds all records")


@command.command(
    short_help="Run the engine over the record again.",
    epilog="Example: tablebridge journal replay /var/lib/tablebridge/journal/1.sqlite",
)
@_FILE
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def replay(file: Path, as_json: bool) -> None:
    """Run the engine over the recorded events and compare its findings with the recorded ones.

    Exit status 1 if they differ.
    """
    from tablebridge.engine.table import Table
    from tablebridge.journal.read import entries, findings
    from tablebridge.journal.store import Journal

    journal = Journal(file, None, readonly=True)
    recorded = list(findings(journal))
    table = Table(journal.table)
    again = [finding for entry in entries(journal) for finding in table.apply(entry).findings]
    journal.close()
    differing = [pair for pair in zip(recorded, again, strict=False) if pair[0] != pair[1]]
    same = not differing and len(recorded) == len(again)
    if as_json:
        click.echo(msgspec.json.encode({"recorded": len(recorded), "replayed": len(again), "same": same}))
    else:
        click.echo(
            f"{len(recorded)} findings recorded, {len(again)} on replay: "
            + ("identical" if same else "they differ")
        )
        if differing:
            click.echo(f"first difference at finding {differing[0][0].id} ({differing[0][0].finding})")
    raise SystemExit(0 if same else 1)


@command.command(
    short_help="Print the record as table script.",
    epilog="Example: tablebridge journal show --since 1200 /var/lib/tablebridge/journal/1.sqlite",
)
@_FILE
@click.option("--since", type=int, default=0, show_default=True, help="From this record on.")
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON object a line, as recorded. It holds faces of cards."
)
def show(file: Path, since: int, as_json: bool) -> None:
    """Print what happened as lines of table script, faces of all cards hidden."""
    from tablebridge.engine.script.writer import line_of
    from tablebridge.journal.read import entries
    from tablebridge.journal.store import Journal

    journal = Journal(file, None, readonly=True)
    if as_json:
        for record in journal.records(since):
            click.echo(
                msgspec.json.encode(
                    {"number": record.number, "kind": record.kind, "body": msgspec.Raw(record.body)}
                )
            )
    else:
        for entry in entries(journal, since):
            click.echo(f"{entry.id:8d}  {entry.basis:8s}  {line_of(entry.event, hide=lambda card: True)}")
    journal.close()
