"""UHF readers that speak LLRP, EPCglobal's protocol of readers, under a chip tray: Impinj, Zebra, FEIG and
others, by TCP (port 5084).

The protocol is an open standard. It was never tried on a reader of ours. UHF reads too far for hole cards.
"""

from typing import Final

from tablebridge.sdk import DeviceStatus, Driver, Option, Reading, Reason, Rejected, SerialPort, Sweep, boards
from tablebridge.sdk.conversations import gathering
from tablebridge.sdk.framing import Frames, rejected
from tablebridge_drivers.llrp import messages
from tablebridge_drivers.llrp.session import LlrpSession


def _said(frame: bytes) -> list[Reading | Rejected]:
    """What one message says by itself."""
    message = messages.read_message(frame)
    if isinstance(message, Rejected):
        return [message]
    if message.kind == messages.REPORT:
        tags = messages.read_report(message.data)
        return [tag if isinstance(tag, Rejected) else Sweep(tag[0], (tag[1],)) for tag in tags]
    if message.kind == messages.CAPABILITIES_ANSWER:
        return [DeviceStatus("identified", messages.read_capabilities(message.data).text)]
    if message.kind in (messages.KEEPALIVE, messages.EVENT):
        return [DeviceStatus("ok", f"message {message.kind}")]
    code, text = messages.status(message.data)
    if code < 0:
        return [rejected(Reason.TOO_SHORT, "an answer without its status", frame)]
    if code:
        return [DeviceStatus("degraded", f"answer {message.kind}: {text or code}")]
    return [DeviceStatus("ok", f"answer {message.kind}: done")]


def decode(data: bytes) -> tuple[Reading | Rejected, ...]:
    """What messages of a reader mean outside a conversation. Each tag of a report is a sweep."""
    frames = Frames(messages.measure, messages.intact)
    found: list[Reading | Rejected] = []
    for item in (*frames.feed(data), *frames.silence()):
        found += [item] if isinstance(item, Rejected) else _said(item)
    return tuple(found)


DRIVER: Final = Driver(
    name="llrp",
    title="UHF readers that speak LLRP by TCP: Impinj, Zebra, FEIG and others, for chip trays",
    trust="vendor document",
    source="EPCglobal LLRP 1.0.1; messages logged from readers, in the tests of sllurp 3.0.5 and by others",
    tested="messages that others logged, and the emulated reader of the open package llrpkit 0.3.0; never on "
    "hardware of ours",
    # There is no serial line: its port is socket://HOST:5084.
    port=lambda options: SerialPort(baud=115200),
    session=LlrpSession,
    options={
        "antennas": Option(1, "ports with an antenna, from port 1", lowest=1, highest=messages.MOST_ANTENNAS),
        "power_dbm": Option(
            0,
            "the most power in dBm, of the steps that the reader has; 0 leaves what it has",
            lowest=0,
            highest=33,
        ),
        **boards.OPTIONS,
        **gathering.OPTIONS,
    },
    antennas=tuple(range(messages.MOST_ANTENNAS + 1)),
    stale_after_s=6.0,
    decode=decode,
    emulation="published",
)
