"""Writes what was read from records into the tables that the pages ask."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import Connection, text
from sqlalchemy.dialects.postgresql import insert

from tablebridge.archive.rows import Extract
from tablebridge.archive.schema import ALERT, DECK, DEVICE, FINDING, HAND

Row = dict[str, Any]

_ENDED: Final = text(
    "UPDATE hand SET ended = :at WHERE segment_id = :segment_id AND ended IS NULL AND began = "
    "(SELECT max(began) FROM hand WHERE segment_id = :segment_id AND began < :number)"
)


def write_extracts(db: Connection, extracts: Iterable[Extract]) -> None:
    """Write them in the order of their records."""
    rows: dict[str, list[Row]] = defaultdict(list)
    for found in extracts:
        for name, row in found.rows.items():
            rows[name].append(row)
    _hands(db, rows["hand"], rows["paid"], rows["ended"])
    if rows["finding"]:
        db.execute(insert(FINDING).on_conflict_do_nothing(), rows["finding"])
    if rows["deck"]:
        db.execute(insert(DECK).on_conflict_do_nothing(), rows["deck"])
    _alerts(db, rows["alert"])
    _devices(db, rows["device"])


def _hands(db: Connection, begun: list[Row], paid: list[Row], ended: list[Row]) -> None:
    if begun:
        db.execute(insert(HAND).on_conflict_do_nothing(), begun)
    if paid:
        statement = insert(HAND)
        new = statement.excluded
        known = HAND.primary_key
        values = {"hand": new.hand, "paid": new.paid}
        # `at` of such a record is not when the hand began.
        db.execute(statement.on_conflict_do_update(known, set_=values), [row | {"at": None} for row in paid])
    if ended:
        db.execute(_ENDED, ended)


def _alerts(db: Connection, changes: list[Row]) -> None:
    latest = {(row["table_id"], row["alert"]): row for row in changes}
    if latest:
        statement = insert(ALERT)
        new = statement.excluded
        values = {name: new[name] for name in ("segment_id", "number", "state", "by", "at")}
        known = ALERT.primary_key
        newer = ALERT.c.number < new.number
        db.execute(statement.on_conflict_do_update(known, set_=values, where=newer), list(latest.values()))


def _devices(db: Connection, states: list[Row]) -> None:
    latest: dict[tuple[int, str], Row] = {}
    for row in states:
        key = row["table_id"], row["device"]
        latest[key] = row | {"gaps": row["gaps"] + (latest[key]["gaps"] if key in latest else 0)}
    if latest:
        statement = insert(DEVICE)
        new = statement.excluded
        values: dict[str, Any] = {
            name: new[name] for name in ("segment_id", "number", "state", "health", "at")
        }
        values["gaps"] = DEVICE.c.gaps + new.gaps
        known = DEVICE.primary_key
        newer = DEVICE.c.number < new.number
        db.execute(statement.on_conflict_do_update(known, set_=values, where=newer), list(latest.values()))
