"""The stream of a site and the consumer that its archive workers share.

`discard=new`: a full stream refuses what is new, and the boxes wait; it drops nothing that the archive has
not. What is older than `KEPT_S` goes: by then it is in the archive, or a hole is found and a box sends it
again from its journal.
"""

from typing import Final

from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DiscardPolicy, StreamConfig
from nats.js.errors import NotFoundError

from tablebridge.stream.message import CONSUMER, LARGEST, STREAM, subjects_of_site

KEPT_S: Final = 7 * 86_400.0
ACK_WAIT_S: Final = 15.0
_MOST_PENDING: Final = 20_000
_DUPLICATES_S: Final = 120.0


async def make_stream(
    js: JetStreamContext,
    site: str,
    *,
    replicas: int = 3,
    most_bytes: int = -1,
    ack_wait_s: float = ACK_WAIT_S,
) -> bool:
    """Make the stream and its consumer if they are not there. True if the stream had to be made. Raises
    nats.errors.Error.
    """
    made = False
    try:
        await js.stream_info(STREAM)
    except NotFoundError:
        await js.add_stream(
            StreamConfig(
                name=STREAM,
                subjects=[subjects_of_site(site)],
                num_replicas=replicas,
                discard=DiscardPolicy.NEW,
                max_age=KEPT_S,
                max_bytes=most_bytes,
                max_msg_size=LARGEST + 4096,
                duplicate_window=_DUPLICATES_S,
                allow_direct=True,
                deny_delete=True,
                deny_purge=True,
            )
        )
        made = True
    try:
        await js.consumer_info(STREAM, CONSUMER)
    except NotFoundError:
        await js.add_consumer(
            STREAM,
            ConsumerConfig(
                durable_name=CONSUMER,
                ack_policy=AckPolicy.EXPLICIT,
                ack_wait=ack_wait_s,
                max_ack_pending=_MOST_PENDING,
            ),
        )
    return made
