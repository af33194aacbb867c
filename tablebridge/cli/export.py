"""`tablebridge export`: hands out of a journal or a table script, as files that other programs read."""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from tablebridge.export.account import Account
    from tablebridge.journal.store import Journal
    from tablebridge.model.events import Entry

FORMATS: Final = {"phh": ".phhs", "ohh": ".ohh", "pokergfx": ".json"}
_MODE: Final = 0o600


@click.command(short_help="Write hands as PHH, Open Hand History or PokerGFX files.",
               epilog="Example: tablebridge export /var/lib/tablebridge/journal/final.sqlite --format ohh --out hands")
@click.argument("files", metavar="JOURNAL|SCRIPT...", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="phh", show_default=True, help="What is written.")
@click.option("--hand", "hands", metavar="N|N-M", default="", help="Only this hand, or these.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path(), help="The folder to write to.")
@click.option("--public", is_flag=True, help="Leave out every card that never lay open.")
@click.option("--force", is_flag=True, help="Write over files that are there.")
def command(files: tuple[Path, ...], form: str, hands: str, out: Path, public: bool, force: bool) -> None:
    """Write the hands of journals (.sqlite) and table scripts (.table), one file each.

    A journal is verified first. The files hold hole cards unless --public is given, so only their owner may read them, and
    the journal records that the cards were given out. A hand that is not over is never written.
    """
    from tablebridge.model.errors import ConfigError

    first, last = _range(hands)
    with suppress(FileExistsError):
        out.mkdir(parents=True)
    with click.progressbar(files, label=f"Writing {form}", file=sys.stderr) as shown:
        for path in shown:
            target = out / (path.stem + FORMATS[form])
            if target.exists() and not force:
                raise ConfigError(f"{target} is there already: give --force to write over it, or another folder with --out.")
            payload, told = _of(path, form, public, first, last)
            if not payload:
                click.echo(f"{path}: no hand to write{': ' + told[0] if told else '.'}", err=True)
                continue
            _write(target, payload)
            for sentence in told:
                click.echo(f"{path}: {sentence}", err=True)
            click.echo(str(target))


def _range(text: str) -> tuple[int, int]:
    from tablebridge.model.errors import ConfigError

    first, dash, last = text.partition("-")
    try:
        return (int(first), int(last) if dash else int(first)) if text else (0, 1 << 62)
    except ValueError:
        raise ConfigError(f"--hand {text}: this is the number of a hand, or two with a - between: 12-40.") from None


def _of(path: Path, form: str, public: bool, first: int, last: int) -> tuple[bytes, list[str]]:
    """The file's content, and what is to be told of it."""
    from tablebridge.export.account import accounts
    from tablebridge.export.hands import hands_of
    from tablebridge.export.phh import write_phhs
    from tablebridge.model.cards import face

    entries, name, record, close = _entries(path)
    try:
        found = [account for account in accounts(entries, name) if first <= account.number <= last]
        opened = {account.number: {face(card) for card in account.opened} for account in found}
        if form == "phh":
            written = [hand for hand in hands_of(entries, name) if hand.other["hand"] in opened]
            numbers = [hand.other["hand"] for hand in written]
            left = [f"hand {one.number} is left out: PHH cannot hold it" for one in found if one.number not in numbers]
            payload = write_phhs([hand.public(opened[hand.other["hand"]]) if public else hand for hand in written])
        else:
            payload, left = _written(form, [account.public() if public else account for account in found])
        if payload and not public:
            left += record(f"export {form}")
        return payload, left
    finally:
        close()


def _written(form: str, found: "Sequence[Account]") -> tuple[bytes, list[str]]:
    from tablebridge.export import ohh, pokergfx

    cannot = ohh.cannot if form == "ohh" else pokergfx.cannot
    fits = [account for account in found if not cannot(account)]
    left = [f"hand {one.number} is left out: {why}" for one in found if (why := cannot(one))]
    if not fits:
        return b"", left
    return (b"\n\n".join(map(ohh.write, fits)) + b"\n" if form == "ohh" else pokergfx.write(fits) + b"\n"), left


def _entries(path: Path) -> "tuple[list[Entry], str, Callable[[str], list[str]], Callable[[], None]]":
    """The entries of a journal or a script, the table's name; what records that hole cards went out, which tells why it could
    not; and what closes it."""
    from tablebridge.cli.scripts import load
    from tablebridge.journal.read import entries
    from tablebridge.model.errors import ConfigError
    from tablebridge.model.events import Entry
    from tablebridge.model.instant import START, later

    if path.suffix == ".table":
        told = [Entry(one.number, later(START, one.at_s), one.event) for one in load(path).statements]
        return told, path.stem, lambda feed: [], _nothing
    if path.suffix != ".sqlite":
        raise ConfigError(f"{path}: give a journal, a file that ends in .sqlite, or a table script, which ends in .table.")
    journal, why = _open(path)

    def record(feed: str) -> list[str]:
        if not why:
            _record(journal, feed)
        return [why] if why else []

    return list(entries(journal)), journal.table, record, journal.close


def _open(path: Path) -> "tuple[Journal, str]":
    """The journal, for writing where that can be, and why not."""
    from tablebridge.journal.store import Journal
    from tablebridge.model.errors import JournalError

    try:
        return Journal(path, path.stem, readonly=not path.exists()), ""
    except JournalError as error:
        # Held by its engine, or not ours to write; a broken one is refused again.
        return Journal(path, path.stem, readonly=True), f"that hole cards were given out is not in the journal: {error}"


def _record(journal: "Journal", feed: str) -> None:
    from tablebridge.engine.table import Table
    from tablebridge.host.clock import SystemClock
    from tablebridge.journal.read import entries
    from tablebridge.model.events import Access, Entry

    table = Table(journal.table)
    for entry in entries(journal):
        table.apply(entry)
    journal.begin()
    access = Entry(journal.next_number, SystemClock().now(), Access(feed), "operator", by=_who())
    journal.record("entry", access)
    for finding in table.apply(access).findings:
        journal.record("finding", finding)
    journal.commit()


def _who() -> str:
    import getpass

    try:
        return f"{getpass.getuser()} (command line)"
    except (KeyError, OSError):
        return f"user {os.getuid()} (command line)"


def _nothing() -> None:
    pass


def _write(path: Path, payload: bytes) -> None:
    from tablebridge.model.errors import ConfigError

    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _MODE)
        with os.fdopen(handle, "wb") as file:
            os.fchmod(handle, _MODE)
            file.write(payload)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written ({error.strerror}): give another folder with --out.") from None
