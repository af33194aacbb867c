"""One file in its place: written if it is not there or still as an installation wrote it, and kept if
somebody changed it; the new version is then put beside it as FILE.new. A file is written whole or not at all.
"""

import hashlib
from collections.abc import Collection
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

import msgspec

UNITS: Final = "etc/systemd/system"
BROKER_FILE: Final = "etc/mosquitto/conf.d/tablebridge.conf"
PROGRAM: Final = "/opt/tablebridge/bin/tablebridge"
"""The program that the units in `files/` start."""

Verdict = Literal["write", "same", "kept", "beside"]


class Placed(msgspec.Struct, frozen=True):
    """A file of `files/` and its place below the root."""

    source: str
    place: str

    def text(self, program: str) -> str:
        """What is written; `program`: the path of the command on that box."""
        return (files("tablebridge.install") / "files" / self.source).read_text().replace(PROGRAM, program)

    @staticmethod
    def written(path: Path) -> str:
        """The digest of what stands there."""
        return hashlib.sha256(path.read_bytes()).hexdigest()


FILES: Final = (
    Placed("tablebridge.sysusers", "etc/sysusers.d/tablebridge.conf"),
    Placed("tablebridge.tmpfiles", "etc/tmpfiles.d/tablebridge.conf"),
    Placed("60-tablebridge.rules", "etc/udev/rules.d/60-tablebridge.rules"),
    Placed("tablebridge.target", f"{UNITS}/tablebridge.target"),
    Placed("tablebridge-driver@.service", f"{UNITS}/tablebridge-driver@.service"),
    Placed("tablebridge-engine.service", f"{UNITS}/tablebridge-engine.service"),
    Placed("tablebridge-web.service", f"{UNITS}/tablebridge-web.service"),
    Placed("tablebridge-notify.service", f"{UNITS}/tablebridge-notify.service"),
    Placed("tablebridge-room.service", f"{UNITS}/tablebridge-room.service"),
    Placed("tablebridge-uplink.service", f"{UNITS}/tablebridge-uplink.service"),
    Placed("tablebridge-take.service", f"{UNITS}/tablebridge-take.service"),
    Placed("tablebridge-take.timer", f"{UNITS}/tablebridge-take.timer"),
    Placed("mosquitto.conf", BROKER_FILE),
    Placed("site.example.toml", "etc/tablebridge/site.example.toml"),
    Placed("site.schema.json", "etc/tablebridge/site.schema.json"),
    Placed("people.example.toml", "etc/tablebridge/people.example.toml"),
    Placed("people.schema.json", "etc/tablebridge/people.schema.json"),
)


def digest(text: str) -> str:
    """How a version of a file is remembered."""
    return hashlib.sha256(text.encode()).hexdigest()


def verdict(path: Path, text: str, ours: Collection[str]) -> Verdict:
    """What to do so that `path` holds `text`. `ours`: the digests of what installations wrote there."""
    try:
        there = path.read_bytes()
    except FileNotFoundError:
        return "write"
    if there == text.encode():
        return "same"
    if hashlib.sha256(there).hexdigest() in ours:
        return "write"
    return "kept" if digest(text) in ours else "beside"
