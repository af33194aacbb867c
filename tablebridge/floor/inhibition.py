"""Which alerts are hidden because another, or what is out of service, explains them.

Nothing that is hidden is lost: it is counted and listed, it can be acted on, and it comes back when what
hides it is closed. It goes by this table:

    device-offline, until it is cleared   what is read wrong at its places (`_MISREAD`), if it comes later
    fouled-deck, deck-swapped, misdeal    what comes later in the same hand, but for what devices report
    a device out of service               what it reports, and what is read wrong at its places
    a table out of service                everything of the table

Never hidden are `journal-broken` and `cloned-tag`, which are attacks as likely as faults, and a call of the
floor. An alert hides none that is more severe. What the table waits for is hidden only if the table itself is
out of service.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, cast

import msgspec

from tablebridge.bus.messages import TableSignal
from tablebridge.floor.alerts import CALLED
from tablebridge.model.alerts import Alert, rings
from tablebridge.model.bounds import Word
from tablebridge.model.findings import SEVERITIES
from tablebridge.model.floor_marks import OutOfService
from tablebridge.model.places import BOARD, BURN, Place, parse_place, seat_place

_MISREAD: Final = ("sensing-doubt", "card-out-of-place", "burn-missing", "flop-count")
"""What a device that is away makes sensing find."""
_ENDS_HAND: Final = ("fouled-deck", "deck-swapped", "misdeal")
_NEVER_HIDDEN: Final = ("journal-broken", "cloned-tag", CALLED)
_OWN_PLACES: Final[dict[str, tuple[Place, ...]]] = {"burn-missing": (BURN,), "flop-count": (BOARD,)}

_Level = Literal["critical", "called", "warning"]

DevicePlaces = Mapping[str, Collection[Place]]
"""The places that the antennas of each device of a table read."""


class Hidden(msgspec.Struct, frozen=True):
    """An alert is hidden. `by`: the alert that explains it, empty if that is out of service; `device`: the
    device that is, empty for the table.
    """

    alert: Alert
    by: Word = ""
    device: Word = ""


def hidden(
    alerts: Sequence[Alert],
    out: Sequence[OutOfService],
    places: DevicePlaces,
    waiting: Collection[str],
) -> dict[str, Hidden]:
    """Those open alerts of one table that are hidden, by their ids. `out`: what is out of service; `waiting`:
    the ids of the alerts for which the table waits.
    """
    hiding = [alert for alert in alerts if alert.finding in ("device-offline", *_ENDS_HAND)]
    found: dict[str, Hidden] = {}
    for alert in alerts:
        if alert.finding in _NEVER_HIDDEN:
            continue
        marks = [mark for mark in out if not mark.device or alert.id not in waiting]
        mark = next((mark for mark in marks if _is_out(alert, mark, places)), None)
        if mark is not None:
            found[alert.id] = Hidden(alert, device=mark.device)
        elif alert.id not in waiting:
            other = next((other for other in hiding if _explains(other, alert, places)), None)
            if other is not None:
                found[alert.id] = Hidden(alert, by=other.id)
    return found


def worst(alerts: Sequence[Alert], unseen: Collection[str]) -> TableSignal:
    """What a signal light shows of these alerts. Those whose reason has gone by itself, that wait on the
    shelf or are `unseen` do not count. A dealer who calls is shown before other warnings.
    """
    by_level: dict[_Level, list[Alert]] = {"critical": [], "called": [], "warning": []}
    for alert in alerts:
        if not alert.cleared and alert.shelved is None and alert.id not in unseen:
            level = "called" if alert.finding == CALLED else alert.severity
            by_level[cast(_Level, level)].append(alert)
    for level, standing in by_level.items():
        if standing:
            return TableSignal(level, not any(rings(alert) for alert in standing))
    return TableSignal("clear")


def _is_out(alert: Alert, mark: OutOfService, places: DevicePlaces) -> bool:
    if not mark.device or alert.device == mark.device:
        return True
    read = set(mark.places) | set(places.get(mark.device, ()))
    return alert.finding in _MISREAD and not read.isdisjoint(_places_of(alert))


def _explains(other: Alert, alert: Alert, places: DevicePlaces) -> bool:
    """Whether one alert explains another."""
    after = (alert.raised_at.wall_ns, alert.id) > (other.raised_at.wall_ns, other.id)
    milder = SEVERITIES.index(alert.severity) <= SEVERITIES.index(other.severity)
    if alert.id == other.id or not after or not milder:
        return False
    if other.finding == "device-offline":
        gone = other.cleared and other.cleared_wall_ns < alert.raised_at.wall_ns
        read = set(places.get(other.device, ()))
        return alert.finding in _MISREAD and not gone and not read.isdisjoint(_places_of(alert))
    return not alert.device and alert.table == other.table and alert.hand == other.hand


def _places_of(alert: Alert) -> Iterator[Place]:
    """The places that an alert is about: its own, its seat's, and those that its sentence names."""
    yield from _OWN_PLACES.get(alert.finding, ())
    if alert.seat:
        yield seat_place(alert.seat)
    yield from _named(tuple(alert.args.values()))


def _named(values: Any) -> Iterator[Place]:
    for value in values:
        if isinstance(value, Mapping):
            yield from _named(value.values())
        elif isinstance(value, (list, tuple)):
            yield from _named(value)
        elif isinstance(value, str) and len(value) <= 16:
            try:
                yield parse_place(value)
            except ValueError:
                continue
