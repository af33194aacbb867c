"""The room that a box has joined: where its servers are, what the box is called there, and for whose key
hidden faces are sealed.
"""

from pathlib import Path
from typing import Annotated, Final

import msgspec

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
    box are called there; `seal`: the site's public key as hex.
    """

    servers: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=16)]
    site: str
    box: str
    seal: str


_DECODER: Final = msgspec.json.Decoder(Joined)


def load_joined(state_dir: Path) -> Joined:
    """The room that the box with this state folder has joined. Raises ConfigError."""
    path = UPLINK_JOINED.path(state_dir)
    try:
        joined = _DECODER.decode(path.read_bytes())
    except FileNotFoundError:
        raise ConfigError(
            f"{path} is not there: this box has joined no room; run `tablebridge join TOKEN` with a token of "
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


def credentials_of(state_dir: Path, joined: Joined) -> Credentials:
    """How the uplink is known to the servers, by the files that are there."""
    file, authority = UPLINK_CREDENTIALS.path(state_dir), UPLINK_AUTHORITY.path(state_dir)
    return Credentials(joined.box, file if file.exists() else None, authority if authority.exists() else None)
