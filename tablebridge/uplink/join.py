"""`tablebridge join`: a box comes to its credentials, writes them down and tries them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
import nats.errors
from nats.aio.client import RawCredentials

from tablebridge.model.errors import BrokerError, Refused
from tablebridge.settings.state import UPLINK_AUTHORITY, UPLINK_CREDENTIALS, UPLINK_JOINED, write_private
from tablebridge.stream.claims import USER, credentials, new_key
from tablebridge.stream.connection import Credentials, close, connect
from tablebridge.stream.joining import Answer, Request, Token, join_subject, joiner_name
from tablebridge.stream.message import Address, subject_of
from tablebridge.uplink.joined import Joined, credentials_of, save_joined, takes_commands
from tablebridge.uplink.stream import JetStream

_TIMEOUT_S: Final = 15.0


async def join(
    token: Token, state_dir: Path, tables: Sequence[str], *, commands: bool | None = None
) -> Joined:
    """Join the room of this token. `commands`: whether it may act on alerts; None: as before, and at first it
    may. Raises Refused, BrokerError, ConfigError; then nothing has changed, or the credentials are there and
    could not be tried.
    """
    key = new_key(USER)
    answer = await _ask(token, key.public, state_dir)
    if commands is None:
        commands = takes_commands(state_dir) or not UPLINK_JOINED.path(state_dir).exists()
    joined = Joined(token.servers, token.site, token.box, answer.seal, commands, answer.authority)
    write_private(UPLINK_CREDENTIALS.path(state_dir), credentials(answer.certificate, key))
    if token.ca:
        write_private(UPLINK_AUTHORITY.path(state_dir), token.ca)
    save_joined(state_dir, joined)
    await _try(joined, state_dir, tables)
    return joined


async def _ask(token: Token, public: str, state_dir: Path) -> Answer:
    authority = None
    if token.ca:
        authority = UPLINK_AUTHORITY.path(state_dir)
        write_private(authority, token.ca)
    own = Credentials(joiner_name(token.box), RawCredentials(token.credentials), authority)
    try:
        client = await connect(token.servers, own)
        try:
            asked = msgspec.json.encode(Request(public))
            reply = await client.request(join_subject(token.site, token.box), asked, timeout=_TIMEOUT_S)
        finally:
            await close(client)
        answer = msgspec.json.decode(reply.data, type=Answer)
    except (nats.errors.Error, OSError, TimeoutError, ValueError) as error:
        raise BrokerError(
            f"the room does not answer ({str(error) or type(error).__name__}): is `tablebridge site add-box "
            f"{token.box}` still waiting there? Its token is for one use and ten minutes"
        ) from None
    if answer.refused or not answer.certificate:
        raise Refused(f"the room refuses it: {answer.refused}")
    return answer


async def _try(joined: Joined, state_dir: Path, tables: Sequence[str]) -> None:
    """Ask for the last record of each table, as the uplink will."""
    try:
        client = await connect(joined.servers, credentials_of(state_dir, joined))
        try:
            stream = JetStream(client.jetstream(timeout=_TIMEOUT_S))
            for table in tables:
                await stream.last(subject_of(Address(joined.site, joined.box, table)))
        finally:
            await close(client)
    except (nats.errors.Error, OSError, TimeoutError) as error:
        raise BrokerError(
            f"this box has joined, and its credentials are there, but the stream of the room does not answer "
            f"({str(error) or type(error).__name__}): is an archive worker running there?"
        ) from None
