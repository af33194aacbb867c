"""`tablebridge firmware`: MicroPython, our firmware and its configuration onto a home-made board."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from tablebridge.firmware.images import KINDS, check_image

if TYPE_CHECKING:
    from tablebridge.firmware.speech import Introduction


@click.group("firmware")
def command() -> None:
    """Put firmware on a home-made board with antennas and contacts, and see what it says.

    \b
    Example: tablebridge firmware flash --board pico RPI_PICO-20250911-v1.26.1.uf2
    Example: tablebridge firmware config --port /dev/ttyACM0 board.json
    """


_port = click.option("--port", required=True, help="The board's serial port, as tablebridge ports lists it.")
_json = click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")


@command.command(
    "flash", epilog="Example: tablebridge firmware flash --board esp32 --port /dev/ttyUSB0 IMAGE.bin"
)
@click.option("--board", type=click.Choice(list(KINDS)), required=True, help="Which board it is.")
@click.option("--port", help="The serial port of an ESP32.")
@click.option(
    "--drive", type=click.Path(path_type=Path), help="The drive of a Pico; otherwise it is looked for."
)
@_json
@click.argument("image", type=click.Path(path_type=Path))
def flash(board: str, port: str | None, drive: Path | None, as_json: bool, image: Path) -> None:
    """Write MicroPython's official IMAGE onto a board, which loses what is on it.

    The image is not part of tablebridge: download the newest release for the board from
    micropython.org/download. Whether the file is for this board is checked before anything is written.
    """
    from tablebridge.firmware import writing

    kind = KINDS[board]
    begun = time.monotonic()
    data = check_image(kind, image)
    if kind.offset is None:
        place = str(writing.flash_drive(kind, drive, data, _progress(as_json)))
    elif port is None:
        raise click.UsageError("An ESP32 needs --port.")
    else:
        place = port
        writing.flash_esp(kind, port, image, _progress(as_json))
    seconds = round(time.monotonic() - begun, 1)
    if as_json:
        click.echo(
            msgspec.json.encode({"board": board, "place": place, "bytes": len(data), "seconds": seconds})
        )
        return
    click.echo(f"MicroPython is on the board ({len(data)} bytes, {seconds} s).")
    click.echo("Next: tablebridge firmware config --port PORT board.json")


@command.command("config", epilog="Example: tablebridge firmware config --port /dev/ttyACM0 board.json")
@_port
@_json
@click.argument("file", type=click.Path(path_type=Path))
def config(port: str, as_json: bool, file: Path) -> None:
    """Check FILE, write it and our firmware onto the board, start it, and print what it says.

    FILE is JSON: docs/firmware.md has its keys. The board must have MicroPython on it. Stop the driver of the
    board's group first.
    """
    from tablebridge.firmware import speech, writing

    begun = time.monotonic()
    data = writing.check_configuration(file)
    written = writing.write_files(port, data, _progress(as_json))
    found = speech.introduce(port, 30, starting=True)
    _print(found, as_json, {"written": written, "seconds": round(time.monotonic() - begun, 1)})


@command.command("show", epilog="Example: tablebridge firmware show --port /dev/ttyACM0 --json")
@_port
@_json
def show(port: str, as_json: bool) -> None:
    """Ask the board who it is, what it reads, and what is wrong with its configuration."""
    from tablebridge.firmware import speech

    _print(speech.introduce(port, 6), as_json, {})


def _print(found: "Introduction", as_json: bool, more: dict[str, float]) -> None:
    if as_json:
        click.echo(msgspec.json.encode({**msgspec.to_builtins(found, str_keys=True), **more}))
        return
    click.echo(f"{found.identity}: antennas: {found.antennas}, contacts: {found.contacts}")
    for antenna, tags in sorted(found.read.items()):
        click.echo(f"antenna {antenna}: {' '.join(tags) or 'empty'}")
    for denomination, value in sorted(found.scales.items()):
        click.echo(f"scale of {denomination}: reads {value}")
    for fault in found.faults:
        click.echo(f"wrong: {fault}")
    if more:
        click.echo(f"files written: {more['written']}, in {more['seconds']} s")


def _progress(silent: bool) -> Callable[[str, int], None]:
    def progress(what: str, percent: int) -> None:
        click.echo(f"\r{percent:3} % {what:<40}", nl=percent == 100, err=True)

    return (lambda what, percent: None) if silent else progress
