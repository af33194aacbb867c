"""`tablebridge drivers`: which drivers are installed, how far to trust them, and what they make of a capture."""

from pathlib import Path
from typing import Any

import click
import msgspec

from tablebridge.host import registry
from tablebridge.model.errors import ConfigError
from tablebridge.sdk.captures import Piece, hear, read_capture, said_otherwise
from tablebridge.sdk.driver import Options
from tablebridge.sdk.turns import ContractError, Heard


@click.group(invoke_without_command=True, epilog="Example: tablebridge drivers --json")
@click.option("--json", "as_json", is_flag=True, help="One JSON array instead of text.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """List the installed drivers."""
    if ctx.invoked_subcommand is not None:
        return
    drivers = [_description(listed) for listed in registry.listed()]
    if as_json:
        click.echo(msgspec.json.encode(drivers).decode())
        return
    for driver in drivers:
        click.echo(f"{driver.pop('name')}: {driver.pop('title', driver.get('broken'))}")
        for what in ("trust", "source", "tested", "distribution"):
            if what in driver:
                click.echo(f"    {what + ':':13} {driver[what]}")


@command.command(short_help="Print what a capture means.", epilog="Example: tablebridge drivers play seat-3.jsonl")
@click.argument("capture", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--driver", "name", help="The driver to hear it with; by default the one that the capture names.")
def play(capture: Path, name: str | None) -> None:
    """Let a driver hear CAPTURE and print what it makes of it: all readings as JSON lines, then all rejects.

    Saved as expect.jsonl beside the capture it is what the tests expect from then on. A capture that names no driver takes that
    of its folder: tests/captures/DRIVER/NN-WHAT/capture.jsonl. Exit status 1 where the driver, as it is now, says other bytes
    than were recorded.
    """
    pieces = _read(capture)
    name = name or (pieces[0].driver if pieces else "") or capture.resolve().parent.parent.name
    try:
        heard = hear(registry.load(name), pieces, **_options(capture))
    except ContractError as error:
        raise ConfigError(f"The driver {name} breaks its contract on {capture}: {error}.") from None
    for line in told(heard):
        click.echo(line)
    if difference := said_otherwise(heard, pieces):
        click.echo(f"tablebridge: {capture}: {difference}.", err=True)
        raise SystemExit(1)


def told(heard: Heard) -> list[str]:
    """What was heard, one JSON object a line."""
    rejects = [{"kind": "rejected", "reason": item.reason.value, "detail": item.detail} for item in heard.rejected]
    return [msgspec.json.encode(item).decode() for item in (*heard.readings, *rejects)]


def _options(capture: Path) -> Options:
    """Those that lie beside a capture which has none of its own."""
    path = capture.with_name("options.json")
    try:
        return msgspec.json.decode(path.read_bytes(), type=Options) if path.exists() else {}
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError(f"{path} cannot be read ({error}): write a JSON object of the driver's options.") from None


def _read(path: Path) -> list[Piece]:
    try:
        return read_capture(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror}); check the path and its permissions.") from None
    except ValueError as error:
        raise ConfigError(f"{path} is no capture: {error}.") from None


def _description(listed: registry.Listed) -> dict[str, Any]:
    known, driver = listed.known, listed.driver
    installed = {"name": known.name, "distribution": f"{known.distribution} {known.version}".strip()}
    if driver is None:
        return installed | {"broken": listed.broken}
    options = {
        name: {"default": option.default, "meaning": option.meaning} for name, option in driver.options.items()}
    return installed | {"title": driver.title, "trust": driver.trust, "source": driver.source, "tested": driver.tested,
                        "options": options, "decodes": driver.decode is not None}
