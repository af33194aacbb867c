"""`tablebridge sense`: antenna readings on standard input, card events on standard output."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final, TextIO

import click

from tablebridge.journal.read import may_be_journal
from tablebridge.model.errors import ConfigError
from tablebridge.tracking.stream import Stream, UnreadableLine


def sense(lines: Iterable[str], out: TextIO, complain: TextIO) -> tuple[int, int]:
    """Read all lines, write events as they are sensed. Returns how many lines were read and skipped."""
    stream = Stream()
    read = skipped = 0
    table_missing = False
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            events = stream.feed(line)
        except UnreadableLine as error:
            skipped += 1
            if not table_missing:
                print(f"line {number}: {error}; skipped", file=complain)
            # Without a table all lines fail alike: one complaint says it.
            table_missing = not stream.has_table
            continue
        read += 1
        table_missing = False
        for event in events:
            print(json.dumps(event), file=out, flush=True)
    return read, skipped


_HELP: Final = """\
Read antenna readings, print card events.

\b
SOURCE is
  -                  standard input, also if nothing is given
  FILE               a file of readings, or a pipe
  JOURNAL            a journal: the readings that it keeps (--site)
  DEVICE=FILE ...    captures of devices of one table (--site)

\b
Readings, one JSON object per line, in the order of arrival:
  {"table": {"seats": [1, 2], "button": 2,
             "game": "nlhe",
             "antennas": {"0": "seat 1", "1": "seat 2", "2": "board"},
             "tags": {"E0040150ABCD0001": "Ah"}}}
  {"hand": 0, "begin": true, "at_ms": 0}
  {"hand": 0, "at_ms": 812.4, "antenna": 1, "tags": ["E0040150ABCD0001"]}
  {"hand": 0, "end": true, "at_ms": 76120.0}
The first line is the table; "game" names any game but those against the
house, hold'em if it is left out. A hand begins with all cards in the stub.
Each reading is one visit of one antenna; an empty list of tags counts.
With "visited_ms", a copy of a visit (same antenna, same time) is dropped.

\b
Events, one JSON object per line, each as soon as it is sensed:
  {"hand": 0, "at_ms": 1020.0, "card": "Ah", "place": "seat 1"}
These are the moves of single cards as the card filter believes them,
before a record is made of them: a later one of the same card corrects it.
at_ms is that of the last reading it rests on; what the end of a hand
concludes has that of the hand's last reading. Places are seat 1 to
seat 10, board, burn, muck, stub.

A line that is no reading is named on standard error and skipped. The
same recording gives the same output, to the byte.
"""


@click.command("sense", help=_HELP, epilog="Example: tablebridge sense < readings.jsonl")
@click.argument("sources", metavar="[SOURCE]...", nargs=-1)
@click.option(
    "--site", "site_file", type=click.Path(path_type=Path), help="The site file: for captures and journals."
)
def command(sources: tuple[str, ...], site_file: Path | None) -> None:
    """Read antenna readings, print card events."""
    if any("=" in source or may_be_journal(Path(source)) for source in sources):
        _recorded(sources, site_file)
        return
    if len(sources) > 1:
        raise click.UsageError(
            "Give one file of readings; only captures come several at once, as DEVICE=FILE."
        )
    try:
        with click.open_file(sources[0] if sources else "-", encoding="utf-8", errors="replace") as lines:
            read, skipped = sense(lines, sys.stdout, sys.stderr)
    except OSError as error:
        raise ConfigError(
            f"{sources[0]} cannot be read ({error.strerror}); check the path and its permissions."
        ) from None
    if skipped:
        click.echo(f"{skipped} of {read + skipped} lines were skipped.", err=True)
    if not read:
        raise ConfigError(
            'no line could be read; the first must be {"table": {...}}, see tablebridge sense --help.'
        )


def _recorded(sources: tuple[str, ...], site_file: Path | None) -> None:
    from tablebridge.app import recordings
    from tablebridge.settings.load import load_site

    if site_file is None:
        raise click.UsageError("Captures and journals need --site FILE: it says which antenna looks where.")
    site = load_site(site_file)
    if may_be_journal(Path(sources[0])):
        if len(sources) > 1:
            raise click.UsageError("Give one journal alone.")
        events = recordings.from_journal(site, Path(sources[0]))
    else:
        events = recordings.from_captures(site, _captures(sources))
    for event in events:
        click.echo(json.dumps(event))


def _captures(sources: tuple[str, ...]) -> dict[str, Path]:
    """The capture of each device."""
    files: dict[str, Path] = {}
    for source in sources:
        device, equals, file = source.partition("=")
        if not equals or device in files:
            raise click.UsageError(
                f"{source!r} is no capture of a further device; write DEVICE=FILE for each."
            )
        files[device] = Path(file)
    return files
