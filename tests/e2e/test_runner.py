"""`tablebridge run` and its parts where one of them cannot start: it is tried again, later each time; the
others go on.
"""

import logging
import os
import signal
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


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A site without devices whose journal a newer tablebridge wrote."""
    journal = tmp_path / "journal" / "one.sqlite"
    Journal(journal, "one").close()
    with closing(sqlite3.connect(journal)) as db, db:
        db.execute("UPDATE about SET value = '999' WHERE name = 'schema'")
    text = site(tmp_path).read_text()
    (tmp_path / "site.toml").write_text(text[: text.index("  [[table.device]]")])
    return tmp_path / "site.toml"


@pytest.fixture
def runner(path: Path) -> Iterator[Runner]:
    with Runner(path, path.parent / "log") as runner:
        runner.start()
        runner.wait_ready(60)
        yield runner


def test_an_engine_that_may_not_open_its_journal_is_tried_again_and_never_writes(
    path: Path, runner: Runner, caplog: pytest.LogCaptureFixture
) -> None:
    journal = path.parent / "journal" / "one.sqlite"
    before = journal.read_bytes()
    with caplog.at_level(logging.WARNING, "tablebridge.app.runner"):
        wait_for(lambda: runner.children["engine"].ended >= 4, "four attempts")
    assert all("ended with status 2" in record.getMessage() for record in caplog.records)
    assert "written by a newer tablebridge" in (path.parent / "log" / "engine.log").read_text()
    assert "Traceback" not in (path.parent / "log" / "engine.log").read_text()
    assert journal.read_bytes() == before
    headers = {"Authorization": f"Bearer {runner.tokens['operator']}"}
    (table,) = httpx.get(f"{runner.web_url}/api/tables", headers=headers, timeout=60).json()["tables"]
    assert table["engine"] == "offline"
    answer = httpx.post(
        f"{runner.web_url}/api/tables/one/lines",
        headers=headers,
        timeout=60,
        json={"id": "12345678", "lines": ["hand"]},
    )
    assert answer.status_code == 504 and "The engine cannot be reached" in answer.json()["sentence"]


def test_tokens_of_a_run_end_with_it_or_with_the_next(path: Path) -> None:
    stale, _ = Tokens(path.parent).add("floor", "floor of this run")
    kept, _ = Tokens(path.parent).add("floor", "Anna")
    with Runner(path, path.parent / "log") as runner:
        runner.start()
        names = [token.name for token in Tokens(path.parent).all()]
        assert names.count("floor of this run") == 1 and stale.id not in {
            token.id for token in Tokens(path.parent).all()
        }
    assert [token.id for token in Tokens(path.parent).all()] == [kept.id]


@pytest.fixture
def healthy(tmp_path: Path) -> Iterator[Runner]:
    """A site with one table and no device, everything running."""
    text = site(tmp_path).read_text()
    (tmp_path / "site.toml").write_text(text[: text.index("  [[table.device]]")])
    with Runner(tmp_path / "site.toml", tmp_path / "log") as runner:
        runner.start()
        runner.wait_ready(60)
        wait_for(lambda: ready(runner) == (200, ""), "all is there", 60)
        yield runner


def ready(runner: Runner) -> tuple[int, str]:
    answer = httpx.get(f"{runner.web_url}/health/ready", timeout=60)
    return answer.status_code, answer.json()["sentence"]


def test_a_broker_that_dies_is_started_again_and_all_come_back_to_it(
    healthy: Runner, caplog: pytest.LogCaptureFixture
) -> None:
    assert healthy.broker is not None
    processes, accounts, port = healthy.processes, healthy.broker.accounts, healthy.broker.port
    with caplog.at_level(logging.WARNING, "tablebridge.app.runner"):
        for _ in range(2):
            killed = healthy.broker.pid
            assert killed is not None
            os.kill(killed, signal.SIGKILL)
            wait_for(lambda: ready(healthy)[0] == 503, "the pages notice it")
            wait_for(
                lambda killed=killed: healthy.broker.pid not in (None, killed), "it is started again", 30
            )
            wait_for(lambda: ready(healthy) == (200, ""), "engine and pages have come back to it", 60)
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 2 and all(one.startswith("the broker ended and is started again") for one in said)
    assert (healthy.broker.accounts, healthy.broker.port, healthy.processes) == (accounts, port, processes)

    def entered() -> bool:
        # The pages may be back before the engine; what is sent again with its id is done once.
        answer = httpx.post(
            f"{healthy.web_url}/api/tables/one/lines",
            headers={"Authorization": f"Bearer {healthy.tokens['operator']}"},
            timeout=60,
            json={"id": "after-the-broker", "lines": ["hand"]},
        )
        assert answer.status_code in (200, 504), answer.text
        return answer.status_code == 200

    wait_for(entered, "a line is entered", 60)


def test_a_broker_that_cannot_be_started_is_tried_again_until_it_runs(
    healthy: Runner, caplog: pytest.LogCaptureFixture
) -> None:
    assert healthy.broker is not None and healthy.broker.pid is not None
    binary = healthy.broker._binary
    with caplog.at_level(logging.WARNING, "tablebridge.app.runner"):
        healthy.broker._binary = Path("/bin/false")
        os.kill(healthy.broker.pid, signal.SIGKILL)
        wait_for(lambda: len(caplog.records) >= 4, "three attempts", 60)
        healthy.broker._binary = binary
        wait_for(lambda: ready(healthy) == (200, ""), "it runs again", 60)
    failed = [record for record in caplog.records if "does not start" in record.getMessage()]
    assert len(failed) >= 3


def test_an_engine_that_is_stopped_is_told_on_the_floor_within_ten_seconds(healthy: Runner) -> None:
    """The process is there and its connection is open: the kernel only gives it no time (SIGSTOP). The page's
    own beats, one every two seconds, tell the time.
    """
    engine = healthy.processes["engine"]
    headers = {"Authorization": f"Bearer {healthy.tokens['floor']}"}
    os.kill(engine, signal.SIGSTOP)
    try:
        with httpx.stream("GET", f"{healthy.web_url}/live/floor", headers=headers, timeout=60) as stream:
            beats = 0
            for line in stream.iter_lines():
                beats += line == "event: beat"
                assert beats <= 7, "it is told after five of them"
                if "No table is followed" in line:
                    break
        assert ready(healthy) == (503, "0 of 1 table: the engine is away.")
        page = httpx.get(f"{healthy.web_url}/floor", headers=headers, timeout=60).text
        assert "No table is followed" in page and "does not answer" in page
    finally:
        os.kill(engine, signal.SIGCONT)
    wait_for(lambda: ready(healthy) == (200, ""), "it goes on where it stood")
    assert healthy.processes["engine"] == engine
