"""Writes a capture while a driver works: see `tablebridge.sdk.captures` for its form."""

from pathlib import Path
from typing import Final

import msgspec

from tablebridge.host.tap import Call
from tablebridge.model.errors import ConfigError
from tablebridge.model.instant import Instant
from tablebridge.sdk.captures import Piece
from tablebridge.sdk.driver import Driver, Options, Signal, Turn

_NS: Final = 1_000_000


class Recorder:
    """A `Tap` that writes each call into a file, until `close`. `bytes`: how many were received and sent.

    `options`: as the driver runs with them; those that differ from its defaults are written. Raises
    ConfigError if the file cannot be begun. A disk that fills ends the recording and not the driver:
    `error` says so.
    """

    def __init__(self, path: Path, driver: Driver, options: Options) -> None:
        self.bytes = {"rx": 0, "tx": 0}
        self.error = ""
        self._path = path
        self._driver = driver.name
        self._options = {
            name: value for name, value in options.items() if value != driver.options[name].default
        }
        self._begin_ns: int | None = None
        self._end_ns = 0
        self._conversations = 0
        try:
            # Never over another one: a capture cannot be made again.
            self._file = path.open("xb")
        except FileExistsError:
            raise ConfigError(f"{path} is there already: give another name for the capture.") from None
        except OSError as error:
            raise ConfigError(
                f"{path} cannot be written ({error.strerror}): give another path for the capture."
            ) from None

    def __call__(self, call: Call, received: bytes | Signal, turn: Turn, now: Instant) -> None:
        if self._begin_ns is None:
            self._begin_ns = now.monotonic_ns
        self._end_ns = now.monotonic_ns
        self._conversations += call == "start"
        ms = (now.monotonic_ns - self._begin_ns) / _NS
        if call == "start":
            self._write(Piece(ms, call, driver=self._driver, options=self._options))
        elif isinstance(received, Signal):
            self._write(Piece(ms, call, signal=received))
        else:
            self._write(Piece(ms, call, received.hex().upper()))
        if turn.send:
            self._write(Piece(ms, "tx", turn.send.hex().upper()))

    @property
    def summary(self) -> str:
        """What was recorded, in a sentence or two."""
        if not self._conversations:
            return f"{self._path} is empty: the port could not be opened."
        seconds = (self._end_ns - (self._begin_ns or 0)) / 1e9
        again = f" in {self._conversations} conversations" if self._conversations > 1 else ""
        said = (
            f"{self.bytes['rx']} bytes from the device and {self.bytes['tx']} to it in {seconds:.1f} s{again}"
        )
        if not self.bytes["rx"]:
            return (
                f"{self._path} has {said}: the device says nothing. Check its power and cable, and whether "
                "driver and options are those of this device."
            )
        return f"{self._path} has {said}. See what it means: tablebridge drivers play {self._path}"

    def close(self) -> None:
        """Write the rest into the file and close it."""
        try:
            self._file.close()
        except OSError as failed:
            self._failed(failed)

    def _write(self, piece: Piece) -> None:
        if self.error:
            return
        try:
            self._file.write(msgspec.json.encode(piece) + b"\n")
        except OSError as failed:
            self._failed(failed)
            return
        if piece.hex:
            self.bytes[piece.direction] += len(piece.hex) // 2

    def _failed(self, error: OSError) -> None:
        self.error = (
            f"{self._path} could not be written to its end ({error.strerror}): "
            "free disk space and capture again."
        )


__all__ = ["Recorder"]
