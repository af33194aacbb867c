"""`tablebridge token`: who may see which page."""

import json
import time
from pathlib import Path

import click

from tablebridge.model.errors import ConfigError
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site
from tablebridge.web.auth import ROLES, Role, Token, Tokens

_site = click.option("--site", "site_file", type=click.Path(path_type=Path, dir_okay=False), required=True,
                     help="The site file.")
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(epilog="Example: tablebridge token add floor Anna --site site.toml")
def command() -> None:
    """Give, list and revoke access to the pages."""


@command.command(short_help="Make a token for a person and print its link.",
                 epilog="Example: tablebridge token add floor Anna --site site.toml")
@click.argument("role", type=click.Choice(ROLES))
@click.argument("name")
@_site
@click.option("--table", help="The only table that the token is good for.")
@_json
def add(role: Role, name: str, site_file: Path, table: str | None, as_json: bool) -> None:
    """Make a token for a person and print the link to sign in with, once.

    floor sees alerts and rules on them; operator writes lines on the console; technician sees both and changes nothing;
    broadcast sees the overlay, when its delay is over.
    """
    site = load_site(site_file)
    if table is not None and table not in [one.name for one in site.tables]:
        raise ConfigError(f"the site has no table {table!r}; its tables are {', '.join(one.name for one in site.tables)}")
    token, secret = Tokens(site.state_dir).add(role, name, table)
    links = _links(site, token, secret)
    if as_json:
        click.echo(json.dumps({**_row(token, None), "token": secret, "links": links}))
        return
    click.echo(f"{token.name}, {role}, id {token.id}. This is shown once:")
    for link in links:
        click.echo(f"  {link}")


@command.command("list", epilog="Example: tablebridge token list --site site.toml")
@_site
@_json
def list_(site_file: Path, as_json: bool) -> None:
    """List the tokens: whose, which role, when last used."""
    tokens = Tokens(load_site(site_file).state_dir)
    used = tokens.used()
    rows = [_row(token, used.get(token.id)) for token in tokens.all()]
    if as_json:
        click.echo(json.dumps(rows))
        return
    for row in rows:
        at = used.get(str(row["id"]))
        last = time.strftime("%Y-%m-%d %H:%M", time.localtime(at)) if at else "never"
        table = f", table {row['table']}" if row["table"] else ""
        click.echo(f"{row['id']}  {row['role']:<10}  {row['name']}{table}, last used {last}")
    if not rows:
        click.echo("No tokens yet. Make one: tablebridge token add floor NAME --site FILE")


@command.command(short_help="Take a token back.",
                 epilog="Example: tablebridge token revoke 4f0c21aa --site site.toml")
@click.argument("id")
@_site
@_json
def revoke(id: str, site_file: Path, as_json: bool) -> None:
    """Take back the token with this ID, which `token list` shows. It is refused from the next request on."""
    token = Tokens(load_site(site_file).state_dir).revoke(id)
    click.echo(json.dumps(_row(token, None)) if as_json else f"{token.name}, {token.role}: taken back.")


def _row(token: Token, used: int | None) -> dict[str, str | int | None]:
    return {"id": token.id, "role": token.role, "name": token.name, "table": token.table,
            "made_wall_s": token.made_wall_s, "used_wall_s": used}


def _links(site: Site, token: Token, secret: str) -> list[str]:
    """Where to go with the token: signing in, or for broadcast programs the overlay itself."""
    host = {"0.0.0.0": "localhost", "::": "localhost"}.get(site.web.listen, site.web.listen)
    base = f"http://{f'[{host}]' if ':' in host else host}:{site.web.port or 'PORT'}"
    if token.role == "broadcast":
        tables = [token.table] if token.table else [table.name for table in site.tables]
        return [f"{base}/overlay/{table}?key={secret}" for table in tables]
    return [f"{base}/login?token={secret}"]
