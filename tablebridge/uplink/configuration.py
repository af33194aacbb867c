"""Configurations that the room has made for this box: fetched, proved, checked, kept, and answered for.

    room:  CONFIG/BOX ──▶ signed by the room?  newer than what is here?  right?  ──▶ uplink/versions/NUMBER/
    room:  RUNS/BOX   ◀── refused, with file and line | waits | runs

Nothing is applied here: this process may write nothing but its own folder. `tablebridge site take`, which
whoever owns the box runs or has run, puts a version that waits in the place of the site file, between hands;
what it refuses is said here. What was refused leaves what runs as it is.
"""

import asyncio
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

import nats.errors
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from tablebridge import private
from tablebridge.model.errors import ConfigError
from tablebridge.settings.state import UPLINK_VERSION
from tablebridge.stream.configuration import (
    RUNS,
    SITE_FILE,
    VERSIONS,
    Running,
    Version,
    encode_running,
    key_of,
    stream_of,
    verified,
)
from tablebridge.uplink.joined import Joined
from tablebridge.uplink.refusal import faults_of, noted_refusal, refusal_file

KEPT: Final = 8
"""Versions that are kept at the box."""
_SIGNED: Final = "signed.json"
_log: Final = logging.getLogger(__name__)
Check = Callable[[Path, Path, frozenset[str]], object]
"""Whether the site file at the first path is right in the place of that at the second, with these files
beside it. Raises ConfigError with one line per fault.
"""


class Configurations:
    """Those of the box that has `joined` a room. `site_file`: the site file that runs; `check`: whether
    another one is right in its place.
    """

    def __init__(self, joined: Joined, state_dir: Path, site_file: Path, check: Check) -> None:
        self._joined = joined
        self._state_dir = state_dir
        self._site_file = site_file
        self._check = check
        self._seen = b""
        self._said: Running | None = None
        self._state_of: tuple[Path | None, int, int] = (None, 0, 0)
        self._state: Running | None = None

    async def step(self, js: JetStreamContext) -> None:
        """Look what the room has, and say what became of it. Raises nats.errors.Error, OSError."""
        payload = await _last(js, VERSIONS, self._joined.box)
        if payload and payload != self._seen:
            await asyncio.to_thread(self._take, payload)
            self._seen = payload
        running = await asyncio.to_thread(self.state)
        if running is not None and running != self._said:
            await js.publish(key_of(RUNS, self._joined.box), encode_running(running), stream=stream_of(RUNS))
            self._said = running

    def state(self) -> Running | None:
        """What is to be said of the newest version here; None if there is none."""
        refused = refusal_file(self._site_file)
        of = newest(self._state_dir), _changed_ns(self._site_file), _changed_ns(refused)
        if of != self._state_of:
            self._state, self._state_of = self._judged(of[0]), of
        return self._state

    def _judged(self, folder: Path | None) -> Running | None:
        if folder is None:
            return None
        version = kept_version(folder, self._joined)
        at = folder.stat().st_mtime_ns
        if version is None:
            return None
        if is_in_place(version, self._site_file):
            return Running(version.number, version.name, "runs", at)
        faults = self._faults(folder, version)
        return Running(version.number, version.name, "refused" if faults else "waits", at, faults)

    def _take(self, payload: bytes) -> None:
        """Keep what the room has signed for this box, if it is newer than what is here."""
        try:
            version = verified(payload, self._joined.box, self._joined.authority)
        except ValueError as error:
            _log.error("a configuration is left out: %s", error)
            return
        folder = newest(self._state_dir)
        if folder is not None and version.number <= int(folder.name):
            if version.number < int(folder.name):
                _log.error("configuration %s is left out: it is older than the one here", version.name)
            return
        _keep(self._state_dir, version, payload)
        _log.warning("configuration %s of the room is here", version.name)

    def _faults(self, folder: Path, version: Version) -> tuple[str, ...]:
        """What is wrong with a version, with file and line, as its maker calls them."""
        try:
            self._check(folder / SITE_FILE, self._site_file, frozenset(version.files))
        except ConfigError as error:
            return faults_of(str(error).replace(f"{folder}/", ""))
        refused = noted_refusal(self._site_file)
        return refused.faults if refused is not None and refused.number == version.number else ()


def newest(state_dir: Path) -> Path | None:
    """The folder of the newest version here."""
    folders = [path for path in _folder(state_dir).glob("*") if path.name.isdecimal() and path.is_dir()]
    return max(folders, key=lambda path: int(path.name), default=None)


def kept_version(folder: Path, joined: Joined) -> Version | None:
    """The version in this folder, if it is one that the room has signed for this box."""
    try:
        version = verified((folder / _SIGNED).read_bytes(), joined.box, joined.authority)
    except (OSError, ValueError):
        return None
    return version if str(version.number) == folder.name else None


def is_in_place(version: Version, site_file: Path) -> bool:
    """Whether the site file and the files beside it are those of this version."""
    texts = {site_file.name: version.site_file} | version.files
    try:
        return all((site_file.parent / name).read_text() == text for name, text in texts.items())
    except (OSError, ValueError):
        return False


def _keep(state_dir: Path, version: Version, payload: bytes) -> None:
    """Write a version down, the signed bytes last: without them it is none."""
    folder = _folder(state_dir) / str(version.number)
    for made in (_folder(state_dir), folder):
        private.own_folder(made)
    for name, text in ({SITE_FILE: version.site_file} | version.files).items():
        private.write(folder / name, text.encode())
    private.write(folder / _SIGNED, payload)
    kept = sorted((path for path in _folder(state_dir).glob("*") if path.name.isdecimal()), key=_number)
    for old in kept[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)


def _changed_ns(path: Path) -> int:
    """When a file was changed; 0 if it is not there."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def _number(path: Path) -> int:
    return int(path.name)


def _folder(state_dir: Path) -> Path:
    return UPLINK_VERSION.path(state_dir)


async def _last(js: JetStreamContext, bucket: str, box: str) -> bytes:
    """The newest value of the box in a bucket; empty if there is none, or no bucket yet."""
    try:
        return (await js.get_last_msg(stream_of(bucket), key_of(bucket, box), direct=True)).data or b""
    except (NotFoundError, nats.errors.NoRespondersError):
        return b""
