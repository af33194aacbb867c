"""`tablebridge site push`, `versions`, `rollback`: configurations that the room makes for its boxes. `site
take`: at the box, the newest of them takes the place of the site file. `site apply`: its processes start with
it.
"""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from tablebridge.cli.options import site_option
from tablebridge.model.errors import BrokerError, ConfigError

if TYPE_CHECKING:
    from tablebridge.archive.pushing import Pusher
    from tablebridge.stream.configuration import Running, Version

T = TypeVar("T")
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)

authority_option = click.option(
    "--authority",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("/etc/tablebridge/authority"),
    show_default=True,
    help="Folder of the room's keys.",
)
name_option = click.option("--site-name", default="site", show_default=True, help="The name of the site.")
servers_option = click.option(
    "--server", "servers", multiple=True, required=True, help="Address of a nats-server; once for each."
)
ca_option = click.option("--ca", type=_FILE, help="Certificates of the servers.")


@click.command(
    "push",
    short_help="Put a site file before a box.",
    epilog="Example: tablebridge site push final final.toml house.toml --name evening --server tls://nats-1:4222",
)
@click.argument("box")
@click.argument("site_file", type=_FILE)
@click.argument("files", type=_FILE, nargs=-1)
@click.option("--name", required=True, help="What this version is called.")
@authority_option
@name_option
@servers_option
@ca_option
def push(
    box: str,
    site_file: Path,
    files: tuple[Path, ...],
    name: str,
    authority: Path,
    site_name: str,
    servers: tuple[str, ...],
    ca: Path | None,
) -> None:
    """Sign SITE_FILE, and the FILES of rulebooks and games that it names, and put them before BOX.

    The box checks them as `tablebridge site check` does; `tablebridge site versions BOX` says what came of
    it.
    """
    texts = {path.name: _text(path) for path in files}
    if len(texts) < len(files):
        raise ConfigError("two of these files have the same name; beside the site file there is one of each")
    site_text = _text(site_file)
    version = _asked(authority, site_name, servers, ca, box, lambda to: to.push(name, site_text, texts))
    click.echo(f"Version {version.name} ({version.number}) is before box {box}.")


@click.command(
    "versions",
    short_help="List the site files that were put before a box.",
    epilog="Example: tablebridge site versions final --server tls://nats-1:4222",
)
@click.argument("box")
@click.option("--json", "as_json", is_flag=True, help="Print them as one JSON object.")
@authority_option
@name_option
@servers_option
@ca_option
def versions(
    box: str, as_json: bool, authority: Path, site_name: str, servers: tuple[str, ...], ca: Path | None
) -> None:
    """List the versions of BOX, the newest last, and what the box says of the newest."""

    async def both(to: "Pusher") -> "tuple[list[Version], Running | None]":
        return await to.versions(), await to.running()

    known, running = _asked(authority, site_name, servers, ca, box, both)
    if as_json:
        rows = [
            {"number": version.number, "name": version.name, "files": sorted(version.files)}
            for version in known
        ]
        said = (
            None
            if running is None
            else {
                "number": running.number,
                "name": running.name,
                "state": running.state,
                "faults": list(running.faults),
            }
        )
        click.echo(json.dumps({"versions": rows, "box": said}))
        return
    for version in known:
        made = datetime.fromtimestamp(version.made_wall_ns / 1e9, UTC).strftime("%Y-%m-%d %H:%M UTC")
        state = running.state if running is not None and running.number == version.number else ""
        click.echo(f"{version.number}  {version.name:<32}  {made}  {state}".rstrip())
    for fault in running.faults if running is not None else ():
        click.echo(f"  {fault}", err=True)


@click.command(
    "rollback",
    short_help="Put an earlier site file before a box again.",
    epilog="Example: tablebridge site rollback final evening --server tls://nats-1:4222",
)
@click.argument("box")
@click.argument("name")
@authority_option
@name_option
@servers_option
@ca_option
def rollback(
    box: str, name: str, authority: Path, site_name: str, servers: tuple[str, ...], ca: Path | None
) -> None:
    """Put the contents of the version NAME before BOX again, under a new number."""
    version = _asked(authority, site_name, servers, ca, box, lambda to: to.rollback(name))
    click.echo(f"Version {version.name} ({version.number}) is before box {box}.")


_wait_option = click.option(
    "--wait",
    "wait_s",
    type=click.FloatRange(0, 86_400),
    default=1800.0,
    show_default=True,
    help="Seconds to wait for the end of the hands.",
)


@click.command(
    "take",
    short_help="At a box: take the configuration that the room has made.",
    epilog="Example: tablebridge site take --site /etc/tablebridge/site.toml --install",
)
@site_option
@_wait_option
@click.option("--install", "then_install", is_flag=True, help="Do what `tablebridge site apply` does then.")
def take(site_file: Path, wait_s: float, then_install: bool) -> None:
    """Put the newest configuration of the room in the place of the site file, as soon as no table of this box
    is in a hand. What was there is kept beside it, as FILE.before.

    The processes of this box take it when they start: `tablebridge site apply`.
    """
    from tablebridge.install.taking import TAKEN
    from tablebridge.install.taking import take as take_newest

    taken = take_newest(site_file, wait_s)
    if taken.version is None:
        click.echo("Nothing waits: what the room has made last is in place, or is refused.")
    else:
        click.echo(
            f"Version {taken.version.name} is in place. Changed: {', '.join(taken.keys) or 'nothing'}."
        )
    if then_install:
        _apply(site_file, wait_s)
    elif site_file.with_name(site_file.name + TAKEN).exists():
        click.echo(
            "It holds when the processes of this box have been started again: sudo tablebridge site apply",
            err=True,
        )


@click.command(
    "apply",
    short_help="At a box: start its processes with what was taken.",
    epilog="Example: tablebridge site apply --site /etc/tablebridge/site.toml",
)
@site_option
@_wait_option
def apply(site_file: Path, wait_s: float) -> None:
    """Install the configuration that `tablebridge site take` has put in place, and restart the processes of
    this box, as soon as no table is in a hand. Nothing is done if they were started with it already.
    """
    if not _apply(site_file, wait_s):
        click.echo("Nothing was taken since the processes of this box were started.")


def _apply(site_file: Path, wait_s: float) -> bool:
    """Whether there was something to apply. Raises Refused, ConfigError."""
    from tablebridge.install.installer import Installer
    from tablebridge.install.machine import Machine
    from tablebridge.install.taking import apply as apply_taken

    machine = Machine(Path("/"))

    def install() -> None:
        Installer(machine, False, click.echo).run()

    def restart() -> None:
        machine.run("systemctl", "restart", "tablebridge.target")

    name = apply_taken(site_file, wait_s, install, restart)
    if name is not None:
        click.echo(f"The processes of this box run with version {name}.")
    return name is not None


def _asked(
    authority: Path,
    site_name: str,
    servers: tuple[str, ...],
    ca: Path | None,
    box: str,
    work: "Callable[[Pusher], Awaitable[T]]",
) -> T:
    """What comes of this work with the versions of a box. Raises Refused, ConfigError, BrokerError."""
    import asyncio

    import nats.errors
    from nats.aio.client import RawCredentials

    from tablebridge.archive.authority import Authority
    from tablebridge.archive.pushing import PUSHER, Pusher, rights_of_pusher
    from tablebridge.stream.connection import Credentials, close, connect

    keys = Authority(authority, site_name)
    own = Credentials(PUSHER, RawCredentials(keys.credentials(PUSHER, rights_of_pusher())), ca)

    async def through() -> T:
        try:
            client = await connect(servers, own)
        except (OSError, TimeoutError, nats.errors.Error) as error:
            raise BrokerError(
                f"none of the nats-servers can be reached ({error}): {', '.join(servers)}"
            ) from None
        try:
            return await work(Pusher(keys, client.jetstream(timeout=10), box))
        finally:
            await close(client)

    return asyncio.run(through())


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read as UTF-8 text ({error})") from None
