"""`tablebridge journal`: verify a record, read it, replay it."""

from pathlib import Path

import click
import msgspec


@click.group(epilog="Example: tablebridge journal verify /var/lib/tablebridge/journal/final.sqlite")
def command() -> None:
    """Verify and read a journal."""


_MOST_HANDS = 1000
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
    short_help="Delete a name, or the hidden cards of hands, for good.",
    epilog="Example: tablebridge journal redact --name 'Anna K.' /var/lib/tablebridge/journal/1.sqlite",
)
@_FILE
@click.option("--name", "names", multiple=True, help="What a player is called in the record.")
@click.option(
    "--hand", "hands", metavar="N|N-M", default="", help="The cards of these hands that never lay open."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
def redact(file: Path, names: tuple[str, ...], hands: str, yes: bool) -> None:
    """Delete names, and cards that never lay open, from a journal that no engine has open.

    The record says which of its parts were deleted, when and by whom, and still proves all others. What was
    deleted cannot be had back. The names of those who entered or ruled something stay.
    """
    from tablebridge.app.redaction import redact_on_request
    from tablebridge.cli.export import hand_range, who
    from tablebridge.host.clock import SystemClock
    from tablebridge.journal.store import Journal
    from tablebridge.model.errors import ConfigError

    wanted = hand_range(hands) if hands else range(0)
    if not (names or hands) or "" in names or len(wanted) > _MOST_HANDS:
        raise ConfigError(
            f"Say what to delete: --name NAME, --hand N, or --hand N-M for up to {_MOST_HANDS} hands."
        )
    readable = Journal(file, None, readonly=True, whole=False)
    table = readable.table
    readable.close()
    yes or click.confirm("What is deleted now cannot be had back. Delete it?", abort=True)
    journal = Journal(file, table)
    done = redact_on_request(journal, names, wanted, who(), SystemClock().now().wall_ns)
    click.echo(
        f"{done.records} records redacted; {journal.verify()} records, all sound; last hash {journal.head}"
    )
    journal.close()
    if not done.erased:
        click.echo(
            "another process reads the journal: what was deleted is in its write-ahead log until the next "
            "start of the engine"
        )
    if done.left:
        click.echo(
            f"the name still stands in {done.left} records: as that of somebody who did something, or "
            "written by an older version, whose records cannot be redacted"
        )
    if done.hands:
        click.echo(
            f"not redacted: {', '.join(map(str, done.hands[:10]))}{' ...' if len(done.hands) > 10 else ''}; "
            "there is no such hand, it can still be corrected, or an older version wrote it"
        )
    if names:
        click.echo("take the name out of the site file too, and delete exports and backups that have it")


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
    from tablebridge.journal.read import entries, findings, same
    from tablebridge.journal.store import Journal

    journal = Journal(file, None, readonly=True)
    recorded = list(findings(journal))
    table = Table(journal.table)
    again = [finding for entry in entries(journal) for finding in table.apply(entry).findings]
    redacted = any(True for _ in journal.records(0, "redaction"))
    journal.close()
    differing = [old for old, new in zip(recorded, again, strict=False) if not same(old, new)]
    equal = not differing and len(recorded) == len(again)
    if as_json:
        click.echo(msgspec.json.encode({"recorded": len(recorded), "replayed": len(again), "same": equal}))
    else:
        click.echo(
            f"{len(recorded)} findings recorded, {len(again)} on replay: "
            + ("identical" if equal else "they differ")
        )
        if differing:
            click.echo(f"first difference at finding {differing[0].id} ({differing[0].finding})")
        if redacted:
            click.echo("records were redacted: what rested on what is deleted cannot be found again")
    raise SystemExit(0 if equal else 1)


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
                    | ({"redacted": True} if record.redacted else {})
                )
            )
    else:
        for entry in entries(journal, since):
            click.echo(f"{entry.id:8d}  {entry.basis:8s}  {line_of(entry.event, hide=lambda card: True)}")
    journal.close()


@command.command(
    "prove",
    short_help="Check a hand that was taken out of a box.",
    epilog="Example: tablebridge journal prove final-hand-12.zip",
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--key", default="", help="The public key of the box, from another source than the bundle.")
def prove(file: Path, key: str) -> None:
    """Check that the records of a bundle follow from one another, and that the box signed them.

    Without --key the bundle proves that one box signed it, but not which.
    """
    from tablebridge.model.errors import ConfigError
    from tablebridge.timeline.bundle import UnsoundBundle, checked

    try:
        sound = checked(file.read_bytes())
    except UnsoundBundle as unsound:
        raise ConfigError(f"{file} proves nothing: {unsound}.") from None
    if key and key.lower() != sound.key:
        raise ConfigError(f"{file} was signed by another box, whose key is {sound.key}.")
    click.echo(f"{sound.records} records follow from one another, {sound.whole} of them with what they say")
    click.echo(f"signed with the key {sound.key}: {sound.statement}")
    if not key:
        click.echo("compare the key with what `tablebridge journal key` prints on the box")


@command.command(
    short_help="Print the key with which this box signs.",
    epilog="Example: tablebridge journal key /var/lib/tablebridge/journal",
)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
def key(folder: Path) -> None:
    """Print the public key with which the box signs the hands that are taken out of it. FOLDER holds the
    journals.
    """
    from tablebridge.app.signing import Signer

    click.echo(Signer(folder).public())
