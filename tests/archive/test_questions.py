"""The questions of a room's pages find their rows by indexes, and read the days that they need."""

import pytest
from sqlalchemy import Engine

from benchmarks.questions import QUESTIONS, Question, fill, plan, scans

pytestmark = pytest.mark.timeout(300)


def test_no_question_reads_a_table_as_a_whole_or_a_day_that_it_does_not_need(engine: Engine) -> None:
    fill(engine, tables=25, days=40, say=lambda _text: None)
    with engine.connect() as db:
        read = {question.name: scans(plan(db, question)) for question in QUESTIONS}
        assert all(read.values())
        assert [
            (name, table) for name, scans_ in read.items() for table, how in scans_ if how == "Seq Scan"
        ] == []
        assert len({table for table, _ in read["a hand"] if table.startswith("record_")}) == 1
        careless = Question("all", "SELECT count(*) FROM finding WHERE cause = 'x'")
        assert ("finding", "Seq Scan") in scans(plan(db, careless))
