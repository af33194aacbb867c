"""What the codec of a reading costs: msgspec, pydantic and json, encode and decode of one message with a
reading, in one run.

msgspec and pydantic check every type on decoding; json gives dictionaries and checks nothing. The best of
twenty rounds, in turns, in microseconds.
"""

import json
import timeit
from collections.abc import Callable
from math import inf

import msgspec
from pydantic import BaseModel

from benchmarks.figures import Figure, Options, Say
from tablebridge.bus.messages import BatchedReading, ReadingBatch, decode, encode
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Sweep

ROUNDS, CALLS = 20, 2_000
SWEEP = Sweep(3, ("E004015012AB3401", "E004015012AB3402"), visits=8)
NOW = Instant(1_763_690_000_000_000_000, 98_765_432_100, "b" * 36)
MESSAGE = ReadingBatch("feig1", "5f0c9a1be2d34477", NOW, (BatchedReading("feig1", 123_456, 0, 0, SWEEP),))


class SweepModel(BaseModel):
    kind: str
    antenna: int
    tags: tuple[str, ...]
    visits: int
    missed: tuple[str, ...]
    complete: bool


class MessageModel(BaseModel):
    group: str
    epoch: str
    at: tuple[int, int, str, bool]
    readings: list[tuple[str, int, int, int, SweepModel]]
    schema_: int = 1


def run(options: Options, say: Say) -> list[Figure]:
    payload = encode(MESSAGE)
    plain = msgspec.to_builtins(MESSAGE)
    model = MessageModel.model_validate_json(payload)
    work: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "msgspec": (lambda: encode(MESSAGE), lambda: decode(payload, ReadingBatch)),
        "pydantic": (model.model_dump_json, lambda: MessageModel.model_validate_json(payload)),
        "json": (lambda: json.dumps(plain, separators=(",", ":")), lambda: json.loads(payload)),
    }
    best: dict[str, list[float]] = {name: [inf, inf] for name in work}
    for turn in range(ROUNDS):
        say(f"codec: round {turn + 1} of {ROUNDS}")
        for name, codec in work.items():
            for at, call in enumerate(codec):
                best[name][at] = min(best[name][at], timeit.timeit(call, number=CALLS) / CALLS * 1e6)
    ours = best.pop("msgspec")
    return [
        Figure(f"{what} a reading of {len(payload)} bytes", ours[at], "us", name, theirs[at])
        for name, theirs in best.items()
        for at, what in enumerate(("encode", "decode"))
    ]
