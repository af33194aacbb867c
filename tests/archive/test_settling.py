"""Findings about records: listed with what to do, settled once by somebody who says why, open again if they
come again.
"""

import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rig.documents import DOCS
from rig.records import SITE, Kept, messages_of
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from tablebridge.archive.findings import KINDS
from tablebridge.archive.settling import SiteFindings
from tablebridge.cli.site import command
from tablebridge.model.errors import Refused
from tablebridge.sim.room.dealt import DealtTable
from tablebridge.sim.room.postgres import Postgres
from tablebridge.stream.message import Address, RecordMessage

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> list[RecordMessage]:
    """The records of a table."""
    path = tmp_path_factory.mktemp("dealt") / "t1.sqlite"
    table = DealtTable(path, "t1")
    table.deal(3)
    table.close()
    return messages_of(path, "t1")


def notice(kept: Kept, finding: str, number: int = 7) -> int:
    """Have this found; its number in the list."""
    kept.store.notice(Address(SITE, "box", "t1"), finding, number)
    return SiteFindings(kept.engine).listed()[-1].id


def run(postgres: Postgres, *words: str) -> Result:
    return CliRunner().invoke(command, words, env={"TABLEBRIDGE_DATABASE": postgres.address})


def settlements(kept: Kept) -> list[tuple[Any, ...]]:
    return kept.rows("SELECT finding_id, by, why, is_right, at IS NOT NULL FROM settlement ORDER BY number")


def test_every_kind_says_what_to_do_and_the_page_has_it_in_a_table() -> None:
    assert all(len(kind.todo) > 20 and kind.todo.endswith(".") for kind in KINDS.values())
    assert len({kind.todo for kind in KINDS.values()}) == len(KINDS)
    page = (DOCS / "site.md").read_text()
    assert "tablebridge site settle" in page and "tablebridge site findings" in page


def test_it_is_listed_settled_and_on_record_and_nothing_is_deleted(kept: Kept, postgres: Postgres) -> None:
    id = notice(kept, "forked-chain")
    listed = run(postgres, "findings")
    assert listed.exit_code == 1, "something critical is open"
    assert f"{id}  20" in listed.stdout and KINDS["forked-chain"].todo in listed.stdout
    (row,) = map(json.loads, run(postgres, "findings", "--json").stdout.splitlines())
    assert (row["id"], row["table"], row["number"], row["settled"]) == (id, "t1", 7, None)
    done = run(postgres, "settle", str(id), "--why", " the box was restored ", "--by", "Anna")
    assert done.exit_code == 0, done.output
    assert settlements(kept) == [(id, "Anna", "the box was restored", False, True)]
    assert "Nothing is open" in run(postgres, "findings").stdout
    everything = run(postgres, "findings", "--all")
    assert everything.exit_code == 0 and "by Anna: the box was restored" in everything.stdout
    assert kept.found("t1") == [("forked-chain", 7)]


@pytest.mark.parametrize(
    ("why", "by", "sentence"),
    [
        (" ", "Anna", "Give a reason of 1 to 500 letters"),
        ("x" * 501, "Anna", "Give a reason"),
        ("a\nb", "Anna", "on one line"),
        ("a\0b", "Anna", "on one line"),
        ("fine", "\x1b[2J", "Give a name"),
        ("fine", "x" * 61, "Give a name of 1 to 60"),
    ],
)
def test_who_and_why_are_words(kept: Kept, why: str, by: str, sentence: str) -> None:
    id = notice(kept, "hole")
    with pytest.raises(Refused, match=sentence):
        SiteFindings(kept.engine).settle(id, by, why)
    assert settlements(kept) == []


def test_what_is_not_there_of_another_site_or_settled_already_is_refused(kept: Kept) -> None:
    findings = SiteFindings(kept.engine)
    id = notice(kept, "hole")
    for wrong in (0, -1, id + 1, 2**63, 2**80):
        with pytest.raises(Refused, match="There is no finding"):
            findings.settle(wrong, "Anna", "looked")
    with pytest.raises(Refused, match="There is no finding"):
        SiteFindings(kept.engine, "another").settle(id, "Anna", "looked")
    assert SiteFindings(kept.engine, "another").listed() == []
    with pytest.raises(Refused, match="cannot be right"):
        findings.settle(id, "Anna", "looked", is_right=True)
    findings.settle(id, "Anna", "looked")
    with pytest.raises(Refused, match="settled already, by Anna"):
        findings.settle(id, "Bert", "me too")
    assert len(settlements(kept)) == 1


def test_of_two_who_settle_at_once_one_is_first(kept: Kept) -> None:
    id = notice(kept, "hole")
    said: list[str] = []
    barrier = threading.Barrier(2)

    def settle(name: str) -> None:
        barrier.wait()
        try:
            SiteFindings(kept.engine).settle(id, name, "looked")
            said.append("done")
        except Refused as error:
            said.append(str(error))

    both = [threading.Thread(target=settle, args=(name,)) for name in ("Anna", "Bert")]
    for one in both:
        one.start()
    for one in both:
        one.join(30)
    ((_, first, _, _, _),) = settlements(kept)
    assert sorted(said) == sorted(["done", f"Finding {id} is settled already, by {first}."])


def test_another_box_at_the_table_is_found_again_until_somebody_says_that_it_is_right(
    kept: Kept, dealt: list[RecordMessage]
) -> None:
    part = len(dealt) // 4
    findings = SiteFindings(kept.engine)
    kept.put(dealt[:part])
    kept.put(dealt[part : 2 * part], box="new")
    (found,) = findings.listed()
    assert (found.finding, found.box) == ("two-boxes", "new")
    findings.settle(found.id, "Anna", "looked")
    kept.put(dealt[2 * part : 3 * part], box="new")
    assert [one.id for one in findings.listed()] == [found.id], "it goes on, so it is open again"
    findings.settle(found.id, "Anna", "the table was moved", is_right=True)
    kept.put(dealt[3 * part :], box="new")
    assert findings.listed() == []
    assert kept.rows("SELECT box FROM played_table") == [("new",)]
    assert len(kept.rows("SELECT 1 FROM hand WHERE ended IS NOT NULL")) >= 1, "its hands count now"
    assert [row[1:4] for row in settlements(kept)] == [
        ("Anna", "looked", False),
        ("Anna", "the table was moved", True),
    ]


def test_a_wrong_clock_that_was_settled_and_stays_wrong_is_open_again(
    kept: Kept, dealt: list[RecordMessage]
) -> None:
    from datetime import UTC, datetime

    from tablebridge.archive.store import Incoming

    findings, address = SiteFindings(kept.engine), Address(SITE, "box", "t1")

    def put(messages: list[RecordMessage]) -> None:
        """As they came a day after the box has sent them by its clock."""
        arrived = datetime.fromtimestamp(messages[0].sent_wall_ns / 1e9 + 86_400, UTC)
        kept.store.store([Incoming(address, one, arrived) for one in messages])

    put(dealt[:10])
    (found,) = findings.listed()
    assert found.finding == "wrong-clock" and re.search(r"by -86[34]\d\d s", found.sentence)
    findings.settle(found.id, "Anna", "the battery was replaced")
    put(dealt[10:20])
    assert [(one.id, one.finding) for one in findings.listed()] == [(found.id, "wrong-clock")]


def test_the_role_of_the_pages_settles_and_can_change_nothing_else(kept: Kept, postgres: Postgres) -> None:
    from tablebridge.archive.grants import grant

    id = notice(kept, "hole")
    with kept.engine.begin() as db:
        if not db.execute(text("SELECT 1 FROM pg_roles WHERE rolname = 'pages'")).scalar():
            db.execute(text("CREATE ROLE pages NOLOGIN"))
        db.execute(text("GRANT USAGE ON SCHEMA public TO pages"))
        grant(db)
    allowed = (
        f"UPDATE site_finding SET settled = now() WHERE id = {id}",
        f"INSERT INTO settlement (finding_id, by, why, is_right) VALUES ({id}, 'Anna', 'looked', false)",
        "SELECT by, why FROM settlement",
    )
    refused = (
        "UPDATE settlement SET by = 'x'",
        "DELETE FROM settlement",
        "DELETE FROM site_finding",
        "UPDATE site_finding SET sentence = 'x'",
        "UPDATE played_table SET box = 'x'",
        "INSERT INTO settlement (finding_id, by, why, is_right, at) VALUES (1, 'x', 'x', false, now())",
    )
    for statement in (*allowed, *refused):
        with kept.engine.connect() as db:
            db.execute(text("SET ROLE pages"))
            if statement in allowed:
                db.execute(text(statement))
                db.commit()
            else:
                with pytest.raises(ProgrammingError, match="permission denied"):
                    db.execute(text(statement))


def test_the_commands_say_what_is_missing(postgres: Postgres, tmp_path: Path) -> None:
    for words in (("findings",), ("settle", "1", "--why", "looked")):
        done = CliRunner().invoke(command, words, env={"TABLEBRIDGE_DATABASE": ""})
        assert done.exit_code != 0 and "no database is named" in str(done.exception)
    assert run(postgres, "settle", "0", "--why", "x").exit_code == 2
