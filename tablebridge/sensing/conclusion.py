"""What sensing concludes: a table event, how sure, and what it rests on."""

import msgspec

from tablebridge.model.events import Basis, TableEvent


class Conclusion(msgspec.Struct, frozen=True):
    """`sure`: probability that the event is true as stated, 0 to 1. `evidence`: identities of readings,
    `device/epoch/seq`.
    """

    event: TableEvent
    sure: float = 1.0
    basis: Basis = "rfid"
    evidence: tuple[str, ...] = ()
