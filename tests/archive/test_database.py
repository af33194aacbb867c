"""A database that is behind, ahead or empty is refused in a sentence, and nothing in it is changed."""

import subprocess
import sys

import pytest
from alembic import command
from sqlalchemy import Engine, text

from tablebridge.archive.database import check_version, migrate, migrations
from tablebridge.model.errors import ConfigError
from tablebridge.sim.room.postgres import Postgres

pytestmark = pytest.mark.timeout(300)


def step(engine: Engine, revision: str) -> None:
    with engine.begin() as db:
        db.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})


def tables(engine: Engine) -> int:
    with engine.connect() as db:
        return int(
            db.execute(text("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")).scalar_one()
        )


def test_an_empty_database_and_one_that_is_behind_say_what_to_run(engine: Engine) -> None:
    with pytest.raises(ConfigError, match=r"at step none.*archive --migrate"):
        check_version(engine)
    assert tables(engine) == 0
    newest = migrate(engine)
    check_version(engine)
    step(engine, "0001")
    with pytest.raises(ConfigError, match=f"at step 0001, and this tablebridge needs {newest}: run"):
        check_version(engine)


def test_a_database_that_is_ahead_is_neither_used_nor_migrated(engine: Engine) -> None:
    migrate(engine)
    step(engine, "9999")
    with pytest.raises(ConfigError, match=r"at step 9999, of a newer tablebridge.*update it"):
        check_version(engine)
    with pytest.raises(ConfigError, match=r"at step 9999, of a newer tablebridge.*update it"):
        migrate(engine)
    with engine.connect() as db:
        assert db.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == "9999"


def test_a_worker_does_not_begin_on_a_database_that_is_behind(engine: Engine, postgres: Postgres) -> None:
    migrate(engine)
    step(engine, "0001")
    ended = subprocess.run(
        [sys.executable, "-m", "tablebridge", "archive", "--server", "nats://127.0.0.1:9"],
        env={"TABLEBRIDGE_DATABASE": postgres.address, "PATH": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode != 0
    assert "archive --migrate" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_what_a_database_that_was_filled_before_this_step_holds_is_known_afterwards(engine: Engine) -> None:
    config = migrations()
    with engine.begin() as db:
        config.attributes["connection"] = db
        command.upgrade(config, "0001")
        db.execute(text("INSERT INTO played_table (site, name, box) VALUES ('main', 't', 'box')"))
        db.execute(
            text(
                "CREATE TABLE record_20260101 PARTITION OF record "
                "FOR VALUES FROM ('2026-01-01') TO ('2026-01-02')"
            )
        )
        db.execute(
            text(
                "INSERT INTO segment (table_id, box, reason, after_number, before_hash, first_number, "
                "head_number, head_hash) VALUES (1, 'box', 'begin', 0, '', 3, 3, '\\x02')"
            )
        )
        db.execute(
            text(
                "INSERT INTO record (day, segment_id, number, table_id, kind, hash) "
                "VALUES ('2026-01-01', 1, 3, 1, 'entry', '\\x02')"
            )
        )
    migrate(engine)
    with engine.connect() as db:
        found = db.execute(text("SELECT first_hash, gone_number FROM segment")).one()
    assert (bytes(found[0]), found[1]) == (b"\x02", 0)
