"""One device alone on a port, without a site file and without a broker: for a bench with one cable."""

import select
import signal
import threading
import time
from pathlib import Path
from typing import Final, Literal

import msgspec

from tablebridge.doctor.examine import installed
from tablebridge.doctor.judge import shown, understands
from tablebridge.doctor.listen import Listener, Listening
from tablebridge.host import registry
from tablebridge.host.links.opening import open_link
from tablebridge.host.recorder import Recorder
from tablebridge.model.errors import ConfigError
from tablebridge.sdk.captures import Piece
from tablebridge.sdk.driver import Options, SerialPort
from tablebridge.settings.site import Device

_NAME: Final = "alone"


def capture_alone(port: str, driver: str, given: Options, out: Path, seconds: float | None) -> Recorder:
    """Record what the device at a port and this driver say to each other, for so long or until Ctrl-C. Raises
    ConfigError.
    """
    recorder = Recorder(out, (known := registry.load(driver)), registry.settle(known, given))
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    device = Device(name=_NAME, driver=driver, port=port, options=given)
    try:
        with Listening([Listener(device, record=recorder)]) as listening:
            ended.wait(seconds)
            detail = listening.listeners[0].detail
    finally:
        recorder.close()
    if not recorder.bytes["rx"]:
        recorder.error = recorder.error or f"{recorder.summary} {detail}".strip()
    return recorder


def capture_raw(
    port: str, baud: int, parity: Literal["N", "E", "O"], out: Path, seconds: float | None
) -> tuple[str, str]:
    """Record what a device says by itself, for so long or until Ctrl-C, and send nothing. What came, as text
    and hex, and which drivers understand it. Raises ConfigError, LinkError.
    """
    link = open_link(port, SerialPort(baud, parity))
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    heard, begin = b"", time.monotonic()
    try:
        with out.open("xb") as file:
            while not ended.is_set() and (seconds is None or time.monotonic() - begin < seconds):
                select.select([link.fileno()], [], [], 0.05)
                if data := link.read():
                    heard += data
                    piece = Piece(round((time.monotonic() - begin) * 1000, 3), "rx", data.hex().upper())
                    file.write(msgspec.json.encode(piece) + b"\n")
                    file.flush()
    except OSError as error:
        raise ConfigError(f"{out} cannot be written ({error.strerror}): give another name.") from None
    finally:
        link.close()
    names = [driver.name for driver in installed() if understands(driver, heard)]
    if names:
        return shown(heard), f"Understood by: {', '.join(names)}."
    return shown(heard), (
        f"No driver understands that at {baud} baud, parity {parity}: try 9600, 19200, 38400, 57600 and "
        "115200, and parity E. A reader that only answers stays silent without its driver."
    )


__all__ = ["capture_alone", "capture_raw"]
