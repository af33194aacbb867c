"""`tablebridge run` and its parts where one of them cannot start: it is tried again, later each time; the others go on."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from rig.wait import wait_for

from tablebridge.app.runner import Runner
from tablebridge.journal.store import Journal
from tablebridge.web.auth import Tokens

from .test_bad_input import site

pytestmark = pytest.mark.timeout(90)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A site without devices whose journal a newer tablebridge wrote."""
    journal = tmp_path / "journal" / "one.sqlite"
    Journal(journal, "one").close()
    with closing(sqlite3.connect(journal)) as db, db:
        db.execute("UPDATE about SET value = '999' WHERE name = 'schema'")
    text = site(tmp_path).read_text()
    (tmp_path / "site.toml").write_text(text[:text.index("  [[table.device]]")])
    return tmp_path / "site.toml"


@pytest.fixture
def runner(path: Path) -> Iterator[Runner]:
    with Runner(path, path.parent / "log") as runner:
        runner.start()
        runner.wait_ready(60)
        yield runner


def test_an_engine_that_may_not_open_its_journal_is_tried_again_and_never_writes(
        path: Path, runner: Runner, caplog: pytest.LogCaptureFixture) -> None:
    journal = path.parent / "journal" / "one.sqlite"
    before = journal.read_bytes()
    with caplog.at_level(logging.WARNING, "tablebridge.app.runner"):
        wait_for(lambda: runner.children["engine"].restarts >= 4, "four attempts", 60)
    ended = [record.created for record in caplog.records if "engine" in record.getMessage()]
    assert all("ended with status 2" in record.getMessage() for record in caplog.records)
    assert ended[-1] - ended[-2] >= 1.5, "the third wait alone is 1.6 s"
    assert "written by a newer tablebridge" in (path.parent / "log" / "engine.log").read_text()
    assert "Traceback" not in (path.parent / "log" / "engine.log").read_text()
    assert journal.read_bytes() == before
    headers = {"Authorization": f"Bearer {runner.tokens['operator']}"}
    (table,) = httpx.get(f"{runner.web_url}/api/tables", headers=headers, timeout=10).json()["tables"]
    assert table["engine"] == "offline"
    answer = httpx.post(f"{runner.web_url}/api/tables/one/lines", headers=headers, timeout=10,
                        json={"id": "12345678", "lines": ["hand"]})
    assert answer.status_code == 504 and "The engine cannot be reached" in answer.json()["sentence"]


def test_tokens_of_a_run_end_with_it_or_with_the_next(path: Path) -> None:
    stale, _ = Tokens(path.parent).add("floor", "floor of this run")
    kept, _ = Tokens(path.parent).add("floor", "Anna")
    with Runner(path, path.parent / "log") as runner:
        runner.start()
        names = [token.name for token in Tokens(path.parent).all()]
        assert names.count("floor of this run") == 1 and stale.id not in {token.id for token in Tokens(path.parent).all()}
    assert [token.id for token in Tokens(path.parent).all()] == [kept.id]
