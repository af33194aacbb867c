"""Damaged frames by the million for every driver, and how many whole ones a second each decodes.

The frames are what the devices of tests/captures said. Each is damaged by one to three faults, from a seed,
and decoded; an exception ends the run and names driver and bytes. What was decoded is fed to a session too,
which must not grow.

Goal: a line of 921600 baud brings at most 92160 bytes a second, so a driver that decodes more keeps up with
any line.
"""

import time
from pathlib import Path

from benchmarks.figures import Figure, Options, Say
from tablebridge import DISTRIBUTION
from tablebridge.host import registry
from tablebridge.sdk import Driver
from tablebridge.sdk.testing import Chance, check_memory, mutate, read_capture

CAPTURES = Path(__file__).parents[1] / "tests" / "captures"
LINE_BYTES_S = 92_160


def run(options: Options, say: Say) -> list[Figure]:
    figures = []
    for known in registry.known():
        frames = said(known.name)
        if frames and known.distribution == DISTRIBUTION:
            figures += _measured(
                registry.load(known.name), frames, 20_000 if options.quick else 1_000_000, say
            )
    return figures


def said(name: str) -> list[bytes]:
    """What the device said in each piece of all captures of a driver."""
    return [
        bytes.fromhex(piece.hex)
        for path in sorted(CAPTURES.glob(f"{name}/*/capture.jsonl"))
        for piece in read_capture(path.read_text(encoding="utf-8"))
        if piece.direction == "rx"
    ]


def _measured(driver: Driver, frames: list[bytes], count: int, say: Say) -> list[Figure]:
    decode = driver.decode
    if decode is None:
        return []
    chance = Chance(2026)
    damaged: list[bytes] = []
    for number in range(count):
        if number % 50_000 == 0:
            say(f"fuzz: {driver.name}, {number} of {count}")
        frame = mutate(frames[number % len(frames)], chance)
        if len(damaged) < 20_000:
            damaged.append(frame)
        try:
            decode(frame)
        except Exception as error:
            raise SystemExit(
                f"{driver.name} raised {type(error).__name__} for {frame.hex()}: {error}"
            ) from error
    check_memory(driver, streams=[b"".join(damaged)], megabytes=1.0)
    stream = b"".join(frames) * (1 + 20_000 // len(frames))
    begin = time.perf_counter()
    decode(stream)
    took_s = time.perf_counter() - begin
    return [
        Figure(f"{driver.name}: damaged frames without an exception", count, "frames"),
        Figure(
            f"{driver.name}: whole frames",
            len(stream) / len(b"".join(frames)) * len(frames) / took_s,
            "frames/s",
        ),
        Figure(f"{driver.name}: bytes", len(stream) / took_s, "bytes/s", limit=LINE_BYTES_S, better="higher"),
    ]
