"""What the archive knows of a day, as the pages of the room ask it. A day is that of the archive: on which
the records came into the room, in UTC.
"""

from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Engine, text

MOST_HANDS: Final = 600
"""Hands of a table's day that are shown: 24 hours of 25."""
MOST_FOUND: Final = 600

HANDS: Final = (
    "SELECT began, hand, at, ended, paid FROM hand WHERE table_id = :table AND day = :day "
    "ORDER BY began LIMIT :most"
)
FOUND: Final = (
    "SELECT f.number, f.hand, f.at, f.finding, f.severity, f.seat, f.cause, f.rule, f.device, a.state, a.by "
    "FROM finding f LEFT JOIN alert a ON a.table_id = f.table_id AND a.alert = f.id "
    "WHERE f.table_id = :table AND f.day = :day AND (:kind = '' OR f.finding = :kind) "
    "ORDER BY f.number LIMIT :most"
)
KINDS: Final = (
    "SELECT finding, count(*) FROM finding WHERE table_id = :table AND day = :day "
    "GROUP BY finding ORDER BY count(*) DESC, finding"
)
PACE: Final = (
    "SELECT t.name, t.box, count(*), min(h.at), max(coalesce(h.ended, h.at)) FROM hand h "
    "JOIN played_table t ON t.id = h.table_id WHERE h.day = :day AND t.site = :site GROUP BY t.name, t.box"
)
# A finding may call the floor whatever its severity: then its alert tells.
ALERTS: Final = (
    "SELECT f.finding, count(*) FILTER (WHERE f.severity = 'critical'), "
    "count(*) FILTER (WHERE f.severity <> 'critical'), count(*) FILTER (WHERE a.state <> 'closed') "
    "FROM finding f JOIN played_table t ON t.id = f.table_id LEFT JOIN LATERAL "
    "(SELECT state FROM alert WHERE table_id = f.table_id AND alert = f.id LIMIT 1) a ON true "
    "WHERE f.day = :day AND t.site = :site "
    "AND (f.severity IN ('critical', 'warning') OR a.state IS NOT NULL) "
    "GROUP BY f.finding ORDER BY count(*) DESC, f.finding"
)
RECORDS: Final = (
    "SELECT finding, count(*) FROM site_finding WHERE site = :site AND at >= :day AND at < :after "
    "GROUP BY finding ORDER BY finding"
)
_TABLES: Final = "SELECT id, name FROM played_table WHERE site = :site"


class Found(NamedTuple):
    """A finding of a hand. `state`, `by`: of its alert, None if it has none."""

    number: int
    hand: int
    at: datetime | None
    finding: str
    severity: str
    seat: int | None
    cause: str
    rule: str
    device: str
    state: str | None
    by: str | None


class Played(NamedTuple):
    """A hand. `began`: the number of the record with which it began; `number`: 0 if it was not settled;
    `paid`: what was paid in all; `found`: what was found in it.
    """

    began: int
    number: int
    at: datetime | None
    ended: datetime | None
    paid: int
    found: tuple[Found, ...] = ()

    @property
    def lasted_s(self) -> float | None:
        """How long it lasted, if that is known."""
        if self.at is None or self.ended is None or self.ended < self.at:
            return None
        return (self.ended - self.at).total_seconds()


class Night(NamedTuple):
    """A table's day. `beside`: what was found in no hand that is shown; `kinds`: how often each finding was
    found; `cut`: whether there is more than is shown.
    """

    hands: list[Played]
    beside: list[Found]
    kinds: list[tuple[str, int]]
    cut: bool


class Pace(NamedTuple):
    """The hands of a table. `per_hour`: None if they took less than a minute."""

    table: str
    box: str
    hands: int
    per_hour: float | None


class Raised(NamedTuple):
    """The alerts of one finding, and how many of them are open still."""

    finding: str
    critical: int
    warning: int
    open: int


class Day(NamedTuple):
    """The figures of a day. `records`: what was found about the records themselves."""

    pace: list[Pace]
    alerts: list[Raised]
    records: list[tuple[str, int]]


class History:
    """The history of the tables of a site. Each question raises SQLAlchemyError if it cannot be answered."""

    def __init__(self, engine: Engine, site: str) -> None:
        self._engine = engine
        self._site = site

    def tables(self) -> dict[str, int]:
        """The tables that the archive knows: the number of each by its name."""
        return {name: number for number, name in self._rows(_TABLES, site=self._site)}

    def night(self, table: int, day: date, kind: str = "") -> Night:
        """What was played and found at a table on a day. `kind`: that finding alone."""
        of = {"table": table, "day": day}
        hands = self._rows(HANDS, most=MOST_HANDS + 1, **of)
        rows = self._rows(FOUND, kind=kind, most=MOST_FOUND + 1, **of)
        found = [Found(*row) for row in rows[:MOST_FOUND]]
        played = [
            Played(began, hand or 0, at, ended, _paid(paid))
            for began, hand, at, ended, paid in hands[:MOST_HANDS]
        ]
        placed = _placed(played, found)
        shown = {one.number for hand in placed for one in hand.found}
        return Night(
            [hand for hand in placed if hand.found or not kind],
            [one for one in found if one.number not in shown],
            [(name, count) for name, count in self._rows(KINDS, **of)],
            len(hands) > MOST_HANDS or len(rows) > MOST_FOUND,
        )

    def day(self, day: date) -> Day:
        """The figures of a day."""
        of = {"site": self._site, "day": day}
        pace = [
            Pace(name, box, hands, _per_hour(hands, first, last))
            for name, box, hands, first, last in self._rows(PACE, **of)
        ]
        alerts = [Raised(*row) for row in self._rows(ALERTS, **of)]
        records = self._rows(RECORDS, after=day + timedelta(days=1), **of)
        return Day(pace, alerts, [(name, count) for name, count in records])

    def _rows(self, query: str, **values: Any) -> list[tuple[Any, ...]]:
        with self._engine.connect() as db:
            return [tuple(row) for row in db.execute(text(query), values)]


def _placed(hands: list[Played], found: list[Found]) -> list[Played]:
    """The hands with what was found while each was the last that had begun."""
    placed, rest = [], list(found)
    for at, hand in enumerate(hands):
        end = hands[at + 1].began if at + 1 < len(hands) else float("inf")
        placed.append(hand._replace(found=tuple(one for one in rest if hand.began <= one.number < end)))
        rest = [one for one in rest if one.number >= end]
    return placed


def _paid(paid: Any) -> int:
    """What was paid in all: the record of the payments has each pot, with the amounts by seat."""
    pots = paid if isinstance(paid, list) else []
    return sum(
        amount
        for pot in pots
        if isinstance(pot, list) and len(pot) == 2 and isinstance(pot[1], dict)
        for amount in pot[1].values()
        if isinstance(amount, int)
    )


def _per_hour(hands: int, first: datetime | None, last: datetime | None) -> float | None:
    if first is None or last is None or (last - first).total_seconds() < 60:
        return None
    return hands / ((last - first).total_seconds() / 3600)
