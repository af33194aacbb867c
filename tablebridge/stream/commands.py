"""What the room asks of a box: request and reply on the connection that the box has opened.

    room:  FarAct ── tb.v1.SITE.BOX.TABLE.cmd ──▶ uplink ── cmd/uplink/act ──▶ engine
    room:  Acted  ◀────── inbox of who asked ──── uplink ◀─ cmd/uplink/acted ─ engine

Nothing is applied by the room or the uplink: the table's engine answers, and its record has the person. An
act that is repeated under its id is done once and answered twice.
"""

from typing import Final, TypeVar

import msgspec

from tablebridge.bus.messages import FarAct
from tablebridge.model.bounds import Sentence, Word
from tablebridge.stream.claims import Rights
from tablebridge.stream.connection import inbox_of
from tablebridge.stream.message import Address, is_name

LARGEST: Final = 8_192
"""Bytes of an act or its answer."""
LONGEST_S: Final = 10.0
"""How far its deadline may be ahead."""
_PREFIX: Final = "tb.v1"


class Acted(msgspec.Struct, frozen=True):
    """What came of an act. `sentence` says what was refused and why. `unsure`: nobody has answered, and it
    may have been done all the same; under the same id it can be asked again.
    """

    id: Word
    ok: bool
    sentence: Sentence = ""
    unsure: bool = False


_M = TypeVar("_M")
_ENCODER: Final = msgspec.json.Encoder()
_ACT: Final = msgspec.json.Decoder(FarAct)
_ACTED: Final = msgspec.json.Decoder(Acted)


def encode(message: FarAct | Acted) -> bytes:
    """The bytes of a message."""
    return _ENCODER.encode(message)


def read_act(payload: bytes) -> FarAct:
    """The act in these bytes. Raises ValueError if there is none within the bounds, with a name that can be
    shown.
    """
    act = _within(payload, _ACT)
    if not (act.person.isprintable() and act.person.strip() and act.id.isprintable()):
        raise ValueError("no name")
    return act


def read_acted(payload: bytes) -> Acted:
    """The answer in these bytes. Raises ValueError if there is none within the bounds."""
    return _within(payload, _ACTED)


def command_subject(address: Address) -> str:
    """The subject of what is asked of a table."""
    return f"{_PREFIX}.{address.site}.{address.box}.{address.table}.cmd"


def commands_of_box(site: str, box: str) -> str:
    """The subjects of what is asked of all tables of a box."""
    return f"{_PREFIX}.{site}.{box}.*.cmd"


def asked_table(subject: str) -> str:
    """The table of which a subject asks something; empty if it asks of none."""
    parts = subject.split(".")
    fits = len(parts) == 6 and parts[5] == "cmd" and is_name(parts[4])
    return parts[4] if fits else ""


def rights_of_asker(site: str, name: str) -> Rights:
    """Who acts for the room's people may ask every box of the site, and hear the answers."""
    return Rights([f"{_PREFIX}.{site}.*.*.cmd"], [f"{inbox_of(name)}.>"])


def _within(payload: bytes, decoder: msgspec.json.Decoder[_M]) -> _M:
    if len(payload) > LARGEST:
        raise ValueError(f"a message of {len(payload)} bytes")
    return decoder.decode(payload)
