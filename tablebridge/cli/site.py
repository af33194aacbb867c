"""`tablebridge site check`: is a site file right, and what does it describe. `site accounts`: the broker's
accounts for it. `site authority`, `add-box`, `revoke-box`: which boxes belong to a room. `site web`, `site
people`: its pages.
"""

import json
from pathlib import Path

import click

from tablebridge.app.check import check_site
from tablebridge.bus.access import accounts_of
from tablebridge.cli.site_demo import demo
from tablebridge.cli.site_files import room_files
from tablebridge.cli.site_findings import findings, settle
from tablebridge.cli.site_push import (
    apply,
    authority_option,
    ca_option,
    name_option,
    push,
    rollback,
    servers_option,
    take,
    versions,
)
from tablebridge.cli.site_retain import retain
from tablebridge.cli.site_verify import verify
from tablebridge.cli.site_web import people, web
from tablebridge.model.errors import ConfigError
from tablebridge.settings.decks import load_inventory
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site


@click.group("site", epilog="Example: tablebridge site check site.toml")
def command() -> None:
    """Check a site file, make the broker's accounts for it; add boxes to a room."""


for _subcommand in (
    demo,
    web,
    people,
    push,
    versions,
    rollback,
    take,
    apply,
    retain,
    verify,
    findings,
    settle,
    room_files,
):
    command.add_command(_subcommand)


@command.command(
    "check",
    short_help="Check a site file and what it names.",
    epilog="Example: tablebridge site check /etc/tablebridge/site.toml",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def check(file: Path, as_json: bool) -> None:
    """Check FILE, and that the drivers, rulebooks, games, deck and chip files that it names are there.

    Prints ok and what the site has, or every fault with its line. Exit status 2 if there is a fault.
    """
    try:
        site, faults = check_site(file), []
    except ConfigError as error:
        site, faults = None, str(error).splitlines()
    if as_json:
        click.echo(json.dumps({"ok": not faults, "errors": faults, "tables": _tables(site) if site else []}))
    elif site is not None:
        click.echo("\n".join(_summary(site)))
    else:
        click.echo("\n".join(faults), err=True)
    if faults:
        raise SystemExit(2)


@command.command(
    "accounts",
    short_help="Make the accounts of mosquitto for a site.",
    epilog="Example: tablebridge site accounts /etc/tablebridge/site.toml",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--mosquitto",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path("/etc/mosquitto"),
    show_default=True,
    help="Where mosquitto's files are written.",
)
def accounts(file: Path, mosquitto: Path) -> None:
    """Make an account for the engine, the pages, each group of devices of FILE, and listeners.

    Each password goes into a file of its own beside FILE, ACCOUNT.password, and is kept if that is there
    already. mosquitto gets tablebridge.users, with the passwords' hashes, and tablebridge.acl, with what each
    account may do. No password is printed.
    """
    from tablebridge.install.accounts import write_accounts
    from tablebridge.install.machine import Machine, sentence

    site = load_site(file)
    try:
        write_accounts(site, file.parent.resolve(), mosquitto.resolve(), Machine(Path("/")))
    except OSError as error:
        raise ConfigError(sentence(error)) from None
    click.echo("\n".join(account.name for account in accounts_of(site.groups)))
    click.echo(
        f"Written: {mosquitto}/tablebridge.users and tablebridge.acl. Now: systemctl restart mosquitto",
        err=True,
    )


@command.command(
    "authority",
    short_help="Make the keys of a room; print what its nats-servers need.",
    epilog="Example: tablebridge site authority --site-name main --resolver /var/lib/nats/jwt",
)
@authority_option
@name_option
@click.option("--resolver", required=True, help="Folder of a nats-server in which it keeps certificates.")
@click.option(
    "--archive", type=click.Path(path_type=Path), help="Write credentials for archive workers here."
)
@click.option("--pages", type=click.Path(path_type=Path), help="Write credentials for the room's pages here.")
def authority(
    authority: Path, site_name: str, resolver: str, archive: Path | None, pages: Path | None
) -> None:
    """Make the keys of a room, if they are not there, and print the lines about accounts that the
    configuration of each of its nats-servers includes. They hold no secret.
    """
    from tablebridge.archive.authority import Authority
    from tablebridge.settings.state import write_private
    from tablebridge.stream.joining import PAGES, rights_of_archive, rights_of_pages

    keys = Authority(authority, site_name)
    click.echo(keys.server_lines(json.dumps(resolver)), nl=False)
    if archive is not None:
        write_private(archive, keys.credentials("archive", rights_of_archive()))
    if pages is not None:
        write_private(pages, keys.credentials(PAGES, rights_of_pages(site_name)))


@command.command(
    "add-box",
    short_help="Admit a box to the room: prints a token, waits for the box.",
    epilog="Example: tablebridge site add-box final --site-name main --server tls://nats-1:4222",
)
@click.argument("name")
@authority_option
@name_option
@servers_option
@ca_option
def add_box(name: str, authority: Path, site_name: str, servers: tuple[str, ...], ca: Path | None) -> None:
    """Print a token for the box NAME, and wait until it has joined with it: `tablebridge join -`.

    The token is for one use and ten minutes; Ctrl-C makes it void.
    """
    import asyncio

    from tablebridge.archive.admitting import Admission
    from tablebridge.archive.authority import Authority

    admission = Admission(Authority(authority, site_name), servers, name, ca)
    click.echo(admission.token)
    click.echo("On the box, within ten minutes: tablebridge join --site SITE.toml - (and paste it)", err=True)
    asyncio.run(admission.wait())
    click.echo(f"Box {name} has joined.", err=True)


@command.command(
    "revoke-box",
    short_help="Put a box out of the room at once.",
    epilog="Example: tablebridge site revoke-box final --site-name main --server tls://nats-1:4222",
)
@click.argument("name")
@authority_option
@name_option
@servers_option
@ca_option
def revoke_box(name: str, authority: Path, site_name: str, servers: tuple[str, ...], ca: Path | None) -> None:
    """Have the nats-servers end the connection of the box NAME and accept its key no longer.

    What it has sent stays. It can be added again, with another key.
    """
    import asyncio

    from tablebridge.archive.admitting import publish_account
    from tablebridge.archive.authority import Authority

    keys = Authority(authority, site_name)
    keys.revoke(name)
    asyncio.run(publish_account(keys, servers, ca))
    click.echo(f"Box {name} is revoked.")


def _tables(site: Site) -> list[dict[str, object]]:
    return [
        {
            "name": table.name,
            "rulebook": table.rulebook,
            "game": table.game,
            "stakes": table.stakes,
            "seats": list(table.seat_numbers),
            "decks": [deck.name for deck in load_inventory(site, table).decks],
            "devices": [
                {
                    "name": device.name,
                    "driver": device.driver,
                    "port": device.port,
                    "places": list(dict.fromkeys(device.antennas.values())),
                    "contacts": list(device.contacts.values()),
                }
                for device in table.devices
            ],
        }
        for table in site.tables
    ]


def _summary(site: Site) -> list[str]:
    lines = [f"ok: site {site.name}, tables: {len(site.tables)}"]
    if not site.web.on_loopback:
        lines.append(
            f"warning: the pages can be reached from other machines in plain HTTP ({site.web.listen})"
        )
    for table in site.tables:
        places = {place for device in table.devices for place in device.antennas.values()}
        decks = load_inventory(site, table).decks
        lines.append(
            f"table {table.name}: {table.game} {table.stakes}, seats {table.seats}, {table.rulebook}, "
            f"devices: {len(table.devices)}, places: {len(places)}, decks: {len(decks)}"
        )
        for device in table.devices:
            sees = ", ".join(dict.fromkeys(device.antennas.values())) or "no place"
            keys = "; contacts: " + ", ".join(device.contacts.values()) if device.contacts else ""
            lines.append(f"  {device.name}: {device.driver} on {device.port}, sees {sees}{keys}")
        lines += [
            f"  note: deck {deck.name} is not complete: {len(deck.missing)} cards have no tag"
            for deck in decks
            if deck.missing
        ]
    return lines
