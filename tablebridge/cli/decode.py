"""`tablebridge decode`: what bytes mean to a driver."""

import re
import sys
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from tablebridge.host import registry
from tablebridge.model.errors import ConfigError
from tablebridge.model.readings import Reading, Sweep
from tablebridge.sdk.captures import read_capture
from tablebridge.sdk.driver import Rejected

_PAIRS: Final = re.compile(rb"\s*(?:0[xX])?[0-9A-Fa-f]{2}(?:\s+(?:0[xX])?[0-9A-Fa-f]{2})+\s*")
"""What is hex in a file whatever its name."""
_BETWEEN: Final = re.compile(r"0[xX](?=[0-9A-Fa-f]{2})|\\x|[:,;-]")
"""What people and tools put between pairs of hex digits, beside blanks and line ends."""


@click.command(epilog="Example: tablebridge decode feig --hex '06 00 B0 01 5C 63'")
@click.argument("driver")
@click.argument(
    "file", type=click.Path(path_type=Path, dir_okay=False, exists=True, allow_dash=True), required=False
)
@click.option(
    "--hex",
    "hex_text",
    metavar="HEX",
    help="The bytes as pairs of hex digits, with blanks, colons or 0x between them, or with nothing.",
)
def command(driver: str, file: Path | None, hex_text: str | None) -> None:
    """Print what bytes that a device sent mean to DRIVER, one JSON object per line.

    The bytes come from --hex, from FILE, or from standard input. FILE holds them as they are, or as pairs of
    hex digits with blanks or line ends between them, or, if its name ends with .hex, as hex digits in any
    form that --hex takes. Of a capture (see docs/captures.md; a name that ends with .jsonl) it is what the
    device said.

    What cannot be decoded is printed as {"kind": "rejected", "reason": ...}.
    """
    if file is not None and hex_text is not None:
        raise click.UsageError("Give the bytes either by --hex or as a FILE.")
    if file is None and hex_text is None and sys.stdin.isatty():
        raise click.UsageError("Give the bytes by --hex, as a FILE or on standard input.")
    decoder = registry.load(driver).decode
    if decoder is None:
        raise ConfigError(
            f"The driver {driver} cannot decode bytes outside a conversation: look at its device live "
            "with `tablebridge drive`."
        )
    data = _digits(hex_text, "--hex") if hex_text is not None else _read(file)
    try:
        lines = [msgspec.json.encode(part) for item in decoder(data) for part in printed_of(item)]
    except Exception as error:
        # A driver may be anybody's package, and bytes are the one thing that it must bear.
        raise ConfigError(
            f"The driver {driver} failed on these bytes ({type(error).__name__}: {error}). That is a fault "
            "of "
            "the driver: report it to its author with the bytes."
        ) from error
    for line in lines:
        click.echo(line.decode())


def _read(file: Path | None) -> bytes:
    if file is None or str(file) == "-":
        data = sys.stdin.buffer.read()
    else:
        try:
            data = file.read_bytes()
        except OSError as error:
            raise ConfigError(f"{file} cannot be read ({error.strerror}).") from None
    if file is not None and file.suffix == ".jsonl":
        return _captured(data)
    if (file is not None and file.suffix == ".hex") or _PAIRS.fullmatch(data):
        return _digits(data.decode("ascii", "replace"), str(file or "standard input"))
    return data


def _captured(data: bytes) -> bytes:
    """What the device said in a capture; other lines of JSON as they are, for a device may speak in such."""
    try:
        pieces = read_capture(data.decode())
    except ValueError:
        return data
    return b"".join(bytes.fromhex(piece.hex) for piece in pieces if piece.direction == "rx")


def _digits(text: str, source: str) -> bytes:
    try:
        return bytes.fromhex(_BETWEEN.sub(" ", text))
    except ValueError:
        raise click.BadParameter(
            "write pairs of the digits 0-9 and A-F, such as '06 00 B0 01 5C 63'", param_hint=source
        ) from None


def printed_of(item: Reading | Rejected) -> list[dict[str, Any]]:
    """A sweep is printed as its tags; one without tags as itself. Fields that hold their default are left
    out.
    """
    if isinstance(item, Rejected):
        fields = {
            "kind": "rejected",
            "reason": item.reason.value,
            "detail": item.detail,
            "raw": item.raw.hex().upper(),
        }
        return [{name: value for name, value in fields.items() if value}]
    if isinstance(item, Sweep) and item.tags:
        more: dict[str, Any] = {} if item.complete else {"complete": False}
        more |= {} if item.visits == 1 else {"visits": item.visits}
        return [{"kind": "tag", "uid": tag, "antenna": item.antenna, **more} for tag in item.tags]
    built: dict[str, Any] = msgspec.to_builtins(item)
    return [built]
