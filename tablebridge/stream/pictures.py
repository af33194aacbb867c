"""Live pictures of tables in the room: the bucket `TABLES`, one key `BOX.TABLE` per table.

A picture is what the floor sees of a table: its view for staff without the hand's lines, and its open alerts.
It holds no hidden face, since the engine shows staff none. It is written at every change and in any case
every `BEAT_S`, so that its age says whether the link to the table is up.

The bucket is a stream in memory: what is lost with it is written again with the next beat. It takes no
rollup, by whose header one box could clear the keys of all.
"""

from typing import Annotated, Final

import msgspec
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, StorageType, StreamConfig
from nats.js.errors import NotFoundError

from tablebridge.bus.messages import CEILING, MOST_ALERTS, MOST_OUT, SCHEMA
from tablebridge.model.alerts import Alert
from tablebridge.model.bounds import Count, Nanoseconds, Word
from tablebridge.model.floor_marks import OutOfService
from tablebridge.model.views import TableView
from tablebridge.stream.message import is_name

PICTURES: Final = "KV_TABLES"
BEAT_S: Final = 4.0
"""How often a picture is written that has not changed."""
GONE_S: Final = 3 * BEAT_S
"""A table of which nothing came for this long has no link."""
LARGEST: Final = 2 * CEILING
"""Bytes of a picture."""
KEPT_S: Final = 7 * 86_400.0
"""A table that was not heard for this long is forgotten."""
_MOST_BYTES: Final = 512 << 20
_PREFIX: Final = "$KV.TABLES"


class TablePicture(msgspec.Struct, frozen=True):
    """What the floor sees of a table. `more`: how many alerts are open beside `alerts`; `out`: what is out of
    service. `runs`: whether its engine runs and is heard at the box; `heard_wall_ns`: when it was heard last,
    0 for never; `at_wall_ns`: when the picture was written; both by the box's clock.
    """

    table: Word
    view: TableView | None = None
    alerts: Annotated[tuple[Alert, ...], msgspec.Meta(max_length=MOST_ALERTS)] = ()
    more: Count = 0
    out: Annotated[tuple[OutOfService, ...], msgspec.Meta(max_length=MOST_OUT)] = ()
    runs: bool = False
    heard_wall_ns: Nanoseconds = 0
    at_wall_ns: Nanoseconds = 0
    schema: Count = SCHEMA


class Place(msgspec.Struct, frozen=True, order=True):
    """A table of a box."""

    box: str
    table: str


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(TablePicture)


def encode_picture(picture: TablePicture) -> bytes:
    """The bytes of a picture; of the least urgent alerts as many are left out as it takes to fit."""
    payload = _ENCODER.encode(picture)
    while len(payload) > LARGEST and picture.alerts:
        kept = picture.alerts[: len(picture.alerts) // 2]
        more = picture.more + len(picture.alerts) - len(kept)
        picture = msgspec.structs.replace(picture, alerts=kept, more=more)
        payload = _ENCODER.encode(picture)
    return payload


def decode_picture(payload: bytes, place: Place) -> TablePicture:
    """The picture in these bytes, which were written under the key of this table. Raises ValueError if there
    is none, or if it is of another table.
    """
    if len(payload) > LARGEST:
        raise ValueError(f"it has more than {LARGEST} bytes")
    try:
        picture = _DECODER.decode(payload)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    named = {picture.table, *(alert.table for alert in picture.alerts)}
    if picture.view is not None:
        named.add(picture.view.table)
    if named != {place.table}:
        raise ValueError("it is of another table than its key says")
    return picture


def picture_subject(place: Place) -> str:
    """The subject on which the picture of a table is written."""
    return f"{_PREFIX}.{place.box}.{place.table}"


def pictures_of_box(box: str) -> str:
    """The subjects of all tables of a box."""
    return f"{_PREFIX}.{box}.*"


def place_of(subject: str) -> Place | None:
    """The table whose picture is written on a subject; None if it is none."""
    parts = subject.split(".")
    if len(parts) != 4 or ".".join(parts[:2]) != _PREFIX or not all(map(is_name, parts[2:])):
        return None
    return Place(parts[2], parts[3])


async def make_bucket(js: JetStreamContext, *, replicas: int = 3) -> None:
    """Make the bucket if it is not there. Raises nats.errors.Error."""
    try:
        await js.stream_info(PICTURES)
    except NotFoundError:
        await js.add_stream(
            StreamConfig(
                name=PICTURES,
                subjects=[f"{_PREFIX}.>"],
                max_msgs_per_subject=1,
                max_msg_size=LARGEST,
                max_bytes=_MOST_BYTES,
                max_age=KEPT_S,
                storage=StorageType.MEMORY,
                discard=DiscardPolicy.OLD,
                num_replicas=replicas,
                allow_direct=True,
                deny_delete=True,
                deny_purge=True,
            )
        )
