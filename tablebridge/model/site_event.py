"""What happens at the tables of a site, in the one form in which it is sent to other programs."""

from typing import Final, Literal, get_args

import msgspec

from tablebridge.model.findings import Severity

EventName = Literal[
    "hand-started",
    "street",
    "action",
    "undone",
    "hand-ended",
    "finding",
    "alert-raised",
    "alert-acknowledged",
    "alert-taken",
    "alert-ruled",
    "alert-closed",
]
EVENT_NAMES: Final[tuple[EventName, ...]] = get_args(EventName)
SCHEMA: Final = 1


class SiteEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event. It holds no card, no tag and no name of a person.

    `id` is the same if it is sent again. `at`: when it happened, UTC. `street`, `seat`, `action`, `amount`,
    `entry`: of a hand, as in `HandEvent`. `finding`, `severity`, `cause`, `rule`, `device`: of findings and
    alerts; `alert`: the alert's id. `lost_before`: how many events before this could not be delivered.
    """

    schema: int
    id: str
    event: EventName
    site: str
    table: str
    at: str
    hand: int
    street: str = ""
    seat: int | None = None
    action: str = ""
    amount: int | None = None
    entry: int = 0
    finding: str = ""
    severity: Severity | None = None
    cause: str = ""
    rule: str = ""
    device: str = ""
    alert: str = ""
    lost_before: int = 0
