"""The figures of the floor's work: how many alerts of what kind, and how soon somebody came. Pure.

The bounds of what one person can do justice to are those of alarm systems: EEMUA 191 has some six alarms per
person and hour as acceptable, twelve as too many, and ten in ten minutes as a flood.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from tablebridge.model.alert_events import AlertDeed, AlertEvent

WINDOW_S: Final = 600
FLOOD: Final = 10
"""More alerts in a window are more than a person can do justice to."""
GOOD_RATE: Final = 6.0
BAD_RATE: Final = 12.0
"""Alerts per person and hour: up to the first is the target, above the second something has to be done."""
GOOD_FLOODED: Final = 0.01
"""The share of windows with a flood that is the target."""
LONG_S: Final = 600
TOP: Final = 10
OFTEN: Final = 3
"""So many alerts for which nothing was found, and half of all of their kind, are no accident."""
_NS: Final = 1_000_000_000
_ANSWERS: Final[dict[AlertDeed, tuple[AlertDeed, ...]]] = {
    "acknowledged": ("acknowledged", "taken", "ruled"),
    "taken": ("taken", "ruled"),
    "ruled": ("ruled",),
}


class TableEvent(NamedTuple):
    """What happened to an alert, and at which table."""

    table: str
    event: AlertEvent


class Cause(NamedTuple):
    """One kind of finding: how many alerts, which share of all, and for how many of them nobody found
    anything.
    """

    finding: str
    alerts: int
    share: float
    nothing: int

    @property
    def is_doubtful(self) -> bool:
        """Whether so often nothing was found that the antennas want calibration."""
        return self.nothing >= OFTEN and 2 * self.nothing >= self.alerts


class Times(NamedTuple):
    """Seconds from the raising of alerts until somebody did something: how many alerts, half of them within
    `p50_s`, 95 of 100 within `p95_s`.
    """

    alerts: int
    p50_s: float
    p95_s: float


class Figures(NamedTuple):
    """The figures from `since_s` to `until_s`, seconds since 1970. `windows`: alerts in each ten minutes;
    `rate`: alerts per person and hour, by those `people` who did anything; `flooded`: the share of windows
    with more than ten; `long`: alerts that were open for more than ten minutes; `rang`: those that rang
    again; `again`: how often one was found again while it was open; `shelved`: those that were put on the
    shelf; `nothing`: those for which nobody found anything; `times`: by what was done.
    """

    since_s: int
    until_s: int
    alerts: int
    critical: int
    people: int
    rate: float
    windows: tuple[int, ...]
    flooded: float
    long: int
    rang: int
    again: int
    shelved: int
    nothing: int
    causes: tuple[Cause, ...]
    times: dict[AlertDeed, Times]


class _Life(NamedTuple):
    raised: AlertEvent
    later: list[AlertEvent]

    def first(self, *what: AlertDeed) -> int | None:
        """When the first of these was done, in nanoseconds since 1970."""
        return min((event.at_wall_ns for event in self.later if event.what in what), default=None)


def figures(events: Iterable[TableEvent], since_s: int, until_s: int) -> Figures:
    """The figures of the alerts that were raised in this time. `events` in any order, some perhaps twice."""
    lives = [life for life in _lives(events) if since_s * _NS <= life.raised.at_wall_ns < until_s * _NS]
    people = {event.by for life in lives for event in life.later if event.by}
    hours = max(1, until_s - since_s) / 3600
    windows = _windows(lives, since_s, until_s)
    return Figures(
        since_s,
        until_s,
        len(lives),
        sum(life.raised.severity == "critical" for life in lives),
        len(people),
        len(lives) / hours / max(1, len(people)),
        windows,
        sum(count > FLOOD for count in windows) / max(1, len(windows)),
        sum(_is_long(life, until_s) for life in lives),
        sum(life.first("rang") is not None for life in lives),
        sum(event.what == "raised" for life in lives for event in life.later),
        sum(life.first("shelved") is not None for life in lives),
        sum(_nothing(life) for life in lives),
        _causes(lives),
        {what: _times(lives, answers) for what, answers in _ANSWERS.items()},
    )


def _nothing(life: _Life) -> bool:
    """Whether who came found nothing."""
    return any(event.nothing for event in life.later)


def _is_long(life: _Life, until_s: int) -> bool:
    """Whether it was open for longer than it should be."""
    return (life.first("closed") or until_s * _NS) - life.raised.at_wall_ns > LONG_S * _NS


def _lives(events: Iterable[TableEvent]) -> list[_Life]:
    """The alerts with what happened to each. A device that is lost again while nobody has seen that it was
    has one alert, and so has a table that calls the floor again.
    """
    lives: dict[tuple[str, str], _Life] = {}
    for table, event in sorted(set(events), key=lambda known: (known.event.at_wall_ns, known.event.alert)):
        if event.what == "raised":
            same = [life for (at, _), life in lives.items() if at == table and _stands_for(life, event)]
            if same:
                same[-1].later.append(event)
            else:
                lives.setdefault((table, event.alert), _Life(event, []))
        elif (life := lives.get((table, event.alert))) is not None:
            life.later.append(event)
    return list(lives.values())


def _stands_for(life: _Life, event: AlertEvent) -> bool:
    """Whether the open alert is the one of this finding too."""
    if life.raised.finding != event.finding or life.raised.alert == event.alert:
        return False
    if event.finding == "device-offline":
        return life.raised.device == event.device and all(
            known.what in ("rang", "raised") for known in life.later
        )
    return event.finding == "floor-called" and life.first("closed") is None


def _windows(lives: Sequence[_Life], since_s: int, until_s: int) -> tuple[int, ...]:
    counted = Counter((life.raised.at_wall_ns // _NS - since_s) // WINDOW_S for life in lives)
    return tuple(counted[number] for number in range(-(-(until_s - since_s) // WINDOW_S)))


def _causes(lives: Sequence[_Life]) -> tuple[Cause, ...]:
    counted = Counter(life.raised.finding for life in lives)
    nothing = Counter(life.raised.finding for life in lives if _nothing(life))
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return tuple(
        Cause(finding, count, count / len(lives), nothing[finding]) for finding, count in ordered[:TOP]
    )


def _times(lives: Sequence[_Life], answers: tuple[AlertDeed, ...]) -> Times:
    seconds = sorted(
        (done - life.raised.at_wall_ns) / _NS for life in lives if (done := life.first(*answers)) is not None
    )
    return Times(len(seconds), _rank(seconds, 0.5), _rank(seconds, 0.95))


def _rank(ordered: Sequence[float], share: float) -> float:
    """The least of these values that so large a share does not exceed (nearest rank); 0 if there are none."""
    return ordered[max(0, -int(-len(ordered) * share // 1) - 1)] if ordered else 0.0
