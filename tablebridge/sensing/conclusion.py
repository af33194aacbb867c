"""What sensing concludes: a table event, how sure it is, and what it rests on."""

import msgspec

from tablebridge.model.events import Basis, TableEvent
from tablebridge.model.readings import Stamped


class Conclusion(msgspec.Struct, frozen=True):
    """A table event that sensing concluded from readings.

    `sure`: the probability that the event is true as stated, 0 to 1. `evidence`: identities of readings,
    `device/epoch/seq`.
    """

    event: TableEvent
    sure: float = 1.0
    basis: Basis = "rfid"
    evidence: tuple[str, ...] = ()


def reading_id(stamped: Stamped) -> str:
    """The identity of a reading, as evidence names it."""
    return f"{stamped.device}/{stamped.epoch}/{stamped.seq}"
