"""What happened to alerts, as it stands in the record: for figures of the floor's work, without faces."""

from typing import Final, Literal

import msgspec

from tablebridge.model.bounds import Nanoseconds, Word
from tablebridge.model.findings import Severity

NOTHING_FOUND: Final = "nothing found"
"""How the note of a person begins who came and found nothing wrong: such findings want calibration."""

AlertDeed = Literal["raised", "acknowledged", "taken", "ruled", "closed", "rang", "shelved"]


class AlertEvent(msgspec.Struct, frozen=True):
    """An alert was raised, changed by a person or put on the shelf, or rang again. `finding`, `severity`,
    `device`: of one that was raised; `by`: the person; `nothing`: who came found nothing wrong.
    """

    alert: Word
    what: AlertDeed
    at_wall_ns: Nanoseconds
    finding: Word = ""
    severity: Severity = "warning"
    device: Word = ""
    by: Word = ""
    nothing: bool = False
