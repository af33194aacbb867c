"""Which configuration each box runs, as it says itself in the bucket `RUNS`."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import nats.errors
from nats.aio.client import Client
from nats.js.errors import NotFoundError

from tablebridge.stream.configuration import RUNS, Running, key_of, read_running, stream_of

MOST_BOXES: Final = 500
"""Boxes of which it is asked for one page."""
_WITHIN_S: Final = 5.0


class Configurations:
    """What boxes say of their configurations. `client`: the present connection to the servers, None while
    there is none.
    """

    def __init__(self, client: Callable[[], Client | None]) -> None:
        self._client = client

    async def of(self, boxes: Sequence[str]) -> dict[str, Running] | None:
        """By box the newest version and what became of it; a box for which the room has made none is left
        out. None if nobody can be asked.
        """
        client = self._client()
        if client is None:
            return None
        asked = boxes[:MOST_BOXES]
        try:
            async with asyncio.timeout(_WITHIN_S):
                said = await asyncio.gather(*(_said(client, box) for box in asked))
        except (nats.errors.Error, TimeoutError, OSError):
            return None
        return {box: running for box, running in zip(asked, said, strict=True) if running is not None}


async def _said(client: Client, box: str) -> Running | None:
    """What the box has said last; None if it has said nothing, or nothing that can be read."""
    js = client.jetstream(timeout=_WITHIN_S)
    try:
        message = await js.get_last_msg(stream_of(RUNS), key_of(RUNS, box), direct=True)
        return read_running(message.data or b"")
    except (NotFoundError, nats.errors.NoRespondersError, ValueError):
        return None
