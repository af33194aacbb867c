"""`tablebridge export`: hands out of a journal or a table script, as files that other programs read."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from tablebridge.export.account import Account
    from tablebridge.journal.store import Journal
    from tablebridge.model.events import Entry

_REDACTED: Final = (
    "records were redacted: faces that were deleted are unknown, and names that were deleted are left out"
)
FORMATS: Final = {"phh": (".phhs", ".phh"), "ohh": (".ohh",), "pokergfx": (".json",)}
"""What the files of a format end in, the usual one first."""


@click.command(
    short_help="Write hands as PHH, Open Hand History or PokerGFX files.",
    epilog="Example: tablebridge export /var/lib/tablebridge/journal/final.sqlite --format ohh --out hands",
)
@click.argument(
    "files",
    metavar="JOURNAL|SCRIPT...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="phh",
    show_default=True,
    help="What is written.",
)
@click.option("--hand", "hands", metavar="N|N-M", default="", help="Only this hand, or these.")
@click.option(
    "--out",
    metavar="FILE|FOLDER",
    type=click.Path(path_type=Path),
    default=Path(),
    help="Where to write: a folder, or for one journal a file that ends as the format does.",
)
@click.option("--public", is_flag=True, help="Leave out every card that never lay open.")
@click.option("--force", is_flag=True, help="Write over files that are there.")
@click.option(
    "--json", "as_json", is_flag=True, help="Say what was written and left out as JSON, one object a journal."
)
def command(
    files: tuple[Path, ...], form: str, hands: str, out: Path, public: bool, force: bool, as_json: bool
) -> None:
    """Write the hands of journals and of table scripts (.table), one file each.

    A journal is verified first. The files hold hole cards unless --public is given, so only their owner may
    read them, and the journal records that the cards were given out. A hand that is not over is written only
    with --public.
    """
    import msgspec

    wanted = hand_range(hands)
    for path, target in zip(files, _targets(files, form, out, force=force), strict=True):
        payload, written, left, notes = _of(path, form, public, wanted)
        if payload:
            _write(target, payload)
        if as_json:
            click.echo(
                msgspec.json.encode(
                    {
                        "source": str(path),
                        "file": str(target) if payload else None,
                        "hands": written,
                        "left_out": left,
                        "notes": notes,
                    }
                )
            )
            continue
        for sentence in (*(f"hand {number} is left out: {why}" for number, why in left.items()), *notes):
            click.echo(f"{path}: {sentence}", err=True)
        click.echo(str(target)) if payload else click.echo(f"{path}: no hand to write.", err=True)


def hand_range(text: str) -> range:
    """The numbers of the hands that `N` or `N-M` names, or of all hands. Raises ConfigError."""
    from tablebridge.model.errors import ConfigError

    first, dash, last = text.partition("-")
    try:
        return range(int(first), int(last if dash else first) + 1) if text else range(1 << 62)
    except ValueError:
        raise ConfigError(
            f"--hand {text}: this is the number of a hand, or two with a - between: 12-40."
        ) from None


def _targets(files: Sequence[Path], form: str, out: Path, *, force: bool) -> list[Path]:
    """The file to write for each source; nothing is written if one of them is there already."""
    from tablebridge.model.errors import ConfigError

    if out.suffix in FORMATS[form] and not out.is_dir():
        if len(files) > 1:
            raise ConfigError(
                f"--out {out}: this is one file and there are {len(files)} to write; give a folder."
            )
        targets = [out]
    else:
        targets = [out / (path.stem + FORMATS[form][0]) for path in files]
        twice = next((target for target in targets if targets.count(target) > 1), None)
        if twice is not None:
            raise ConfigError(
                f"Two of these would be written to {twice}: export them one by one, to different folders."
            )
    try:
        targets[0].parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"--out {out}: there can be no such folder ({error.strerror}); give another."
        ) from None
    there = next((target for target in targets if target.exists()), None)
    if there is not None and not force:
        raise ConfigError(
            f"{there} is there already: give --force to write over it, or another place with --out."
        )
    return targets


def _of(
    path: Path, form: str, public: bool, numbers: range
) -> tuple[bytes, list[int], dict[int, str], list[str]]:
    """The file's content, the hands in it, why others are left out, and what else is to be said."""
    from tablebridge.export.account import accounts

    entries, name, notes = _entries(path)
    found, left = [], {}
    with click.progressbar(
        length=len(entries), label=path.name, file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as bar:
        for account in accounts(entries, name, folded=lambda: bar.update(1)):
            if account.number not in numbers:
                continue
            if account.state == "running" and not public:
                left[account.number] = "it is not over"
            else:
                found.append(account.public() if public else account)
    payload, cannot = _written(form, found)
    left |= cannot
    if payload and not public and path.suffix != ".table" and (why := _record(path, name, f"export {form}")):
        notes.append(why)
    return (
        payload,
        [account.number for account in found if account.number not in left],
        dict(sorted(left.items())),
        notes,
    )


def _written(form: str, found: "Sequence[Account]") -> tuple[bytes, dict[int, str]]:
    from tablebridge.export import hands, ohh, pokergfx
    from tablebridge.export.phh import write_phhs

    reasons = {"phh": hands.cannot, "ohh": ohh.cannot, "pokergfx": pokergfx.cannot}
    left = {account.number: why for account in found if (why := reasons[form](account))}
    fits = [account for account in found if account.number not in left]
    if not fits:
        return b"", left
    if form == "phh":
        return write_phhs(list(map(hands.phh_of, fits))), left
    return (
        b"\n\n".join(map(ohh.write, fits)) + b"\n" if form == "ohh" else pokergfx.write(fits) + b"\n"
    ), left


def _entries(path: Path) -> "tuple[list[Entry], str, list[str]]":
    """The entries of a journal, which is verified, or of a script; the table's name; what is to be said."""
    from tablebridge.cli.scripts import load
    from tablebridge.journal.read import entries, may_be_journal
    from tablebridge.journal.store import Journal
    from tablebridge.model.errors import ConfigError
    from tablebridge.model.events import Entry
    from tablebridge.model.instant import START, later

    if path.suffix == ".table":
        return (
            [
                Entry(statement.number, later(START, statement.at_s), statement.event)
                for statement in load(path).statements
            ],
            path.stem,
            [],
        )
    if path.is_file() and not may_be_journal(path):
        raise ConfigError(
            f"{path}: this is no journal; give one, such as STATE_DIR/journal/TABLE.sqlite, or a table "
            "script, "
            "which ends in .table."
        )
    journal = Journal(path, None, readonly=True)
    try:
        redacted = any(True for _ in journal.records(0, "redaction"))
        return list(entries(journal)), journal.table, [_REDACTED] if redacted else []
    finally:
        journal.close()


def _record(path: Path, table: str, feed: str) -> str:
    """Record in the journal that hole cards were given out; why that could not be done, else empty."""
    from tablebridge.journal.store import Journal
    from tablebridge.model.errors import JournalError

    try:
        journal = Journal(path, table)
    except JournalError as error:
        # Held by its engine, or not ours to write.
        return f"that hole cards were given out is not in the journal: {error}"
    try:
        _append(journal, feed)
    finally:
        journal.close()
    return ""


def _append(journal: "Journal", feed: str) -> None:
    from tablebridge.engine.table import Table
    from tablebridge.host.clock import SystemClock
    from tablebridge.journal.read import entries
    from tablebridge.model.events import Access, Entry

    table = Table(journal.table)
    for entry in entries(journal):
        table.apply(entry)
    with journal.transaction():
        access = Entry(journal.next_number, SystemClock().now(), Access(feed), "operator", by=who())
        journal.record("entry", access)
        for finding in table.apply(access).findings:
            journal.record("finding", finding)


def who() -> str:
    """Who runs the command, for the record."""
    import getpass

    try:
        return f"{getpass.getuser()} (command line)"
    except (KeyError, OSError):
        return f"user {os.getuid()} (command line)"


def _write(path: Path, payload: bytes) -> None:
    from tablebridge import private
    from tablebridge.model.errors import ConfigError

    try:
        private.write(path, payload)
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be written ({error.strerror}): give another folder with --out."
        ) from None
