"""What the host sends to an LLRP reader: its parameters, put together.

    GET_READER_CONFIG   its own number (requested data 1)
    SET_READER_CONFIG   keep-alive every second; events of antennas and of faults
    ADD_ROSPEC          reads from START_ROSPEC on, without an end; each tag is reported with its antenna

Tags answer in session 0, so that each does again and again: in others a tag is quiet for seconds once it was
read. Source: EPCglobal LLRP 1.0.1, chapter 16; a configuration that somebody logged from an Impinj reader, in
the tests of sllurp 3.0.5.
"""

from typing import Final

from tablebridge_drivers.llrp.messages import Capabilities, tlv

ROSPEC: Final = b"\0\0\0\1"
ALL: Final = b"\0\0\0\0"
KEEPALIVE_MS: Final = 1000
_KEEPALIVE_SPEC, _EVENT_SPEC, _EVENT_STATE = 220, 244, 245
_EXCEPTION, _ANTENNA = 4, 8
_ON: Final = b"\x80"
_ROSPEC, _BOUNDARY, _START, _STOP = 177, 178, 179, 182
_AI_SPEC, _AI_STOP, _INVENTORY, _ANTENNA_CONFIGURATION = 183, 184, 186, 222
_TRANSMITTER, _INVENTORY_COMMAND, _SINGULATION = 224, 330, 336
_REPORT_SPEC, _CONTENT = 237, 238
_GEN2: Final = b"\1"
_WITH_ANTENNA: Final = b"\x10\x00"
_EACH_TAG: Final = b"\x01\x00\x01"
"""A report upon each tag, and at the end of each antenna's turn."""
_POPULATION: Final = 32
_NEVER: Final = bytes(5)
"""A trigger of kind 0, without a time."""


def identification() -> bytes:
    """The data of GET_READER_CONFIG that asks for the reader's number alone."""
    return bytes.fromhex("0000 01 0000 0000")


def configuration() -> bytes:
    """The data of SET_READER_CONFIG: nothing is set back; what is not named stays."""
    states = b"".join(tlv(_EVENT_STATE, kind.to_bytes(2, "big") + _ON) for kind in (_EXCEPTION, _ANTENNA))
    keepalive = tlv(_KEEPALIVE_SPEC, b"\1" + KEEPALIVE_MS.to_bytes(4, "big"))
    return b"\0" + tlv(_EVENT_SPEC, states) + keepalive


def power_index(capabilities: Capabilities, dbm: int) -> int | None:
    """The reader's step with the most power up to `dbm`, else the one with the least; None: it names none."""
    steps = sorted((power, index) for index, power in capabilities.powers.items())
    return next((index for power, index in reversed(steps) if power <= dbm), steps[0][1] if steps else None)


def rospec(antennas: int, power: int | None, hop_table: int) -> bytes:
    """The data of ADD_ROSPEC. `antennas`: ports from 1 to this one. `power`: a step of the reader's, None to
    leave what it has.
    """
    # In a regulation without hopping the first channel is meant, else none.
    channel = 0 if hop_table else 1
    transmitter = b"" if power is None else hop_table.to_bytes(2, "big") + channel.to_bytes(2, "big")
    if power is not None:
        transmitter = tlv(_TRANSMITTER, transmitter + power.to_bytes(2, "big"))
    singulation = tlv(_SINGULATION, b"\0" + _POPULATION.to_bytes(2, "big") + bytes(4))
    command = tlv(_INVENTORY_COMMAND, b"\0" + singulation)
    settings = tlv(_ANTENNA_CONFIGURATION, b"\0\0" + transmitter + command)
    ports = b"".join(port.to_bytes(2, "big") for port in range(1, antennas + 1))
    inventory = tlv(_INVENTORY, b"\0\1" + _GEN2 + settings)
    visit = tlv(_AI_SPEC, antennas.to_bytes(2, "big") + ports + tlv(_AI_STOP, _NEVER) + inventory)
    boundary = tlv(_BOUNDARY, tlv(_START, b"\0") + tlv(_STOP, _NEVER))
    reports = tlv(_REPORT_SPEC, _EACH_TAG + tlv(_CONTENT, _WITH_ANTENNA))
    return tlv(_ROSPEC, ROSPEC + b"\0\0" + boundary + visit + reports)


__all__ = ["ALL", "KEEPALIVE_MS", "ROSPEC", "configuration", "identification", "power_index", "rospec"]
