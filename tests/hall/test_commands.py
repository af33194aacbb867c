"""`tablebridge site web` and `site people`: what they print, and what they refuse."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from tablebridge.archive.database import migrate, open_database
from tablebridge.cli.site import command
from tablebridge.sim.room.postgres import Postgres

from .whole import Whole

pytestmark = pytest.mark.timeout(300)


def run(words: Sequence[str], database: str = "") -> Result:
    return CliRunner().invoke(command, words, env={"TABLEBRIDGE_DATABASE": database})


def test_a_person_is_let_in_listed_and_put_out(whole: Whole) -> None:
    database = whole.room.postgres.address
    added = run(
        ["people", "add", "floor", "Clara", "--once", "--base", "https://floor.example/", "--json"], database
    )
    told = json.loads(added.stdout)
    assert told["link"].startswith("https://floor.example/login?token=tb_")
    listed = json.loads(run(["people", "list", "--json"], database).stdout)
    assert [row["name"] for row in listed if row["id"] == told["id"]] == ["Clara"]
    assert told["link"].partition("=")[2] not in run(["people", "list", "--json"], database).stdout
    assert "Revoked: Clara" in run(["people", "revoke", told["id"]], database).stdout
    assert told["id"] not in run(["people", "list"], database).stdout


@pytest.mark.parametrize(
    ("words", "database", "sentence"),
    [
        (["people", "list"], "", "no database is named"),
        (["people", "list"], "mysql://x", "no address of a database"),
        (["people", "revoke", "nobody"], "real", "nobody has the id 'nobody'"),
        (["people", "add", "floor", " "], "real", "a token is a person's"),
        (["people", "list"], "postgresql://x@127.0.0.1:1/none", "the database does not answer"),
        (["web", "--listen", "0.0.0.0"], "real", "--allow-plain-http"),
        (["web", "--site-name", "A b"], "real", "is no name of a site"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    whole: Whole, words: list[str], database: str, sentence: str
) -> None:
    done = run(words, whole.room.postgres.address if database == "real" else database)
    assert done.exit_code != 0
    assert sentence in str(done.exception) + done.output


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("UPDATE alembic_version SET version_num = '0004'", "at step 0004, and this tablebridge needs"),
        ("UPDATE alembic_version SET version_num = '9999'", "of a newer tablebridge"),
        ("REVOKE SELECT ON alembic_version FROM pages", "a step behind: run `tablebridge archive --migrate`"),
    ],
)
def test_the_pages_do_not_start_on_a_database_of_another_version(
    tmp_path: Path, change: str, sentence: str
) -> None:
    postgres = Postgres()
    try:
        postgres.start()
        engine = open_database(postgres.address)
        with engine.begin() as db:
            db.execute(text("CREATE ROLE pages LOGIN"))
        migrate(engine)
        with engine.begin() as db:
            db.execute(text(change))
        engine.dispose()
        address = re.sub("//[^@]*@", "//pages@", postgres.address)
        done = run(["web", "--port", "0"], address)
        assert done.exit_code != 0 and sentence in str(done.exception) + done.output
    finally:
        postgres.stop()
