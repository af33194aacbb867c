"""An act of a person in the room, as whoever serves that person asks it of a box."""

import secrets
import time
from typing import Final

import nats.errors
from nats.aio.client import Client

from tablebridge.bus.messages import FarAct, FarChange
from tablebridge.stream.commands import LONGEST_S, Acted, command_subject, encode, read_act, read_acted
from tablebridge.stream.message import Address

WITHIN_S: Final = 5.0
_ON_THE_WAY_S: Final = 1.0
"""How much longer than its deadline an answer is waited for."""
NO_LINK = "The room has no connection to its nats-servers; nothing was done. Try again."
NO_BOX = "The box of this table has no connection to the room; nothing was done. Act at the table."
NO_ANSWER = "No answer came in time: look at the table, or try the same again, which does nothing twice."
IS_NONE = "This is no act: a name of 1 to 48 letters, a note of at most 500."


def new_id() -> str:
    """An id for an act: the same one for each attempt at it."""
    return secrets.token_urlsafe(18)


async def act(
    client: Client,
    address: Address,
    *,
    person: str,
    alert: str,
    to: FarChange,
    note: str = "",
    over: bool = False,
    id: str = "",
    within_s: float = WITHIN_S,
) -> Acted:
    """Have the engine of the table at `address` do this to the alert, in the name of `person`; what came of
    it. `within_s`: seconds until it is refused as too late, at most `LONGEST_S`. It raises nothing: that
    nobody could be asked is an answer, too.
    """
    within_s = min(within_s, LONGEST_S)
    deadline_ns = time.time_ns() + int(within_s * 1e9)
    asked = FarAct(id or new_id(), person, deadline_ns, alert, to, note, over)
    try:
        read_act(encode(asked))
    except ValueError:
        return Acted(asked.id[:64], False, IS_NONE)
    if not client.is_connected:
        # The client would keep it, and send it whenever it is connected again.
        return Acted(asked.id, False, NO_LINK)
    try:
        reply = await client.request(
            command_subject(address), encode(asked), timeout=within_s + _ON_THE_WAY_S
        )
        return read_acted(reply.data)
    except nats.errors.NoRespondersError:
        return Acted(asked.id, False, NO_BOX)
    except (nats.errors.Error, TimeoutError, OSError, ValueError):
        return Acted(asked.id, False, NO_ANSWER, unsure=True)
