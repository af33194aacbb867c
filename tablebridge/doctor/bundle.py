"""The support bundle: what somebody elsewhere needs to see what is wrong with a box, and nothing that the box
keeps secret.

Each member is made from a list of what may be in it, not from a file with something taken out; only logs are
copied. Then every member passes the redaction of this box. What cannot be had is a sentence in `missing.txt`.
"""

import contextlib
import io
import os
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from tablebridge.doctor import examine
from tablebridge.doctor.check import Check
from tablebridge.doctor.figures import counters, disk, journals, processes
from tablebridge.doctor.redaction import Redaction, redaction
from tablebridge.doctor.writes import budget, judge_budget
from tablebridge.model.errors import ConfigError
from tablebridge.settings.site import Site
from tablebridge.settings.state import BROKER_LOG, PROCESS_LOG

_MOST_LOG: Final = 400_000
"""Bytes of the end of each log."""
_COMMAND_S: Final = 20
_UNITS: Final = "tablebridge*"
_SHOWN: Final = (
    "Id,LoadState,ActiveState,SubState,Result,NRestarts,ExecMainStatus,ActiveEnterTimestamp,MemoryCurrent"
)
_JOURNAL: Final = ("journalctl", "--no-pager", "--output=short-iso")
_COMMANDS: Final = {
    "units.txt": ("systemctl", "show", _UNITS, "mosquitto.service", f"--property={_SHOWN}"),
    "logs/journal.txt": (*_JOURNAL, "--lines=3000", f"--unit={_UNITS}", "--unit=mosquitto"),
    "logs/kernel.txt": (*_JOURNAL, "--lines=300", "--dmesg", "--grep=tty|usb|oom|mmc|ext4"),
}

Members = dict[str, str]


def write(file: Path, site: Site, site_file: Path, metrics: str = "") -> list[str]:
    """Write the bundle of this site, whole or not at all, mode 0600, and return the names of its members.
    `metrics`: as `/metrics` gives them. Raises ConfigError if it cannot be written.
    """
    members = collect(site, site_file)
    if metrics:
        members["metrics.txt"] = metrics
    hidden = redaction(site, site_file)
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise ConfigError(
            f"{file} cannot be written ({error.strerror}): give the path of a file that is not there yet."
        ) from None
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(packed(members, hidden))
    except OSError as error:
        file.unlink(missing_ok=True)
        raise ConfigError(
            f"{file} cannot be written ({error.strerror}): give a path with more room."
        ) from None
    return sorted(members)


def packed(members: Members, hidden: Redaction) -> bytes:
    """The members as a ZIP file, each without what may not leave the box."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in sorted(members.items()):
            archive.writestr(name, hidden.json(text) if name.endswith(".json") else hidden.text(text))
    return buffer.getvalue()


def collect(site: Site, site_file: Path) -> Members:
    """All members as text, not yet redacted."""
    members: Members = {}
    missing: list[str] = []
    makers: dict[str, Callable[[], Any]] = {
        "doctor.json": lambda: _doctor(site, site_file),
        "site.json": lambda: shown_site(site),
        "counters.json": lambda: counters(site),
        "journals.json": lambda: journals(site),
        "disk.json": lambda: disk(site.state_dir),
        "processes.json": lambda: list(processes()),
    }
    for name, make in makers.items():
        try:
            members[name] = msgspec.json.format(msgspec.json.encode(make()), indent=1).decode()
        except Exception as error:
            # A bundle is asked for when something is wrong: one part that fails must not take the others with
            # it.
            missing.append(f"{name}: {type(error).__name__}")
    for name, command in _COMMANDS.items():
        text = _output(command)
        if text is None:
            missing.append(f"{name}: {command[0]} is not there, or refuses")
        else:
            members[name] = text
    for path in [BROKER_LOG.path(site.state_dir), *PROCESS_LOG.paths(site.state_dir)]:
        with contextlib.suppress(OSError):
            members[f"logs/{path.name}"] = _tail(path)
    members["missing.txt"] = "".join(f"{line}\n" for line in missing)
    return members


def _doctor(site: Site, site_file: Path) -> dict[str, Any]:
    """The doctor's report without opening a device."""
    before, _ = examine.before_opening(site)
    written = budget()
    checks: list[Check] = [
        *examine.machine(),
        *examine.site_checks(site, site_file),
        judge_budget(written, None),
        *before,
    ]
    return examine.report(checks, {}, written)


def shown_site(site: Site) -> dict[str, Any]:
    """The site file without names of players; of files only their names."""
    shown: dict[str, Any] = site.model_dump(mode="json", by_alias=True)
    for table in shown["table"]:
        table["names"] = len(table["names"])
        for key in ("deck", "decks", "rulebook"):
            table[key] = _base(table[key])
    for webhook in shown["webhook"]:
        # The path may be a key.
        parts = urlsplit(webhook["url"])
        webhook["url"] = f"{parts.scheme}://{parts.hostname}/…"
    return shown


def _base(value: Any) -> Any:
    if isinstance(value, list):
        return [_base(member) for member in value]
    return Path(value).name if isinstance(value, str) else value


def _output(command: tuple[str, ...]) -> str | None:
    """The end of what a program prints; None if it cannot be run or fails."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=_COMMAND_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return None if done.returncode else done.stdout[-_MOST_LOG:].decode(errors="replace")


def _tail(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _MOST_LOG))
        return file.read(_MOST_LOG).decode(errors="replace")


__all__ = ["collect", "packed", "shown_site", "write"]
