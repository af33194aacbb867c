"""The room that a box has joined: where its servers are, what the box is called there, and for whose key
hidden faces are sealed.
"""

from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec.structs import replace

from tablebridge.model.errors import ConfigError
from tablebridge.settings.state import (
    UPLINK_AUTHORITY,
    UPLINK_CREDENTIALS,
    UPLINK_JOINED,
    write_private,
)
from tablebridge.stream.connection import Credentials, check_servers
from tablebridge.stream.message import is_name


class Joined(msgspec.Struct, frozen=True):
    """The room that a box has joined. `servers`: addresses of its nats-servers; `site`, `box`: what site and
    box are called there; `seal`: the site's public key as hex; `commands`: whether
    it may act on alerts of the box's tables, which the owner of the box decides; `authority`: the public key
    with which the room signs configurations.
    """

    servers: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=16)]
    site: str
    box: str
    seal: str
    commands: bool = True
    authority: str = ""


_DECODER: Final = msgspec.json.Decoder(Joined)


def load_joined(state_dir: Path) -> Joined:
    """The room that the box with this state folder has joined. Raises ConfigError."""
    path = UPLINK_JOINED.path(state_dir)
    try:
        joined = _DECODER.decode(path.read_bytes())
    except FileNotFoundError:
        raise ConfigError(
            f"{path} is not there: this box has joined no room; run `tablebridge join -` with a token of "
            "`tablebridge site add-box`."
        ) from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read ({error}): join the room again.") from None
    if not (is_name(joined.site) and is_name(joined.box)):
        raise ConfigError(
            f"{path}: site and box have names of letters, digits, - and _: join the room again."
        )
    check_servers(joined.servers)
    return joined


def save_joined(state_dir: Path, joined: Joined) -> None:
    """Write it down. Raises ConfigError."""
    write_private(UPLINK_JOINED.path(state_dir), msgspec.json.encode(joined).decode())


def let_room(state_dir: Path, *, commands: bool) -> None:
    """From now on the room may act on alerts of this box, or may not. Raises ConfigError."""
    save_joined(state_dir, replace(load_joined(state_dir), commands=commands))


def takes_commands(state_dir: Path) -> bool:
    """Whether the owner of the box lets the room act; not if that cannot be read."""
    try:
        return load_joined(state_dir).commands
    except ConfigError:
        return False


def credentials_of(state_dir: Path, joined: Joined) -> Credentials:
    """How the uplink is known to the servers, by the files that are there."""
    file, authority = UPLINK_CREDENTIALS.path(state_dir), UPLINK_AUTHORITY.path(state_dir)
    return Credentials(joined.box, file if file.exists() else None, authority if authority.exists() else None)
