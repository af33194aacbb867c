"""The questions that the pages of a room ask, in a database of a million hands.

The rows are made by the database itself and say nothing: a thousand tables, a hundred days, ten hands of a
table and day. Every hand has its first record, and those of the last two days have forty-five.
"""

import time
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Engine, text

from benchmarks.figures import Figure, Options, Say, median
from tablebridge.archive.database import migrate, open_database
from tablebridge.sim.room.postgres import Postgres

TABLES: Final = 1000
DAYS: Final = 100
QUICK_TABLES: Final = 20
_TIMES, _QUICK_TIMES = 20, 3
_OF_DAY: Final = 10
_OF_HAND: Final = 45
_WHOLE_DAYS: Final = 2


class Question(NamedTuple):
    """What a page asks. `query`: with `:table` and `:today`."""

    name: str
    query: str


QUESTIONS: Final = (
    Question("alerts that somebody has and nobody has closed", "SELECT * FROM alert WHERE state <> 'closed'"),
    Question(
        "alerts of the last week that nobody has closed",
        "SELECT f.* FROM finding f LEFT JOIN alert a ON a.table_id = f.table_id AND a.alert = f.id "
        "WHERE f.severity IN ('warning', 'critical') AND f.day > CAST(:today AS date) - 7 "
        "AND coalesce(a.state, '') <> 'closed' ORDER BY f.day, f.at LIMIT 100",
    ),
    Question(
        "a night of a table",
        "SELECT * FROM hand WHERE table_id = :table AND at >= CAST(:today AS date) - 1 ORDER BY at",
    ),
    Question(
        "a hand",
        "SELECT * FROM record WHERE day = CAST(:today AS date) - 1 AND table_id = :table AND number "
        "BETWEEN (SELECT min(began) FROM hand WHERE table_id = :table AND day = CAST(:today AS date) - 1) "
        "AND (SELECT min(began) + 44 FROM hand WHERE table_id = :table AND day = CAST(:today AS date) - 1) "
        "ORDER BY number",
    ),
    Question(
        "the history of a deck",
        "SELECT * FROM deck WHERE deck = 'deck-' || :table ORDER BY at DESC LIMIT 100",
    ),
    Question(
        "hands by day of the last week",
        "SELECT day, count(*) FROM hand WHERE day > CAST(:today AS date) - 7 GROUP BY day",
    ),
    Question(
        "findings by day and kind of the last week",
        "SELECT day, finding, count(*) FROM finding WHERE day > CAST(:today AS date) - 7 GROUP BY 1, 2",
    ),
)
_FILL: Final = (
    "INSERT INTO played_table (site, name, box) SELECT 'main', 't' || n, 'b' "
    "FROM generate_series(1, :tables) n",
    "INSERT INTO segment (table_id, box, reason, after_number, before_hash, first_number, head_number, "
    "head_hash, first_hash) SELECT n, 'b', 'begin', 0, '\\x00', 1, 45000, '\\x00', '\\x00' "
    "FROM generate_series(1, :tables) n",
    "CREATE TEMPORARY TABLE made ON COMMIT DROP AS SELECT t, CAST(:today AS date) - d AS day, "
    "((:days - 1 - d) * :hands + h) * 45 + 1 AS began, "
    "CAST(:today AS date) - d + h * interval '2 minutes' AS at "
    "FROM generate_series(1, :tables) t, generate_series(0, :days - 1) d, generate_series(0, :hands - 1) h",
    "INSERT INTO hand (segment_id, began, table_id, day, at, ended, hand, paid) "
    "SELECT t, began, t, day, at, at, began / 45 + 1, '{}' FROM made",
    "INSERT INTO finding (segment_id, number, table_id, day, at, id, finding, severity, hand, cause, rule, "
    "device) SELECT t, began + 20, t, day, at, began + 20 || '.0', 'kind-' || (began / 45) % 7, "
    "CASE WHEN (began / 45) % 10 = 0 THEN 'warning' ELSE 'info' END, began / 45 + 1, '', '', '' FROM made",
    "INSERT INTO alert (table_id, alert, segment_id, number, state, by, at) "
    "SELECT table_id, id, segment_id, number, CASE WHEN day = :today AND table_id % 20 = 0 THEN 'taken' "
    "ELSE 'closed' END, 'Ann', at FROM finding WHERE severity = 'warning' "
    "AND NOT (day = :today AND table_id % 20 = 1)",
    "INSERT INTO deck (segment_id, number, table_id, deck, event, at) "
    "SELECT t, began, t, 'deck-' || t, 'deck-in-play', at FROM made WHERE (began / 45) % :hands < 2",
    "INSERT INTO record (day, segment_id, number, table_id, kind, event, at, hash, salt, body) "
    "SELECT day, t, began + n, t, 'entry', 'hand', at, sha256(int8send(began + n)), sha256(int8send(n)), "
    "json_build_object('event', repeat('x', 250)) FROM made, generate_series(0, 44) n "
    "WHERE n = 0 OR day > CAST(:today AS date) - :whole",
)


def run(options: Options, say: Say) -> list[Figure]:
    tables = QUICK_TABLES if options.quick else TABLES
    postgres = Postgres("shared_buffers=512MB")
    try:
        say("questions: PostgreSQL is started")
        postgres.start()
        engine = open_database(postgres.address)
        began = time.monotonic()
        fill(engine, tables, DAYS, say)
        figures = [
            Figure("hands in the database", tables * DAYS * _OF_DAY, "hands"),
            Figure("time to make these rows", time.monotonic() - began, "s"),
        ]
        for question in QUESTIONS:
            say(f"questions: {question.name}")
            figures += _asked(engine, question, _QUICK_TIMES if options.quick else _TIMES)
        engine.dispose()
        return figures
    finally:
        postgres.stop()


def fill(engine: Engine, tables: int, days: int, say: Say) -> None:
    """Make the tables of the archive and these rows in them."""
    migrate(engine)
    today = datetime.now(UTC).date()
    values = {"tables": tables, "days": days, "hands": _OF_DAY, "today": today, "whole": _WHOLE_DAYS}
    with engine.begin() as db:
        db.execute(
            text(
                "DO $$ BEGIN FOR d IN 0.." + str(days - 1) + " LOOP EXECUTE format('CREATE TABLE record_%s "
                "PARTITION OF record FOR VALUES FROM (%L) TO (%L)', to_char(DATE '" + str(today) + "' - d, "
                "'YYYYMMDD'), DATE '" + str(today) + "' - d, DATE '" + str(today) + "' - d + 1); "
                "END LOOP; END $$"
            )
        )
        for at, statement in enumerate(_FILL):
            say(f"questions: rows, step {at + 1} of {len(_FILL)}")
            wanted = text(statement)
            db.execute(wanted, {name: values[name] for name in wanted.compile().params})
    with engine.connect() as db:
        db.execute(text("ANALYZE"))
        db.commit()


def plan(db: Connection, question: Question) -> dict[str, Any]:
    """How PostgreSQL answers it, with what it really read."""
    explained = text(f"EXPLAIN (ANALYZE, FORMAT JSON) {question.query}")
    (found,) = db.execute(explained, _values(explained)).scalar_one()
    return dict(found["Plan"])


def scans(node: dict[str, Any]) -> list[tuple[str, str]]:
    """Each table or partition that a plan really reads, with how."""
    own = [(node["Relation Name"], node["Node Type"])] if "Relation Name" in node else []
    if not node.get("Actual Loops", 1):
        own = []
    return own + [scan for below in node.get("Plans", []) for scan in scans(below)]


def _values(statement: Any) -> dict[str, Any]:
    known = {"table": 7, "today": datetime.now(UTC).date()}
    return {name: known[name] for name in statement.compile().params}


def _asked(engine: Engine, question: Question, times: int) -> list[Figure]:
    statement = text(question.query)
    took: list[float] = []
    with engine.connect() as db:
        for _ in range(times):
            began = time.perf_counter()
            db.execute(statement, _values(statement)).all()
            took.append(time.perf_counter() - began)
        read = scans(plan(db, question))
    figures = [Figure(f"{question.name}, p50", median(took) * 1000, "ms")]
    whole = [table for table, how in read if how == "Seq Scan"]
    figures.append(Figure(f"{question.name}: tables read as a whole", len(whole), "tables", limit=0))
    if any(table.startswith("record_") for table, _ in read):
        partitions = {table for table, _ in read if table.startswith("record_")}
        figures.append(Figure(f"{question.name}: days read of {DAYS}", len(partitions), "days", limit=1))
    return figures
