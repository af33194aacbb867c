"""`site add-box` and `revoke-box` at the nats-servers: one box is admitted, or is put out at once."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
import nats.errors
from nats.aio.client import Client, RawCredentials
from nats.aio.msg import Msg

from tablebridge.archive.authority import Authority
from tablebridge.model.errors import BrokerError, Refused
from tablebridge.stream.claims import is_user
from tablebridge.stream.connection import Credentials, close, connect
from tablebridge.stream.joining import (
    TOKEN_S,
    Answer,
    Request,
    Token,
    join_subject,
    rights_of_admission,
    write_token,
)

_CLAIMS: Final = "$SYS.REQ.CLAIMS.UPDATE"
_TIMEOUT_S: Final = 10.0


class Admission:
    """Admits one box, called `box`, to the room behind these servers. `token`: what the box joins with.
    Raises Refused.
    """

    def __init__(
        self, authority: Authority, servers: Sequence[str], box: str, ca: Path | None = None
    ) -> None:
        self._authority = authority
        self._servers = tuple(servers)
        self._box = box
        self._ca = ca
        certificates = "" if ca is None else ca.read_text()
        self.token = write_token(
            Token(self._servers, authority.site, box, authority.joiner(box), certificates)
        )
        self._admitted: asyncio.Future[str] | None = None

    async def wait(self, seconds: float = TOKEN_S) -> None:
        """Return when the box has joined. Raises Refused if it has not in this time; BrokerError."""
        rights = rights_of_admission(self._authority.site, self._box)
        own = self._authority.credentials("room", rights)
        self._admitted = asyncio.get_running_loop().create_future()
        client = await _connected(self._servers, own, "room", self._ca)
        try:
            await client.subscribe(join_subject(self._authority.site, self._box), cb=self._asked)
            await client.flush()
            await asyncio.wait_for(self._admitted, seconds)
            await client.flush()
        except TimeoutError:
            raise Refused(
                f"box {self._box} has not joined in time, and its token is void now: add it again"
            ) from None
        finally:
            await close(client)

    async def _asked(self, message: Msg) -> None:
        assert self._admitted is not None
        if self._admitted.done():
            return
        try:
            request = msgspec.json.decode(message.data, type=Request)
            if not is_user(request.key):
                raise Refused("this is no public key")
            keys = self._authority
            answer = Answer(keys.admit(self._box, request.key), keys.sealing.public, authority=keys.public)
        except (ValueError, Refused) as error:
            await message.respond(msgspec.json.encode(Answer(refused=str(error)[:200])))
            return
        await message.respond(msgspec.json.encode(answer))
        self._admitted.set_result(request.key)


async def publish_account(authority: Authority, servers: Sequence[str], ca: Path | None = None) -> None:
    """Have all servers know what was revoked; they end the connections concerned. Raises BrokerError."""
    client = await _connected(servers, authority.system_credentials(), "authority", ca)
    try:
        answer = await client.request(_CLAIMS, authority.account_certificate.encode(), timeout=_TIMEOUT_S)
    except (nats.errors.Error, TimeoutError) as error:
        raise BrokerError(f"the nats-servers do not take it ({error}): run this again") from None
    finally:
        await close(client)
    said = msgspec.json.decode(answer.data)
    if "error" in said:
        raise BrokerError(f"the nats-servers refuse it ({said['error']}): run this again")


async def _connected(servers: Sequence[str], own: str, name: str, ca: Path | None) -> Client:
    try:
        return await connect(servers, Credentials(name, RawCredentials(own), ca))
    except (OSError, TimeoutError, nats.errors.Error) as error:
        raise BrokerError(
            f"none of the nats-servers can be reached ({error}): {', '.join(servers)}"
        ) from None
