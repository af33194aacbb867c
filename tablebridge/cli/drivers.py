"""`tablebridge drivers`: which drivers are installed and how far to trust them; what bytes mean to one of them."""

from typing import Any, BinaryIO

import click
import msgspec

from tablebridge.host import registry
from tablebridge.model.errors import ConfigError
from tablebridge.model.readings import Reading, Sweep
from tablebridge.sdk.driver import Rejected


@click.group(invoke_without_command=True, epilog="Example: tablebridge drivers --json")
@click.option("--json", "as_json", is_flag=True, help="One JSON array instead of text.")
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List the installed drivers; decode bytes with one of them."""
    if context.invoked_subcommand is not None:
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


def _description(listed: registry.Listed) -> dict[str, Any]:
    known, driver = listed.known, listed.driver
    installed = {"name": known.name, "distribution": f"{known.distribution} {known.version}".strip()}
    if driver is None:
        return installed | {"broken": listed.broken}
    options = {
        name: {"default": option.default, "meaning": option.meaning} for name, option in driver.options.items()}
    return installed | {"title": driver.title, "trust": driver.trust, "source": driver.source, "tested": driver.tested,
                        "options": options, "decodes": driver.decode is not None}


@command.command(epilog="Example: tablebridge drivers decode feig --hex '06 00 B0 01 5C 63'")
@click.argument("driver")
@click.argument("file", type=click.File("rb"), required=False)
@click.option("--hex", "hex_text", metavar="HEX", help="The bytes as hex digits, with or without blanks.")
def decode(driver: str, file: BinaryIO | None, hex_text: str | None) -> None:
    """Print what bytes mean to DRIVER, one JSON object a line.

    The bytes are those that a device sent: from --hex, or from FILE as they are (- is standard input).
    """
    if (file is None) == (hex_text is None):
        raise click.UsageError("Give the bytes either by --hex or as a FILE.")
    if hex_text is not None:
        try:
            data = bytes.fromhex(hex_text)
        except ValueError:
            raise click.BadParameter("write pairs of the digits 0-9 and A-F, such as --hex '06 00 B0 01 5C 63'",
                                     param_hint="--hex") from None
    else:
        assert file is not None
        data = file.read()
    decoder = registry.load(driver).decode
    if decoder is None:
        raise ConfigError(f"The driver {driver} cannot decode bytes outside a conversation: look at its device live "
                          "with `tablebridge drive`.")
    for item in decoder(data):
        for told in _told(item):
            click.echo(msgspec.json.encode(told).decode())


def _told(item: Reading | Rejected) -> list[dict[str, Any]]:
    """A sweep is told as its tags; one without tags as itself. Fields that hold their default are left out."""
    if isinstance(item, Rejected):
        fields = {"kind": "rejected", "reason": item.reason.value, "detail": item.detail, "raw": item.raw.hex().upper()}
        return [{name: value for name, value in fields.items() if value}]
    if isinstance(item, Sweep) and item.tags:
        more: dict[str, Any] = {} if item.complete else {"complete": False}
        more |= {} if item.visits == 1 else {"visits": item.visits}
        return [{"kind": "tag", "uid": tag, "antenna": item.antenna, **more} for tag in item.tags]
    built: dict[str, Any] = msgspec.to_builtins(item)
    return [built]
