"""`tablebridge token`: who may see which page."""

import json
import time
from pathlib import Path
from typing import Final

import click

from tablebridge.cli.ends import End
from tablebridge.cli.options import site_option
from tablebridge.model.errors import ConfigError
from tablebridge.settings.load import load_site
from tablebridge.web.addresses import addresses_of, links_of, qr_code
from tablebridge.web.auth import ROLES, Role, Token, Tokens

_ONCE_S: Final = 24 * 3600

_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(epilog="Example: tablebridge token add floor Anna --site site.toml")
def command() -> None:
    """Give, list and revoke access to the pages."""


@command.command(
    short_help="Make a token for a person and print its link.",
    epilog="Example: tablebridge token add floor Anna --site site.toml",
)
@click.argument("role", type=click.Choice(ROLES))
@click.argument("name")
@site_option
@click.option("--table", help="The only table that the token is good for.")
@click.option(
    "--expires", type=End(), help="When it ends: 30m, 8h, 14d, or a date. Without it, when you take it back."
)
@click.option("--once", is_flag=True, help="The link is good for one browser, within a day.")
@_json
def add(
    role: Role,
    name: str,
    site_file: Path,
    table: str | None,
    expires: int | None,
    once: bool,
    as_json: bool,
) -> None:
    """Make a token for a person and print the link to sign in with, once.

    floor sees alerts and rules on them; dealer has a tablet at one table (--table); operator writes lines on
    the console; technician sees both and changes nothing; broadcast sees the overlay, when its delay is over;
    director says what of it is shown; surveillance sees the timeline with cards hidden, investigator may see
    them for a reason that is recorded; metrics is for Prometheus.
    """
    site = load_site(site_file)
    if table is not None and table not in [known.name for known in site.tables]:
        raise ConfigError(
            f"the site has no table {table!r}; its tables are "
            f"{', '.join(known.name for known in site.tables)}"
        )
    if once and role in ("metrics", "broadcast", "director"):
        raise ConfigError(f"the key of {role} stays in an address or a program: leave --once out")
    token, secret = Tokens(site.state_dir).add(role, name, table, expires, link_s=_ONCE_S if once else 0)
    hosts, tables = addresses_of(site.web), [known.name for known in site.tables]
    links = list(
        dict.fromkeys(link for host in hosts for link in links_of(site.web, tables, token, secret, host))
    )
    if as_json:
        click.echo(json.dumps({**_row(token, None), "token": secret, "links": links}))
        return
    click.echo(f"{token.name}, {role}, id {token.id}{_ends(token, expired=False)}. This is shown once:")
    for link in links:
        click.echo(f"  {link}")
    if role == "metrics":
        return
    if site.web.on_loopback:
        click.echo("The pages listen on this machine only: docs/deployment.md says how a phone reaches them.")
    elif links:
        click.echo(qr_code(links[0]))


@command.command("list", epilog="Example: tablebridge token list --site site.toml")
@site_option
@_json
def list_(site_file: Path, as_json: bool) -> None:
    """List the tokens: whose, which role, until when, when last used."""
    tokens = Tokens(load_site(site_file).state_dir)
    used = tokens.used()
    kept = tokens.all()
    if as_json:
        click.echo(json.dumps([_row(token, used.get(token.id)) for token in kept]))
        return
    for token in kept:
        at = used.get(token.id)
        table = f", table {token.table}" if token.table else ""
        click.echo(
            f"{token.id}  {token.role:<10}  "
            f"{token.name}{table}{_ends(token, expired=tokens.expired(token))}, "
            f"last used {_clock(at) if at else 'never'}"
        )
    if not kept:
        click.echo("No tokens yet. Make one: tablebridge token add floor NAME --site FILE")


@command.command(
    short_help="Take a token back.", epilog="Example: tablebridge token revoke 4f0c21aa --site site.toml"
)
@click.argument("id")
@site_option
@_json
def revoke(id: str, site_file: Path, as_json: bool) -> None:
    """Take back the token with this ID, which `token list` shows. It is refused from the next request on, and
    pages that it has open stop within two seconds.
    """
    token = Tokens(load_site(site_file).state_dir).revoke(id)
    click.echo(json.dumps(_row(token, None)) if as_json else f"{token.name}, {token.role}: taken back.")


@command.command(
    short_help="Set the PIN of a floor person.",
    epilog="Example: tablebridge token pin 4f0c21aa --site site.toml",
)
@click.argument("id")
@site_option
@click.option("--remove", is_flag=True, help="Take the PIN away.")
def pin(id: str, site_file: Path, remove: bool) -> None:
    """Set the PIN with which the floor person of the token with this ID closes a call on the dealer's tablet.
    It is typed here twice and not shown; it opens nothing else.
    """
    tokens = Tokens(load_site(site_file).state_dir)
    chosen = "" if remove else click.prompt("PIN", hide_input=True, confirmation_prompt=True)
    token = tokens.set_pin(id, chosen)
    click.echo(f"{token.name}: the PIN is {'taken away' if remove else 'set'}.")


def _row(token: Token, used: int | None) -> dict[str, str | int | None]:
    return {
        "id": token.id,
        "role": token.role,
        "name": token.name,
        "table": token.table,
        "made_wall_s": token.made_wall_s,
        "expires_wall_s": token.expires_wall_s,
        "used_wall_s": used,
    }


def _ends(token: Token, *, expired: bool) -> str:
    if token.expires_wall_s is None:
        return ""
    return f", {'ended' if expired else 'ends'} {_clock(token.expires_wall_s)}"


def _clock(wall_s: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(wall_s))
