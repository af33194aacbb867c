"""The stream of the room, as the uplink uses it."""

from collections.abc import Mapping
from typing import Final

from nats.js import JetStreamContext
from nats.js.api import PubAck
from nats.js.errors import NotFoundError

from tablebridge.stream.message import STREAM, RecordMessage, decode

_TIMEOUT_S: Final = 10.0


class JetStream:
    """The stream behind this connection."""

    def __init__(self, js: JetStreamContext) -> None:
        self._js = js

    async def publish(self, subject: str, payload: bytes, stream: str, headers: Mapping[str, str]) -> PubAck:
        """Store a message; return when its replicas have it. Raises nats.errors.Error."""
        return await self._js.publish(
            subject, payload, timeout=_TIMEOUT_S, stream=stream, headers=dict(headers)
        )

    async def last(self, subject: str) -> RecordMessage | None:
        """The last message of a subject; None if there is none, or none that can be read. Raises
        nats.errors.Error.
        """
        try:
            found = await self._js.get_last_msg(STREAM, subject, direct=True)
        except NotFoundError:
            return None
        try:
            return decode(found.data or b"")
        except ValueError:
            return None
