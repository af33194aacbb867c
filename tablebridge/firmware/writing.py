"""Files onto a board, through MicroPython's raw prompt; the image, through esptool or the board's drive."""

import contextlib
import io
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

import serial

from tablebridge.firmware.images import BoardKind
from tablebridge.firmware.speech import open_port
from tablebridge.model.errors import ConfigError, LinkError
from tablebridge_firmware.board.table import configuration

CONFIGURATION: Final = "board.json"
_PROMPT_S: Final = 20.0
_LATE_S: Final = 0.5
_PART: Final = 65536
_DRIVES: Final = ("/media", "/run/media", "/mnt", "/Volumes")
Progress = Callable[[str, int], None]
"""What is under way, and how far in percent."""


def check_configuration(file: Path) -> bytes:
    """The content of a configuration in which nothing is wrong. Raises ConfigError with the first fault."""
    try:
        with file.open("rb") as opened:
            data = opened.read(configuration.LARGEST + 1)
        text = data.decode("ascii")
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: a board's configuration is plain ASCII.") from None
    faults: list[str] = configuration.read(text).faults  # type: ignore[no-untyped-call]
    if faults:
        more = f" ({len(faults) - 1} more)" if len(faults) > 1 else ""
        raise ConfigError(f"{file}: {faults[0]}{more}.")
    return data


def write_files(port: str, board_json: bytes, progress: Progress) -> int:
    """Our files and the configuration onto the board, which is reset then. Returns how many were written:
    those that are there already are left alone. Raises LinkError.
    """
    from mpremote.transport import TransportError

    _call_to_prompt(port)
    transport = _prompt(port)
    try:
        files = [*_firmware(), (CONFIGURATION, board_json)]
        written = 0
        for place, (name, data) in enumerate(files):
            progress(name, 100 * place // len(files))
            written += _write(transport, name, data)
        transport.exec_raw_no_follow("import machine\nmachine.reset()")
    except (OSError, TransportError) as error:
        raise LinkError(
            f"{port}: the board fell silent while files were written ({error}): try again."
        ) from None
    finally:
        transport.close()
    progress("reset", 100)
    return written


def _firmware() -> Iterator[tuple[str, bytes]]:
    def below(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
        for entry in sorted(folder.iterdir(), key=lambda each: each.name):
            if entry.is_dir() and entry.name != "__pycache__":
                yield from below(entry, f"{path}{entry.name}/")
            elif entry.name.endswith(".py"):
                yield path + entry.name, entry.read_bytes()

    # main.py last: a board whose cable is pulled in between stays at its prompt.
    files = list(below(resources.files("tablebridge_firmware") / "board", ""))
    yield from sorted(files, key=lambda file: file[0] == "main.py")


def _write(transport: Any, name: str, data: bytes) -> int:
    import hashlib

    folder = ""
    for part in name.split("/")[:-1]:
        folder += part
        if not transport.fs_exists(folder):
            transport.fs_mkdir(folder)
        folder += "/"
    if transport.fs_exists(name) and transport.fs_hashfile(name, "sha256") == hashlib.sha256(data).digest():
        return 0
    transport.fs_writefile(name, data)
    return 1


def _call_to_prompt(port: str) -> None:
    """Firmware of ours answers `!service` with a reset to the prompt; MicroPython without it is there
    already.
    """
    with open_port(port) as opened:
        opened.write(b"\n!service\n")
        opened.flush()
        time.sleep(0.5)


def _prompt(port: str) -> Any:
    from mpremote.transport import TransportError
    from mpremote.transport_serial import SerialTransport

    end = time.monotonic() + _PROMPT_S
    while time.monotonic() < end:
        try:
            transport = SerialTransport(port, timeout=2)
        except (OSError, TransportError, serial.SerialException):
            time.sleep(0.2)
            continue
        try:
            # mpremote prints what it did not expect.
            with contextlib.redirect_stdout(io.StringIO()):
                transport.enter_raw_repl(soft_reset=False, timeout_overall=3)
                # A board that was still starting answers earlier attempts late: only what comes now counts.
                time.sleep(_LATE_S)
                transport.enter_raw_repl(soft_reset=False, timeout_overall=10)
            return transport
        except (OSError, TransportError):
            transport.close()
    raise LinkError(
        f"{port}: MicroPython does not answer: put its image on the board with tablebridge firmware flash."
    )


def flash_esp(kind: BoardKind, port: str, image: Path, progress: Progress) -> None:
    """Erase and write an ESP32 by esptool, which runs as a program of its own. Raises LinkError."""
    open_port(port).close()
    command = [sys.executable, "-m", "esptool", "--chip", kind.name, "--port", port, "--baud", "460800"]
    command += ["write-flash", "--erase-all", hex(kind.offset or 0), str(image)]
    try:
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        ) as running:
            said: list[str] = []
            for line in running.stdout or ():
                said = [*said[-20:], line.strip()]
                if percent := re.search(r"(\d+)(?:\.\d+)? ?%", line):
                    progress("image", min(100, int(percent[1])))
    except OSError as error:
        raise LinkError(f"esptool cannot be run: {error}") from None
    if running.returncode:
        raise LinkError(f"{port}: {_esptool_fault(kind, said)}")


def _esptool_fault(kind: BoardKind, said: list[str]) -> str:
    text = " ".join(said)
    if "No module named" in text:
        return "esptool is not installed: install the extra [firmware]."
    if found := re.search(r"This chip is (\S+?),? not", text):
        return f"the board is no {kind.title} but an {found[1]}: name it with --board."
    if "MD5 of file does not match" in text:
        return "what is on the board differs from the image: try again, perhaps with a shorter cable."
    if "serial exception" in text or "Lost connection" in text:
        return (
            "the cable was pulled or the board lost its power: its image is not whole; plug it in, try again."
        )
    if "No serial data received" in text or "Failed to connect" in text or "Timed out" in text:
        return "the board does not answer: hold its button BOOT, press EN, and try again."
    last = next((line for line in reversed(said) if line), "it said nothing")
    return f"esptool failed: {last}"


def flash_drive(kind: BoardKind, drive: Path | None, data: bytes, progress: Progress) -> Path:
    """Copy an image onto a Pico, which is a drive while BOOTSEL is held; give the drive. Raises LinkError."""
    place = drive or _find_drive()
    if place is None or not (place / "INFO_UF2.TXT").is_file():
        named = f"{place} is no board's drive" if place else "no board's drive is here"
        raise LinkError(
            f"{named}: hold BOOTSEL while you plug the {kind.title} in, open its drive, "
            "and name it with --drive."
        )
    info = (place / "INFO_UF2.TXT").read_text(errors="replace")[:500]
    if ("RP2350" in info) != (kind.name == "pico2"):
        found = "Raspberry Pi Pico 2" if "RP2350" in info else "Raspberry Pi Pico"
        raise LinkError(f"the board is a {found}, not a {kind.title}: name it with --board.")
    progress("image", 0)
    try:
        with (place / "firmware.uf2").open("wb") as file:
            for at in range(0, len(data), _PART):
                file.write(data[at : at + _PART])
                progress("image", min(100, 100 * (at + _PART) // len(data)))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise LinkError(f"{place}: {error.strerror}: plug the board in again with BOOTSEL held.") from None
    return place


def _find_drive() -> Path | None:
    for root in _DRIVES:
        for depth in ("*", "*/*"):
            for found in sorted(Path(root).glob(f"{depth}/INFO_UF2.TXT")):
                return found.parent
    return None
