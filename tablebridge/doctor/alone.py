"""One device alone on a port, without a site file and without a broker: for a bench with one cable."""

import signal
import threading
from pathlib import Path
from typing import Final

from tablebridge.doctor.listen import Listener, Listening
from tablebridge.host import registry
from tablebridge.host.recorder import Recorder
from tablebridge.sdk.driver import Options
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


__all__ = ["capture_alone"]
