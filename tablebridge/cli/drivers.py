"""`tablebridge drivers`: which drivers are installed and how far to trust them."""

from typing import Any

import click
import msgspec

from tablebridge.host import registry


@click.command(epilog="Example: tablebridge drivers --json")
@click.option("--json", "as_json", is_flag=True, help="One JSON array instead of text.")
def command(as_json: bool) -> None:
    """List the installed drivers."""
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
