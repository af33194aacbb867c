"""More alerts than people can follow (after EEMUA 191), and what most of them have in common."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal

import msgspec

from tablebridge.model.alerts import Alert
from tablebridge.model.bounds import Count, Word

FLOOD: Final = 10
"""This many alerts in the window are no flood yet."""
WINDOW_S: Final = 600
_COMMON: Final = 0.6
"""The share of the alerts that a cause explains to be named."""

Cause = Literal["", "device", "driver", "finding"]


class Flood(msgspec.Struct, frozen=True):
    """More than `FLOOD` alerts came within the last `WINDOW_S`. `cause`: what `share` of them have in common:
    one device of one table (`table`), devices of one kind, the same finding; empty if nothing.
    """

    alerts: Count
    tables: Count
    cause: Cause = ""
    name: Word = ""
    table: Word = ""
    share: Count = 0


def flood(
    alerts: Iterable[Alert],
    now_wall_ns: int,
    explained: Mapping[tuple[str, str], str],
    drivers: Mapping[tuple[str, str], str],
) -> Flood | None:
    """The flood of these alerts, open or closed; None if there is none. `explained`: by table and alert the
    device that explains it; `drivers`: by table and device its driver.
    """
    fresh = [alert for alert in alerts if now_wall_ns - alert.raised_at.wall_ns <= WINDOW_S * 10**9]
    if len(fresh) <= FLOOD:
        return None

    def device(alert: Alert) -> tuple[str, str]:
        return alert.table, alert.device or explained.get((alert.table, alert.id), "")

    def driver(alert: Alert) -> tuple[str, str]:
        return "", drivers.get(device(alert), "")

    tables = len({alert.table for alert in fresh})
    kinds: Sequence[tuple[Cause, Callable[[Alert], tuple[str, str]]]] = (
        ("device", device),
        ("driver", driver),
        ("finding", lambda alert: ("", alert.finding)),
    )
    for cause, of in kinds:
        (((table, name), count),) = Counter(map(of, fresh)).most_common(1)
        if name and count >= _COMMON * len(fresh):
            return Flood(len(fresh), tables, cause, name, table, count)
    return Flood(len(fresh), tables)
