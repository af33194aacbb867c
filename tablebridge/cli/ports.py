"""`tablebridge ports`: what is plugged in over USB, which driver fits, what to write into the site file."""

from pathlib import Path

import click
import msgspec

from tablebridge.host import registry
from tablebridge.host.discovery import Found, discover
from tablebridge.host.plugged import plugged
from tablebridge.host.uarts import missing, uarts


@click.command("ports", epilog="Example: tablebridge ports --site /etc/tablebridge/site.toml")
@click.option(
    "--site", "site_file", type=click.Path(path_type=Path), help="Say which of them the site file names."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON array instead of text.")
def command(site_file: Path | None, as_json: bool) -> None:
    """List what is plugged in over USB, with the drivers that fit and the port to write into the site file,
    and the serial ports of the board itself.

    Nothing is opened or written to. A serial adapter is never claimed: what stands behind its chip only you
    know.
    """
    named = {}
    if site_file is not None:
        from tablebridge.settings.load import load_site

        named = {
            device.port: device.name for table in load_site(site_file).tables for device in table.devices
        }
    drivers = [listed.driver for listed in registry.listed() if listed.driver is not None]
    found = discover(plugged(), drivers, named)
    if as_json:
        click.echo(msgspec.json.encode(found).decode())
        return
    for port in found:
        click.echo(f"{port.plugged}\n    port:   {port.port}\n    driver: {_driver(port)}")
    if not found:
        click.echo("No USB device is plugged in.")
    for uart in uarts():
        click.echo(str(uart))
    if hint := missing():
        click.echo(hint)


def _driver(found: Found) -> str:
    if found.candidates:
        return ", ".join(
            f"{candidate.driver} ({candidate.score}, by {candidate.why})" for candidate in found.candidates
        )
    if found.device:
        return f"as the site file's {found.device} says"
    return "a serial adapter: look what hangs on it" if found.adapter else "none fits"
