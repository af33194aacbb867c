"""Who may open the pages of a room, as several processes know it."""

import time

from sqlalchemy import Engine, event

from tablebridge.archive.database import migrate
from tablebridge.hall.people import People


def test_whoever_was_let_in_by_one_process_is_known_to_another_at_once(engine: Engine) -> None:
    migrate(engine)
    one, other = People(engine), People(engine)
    for number in range(5):
        other.look()
        _, secret = one.add("floor", f"Anna {number}", by="test")
        found = other.find(secret)
        assert found is not None and found.name == f"Anna {number}"


def test_strangers_have_the_database_asked_ten_times_a_second_at_most(engine: Engine) -> None:
    migrate(engine)
    asked: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda *given: asked.append(str(given[2])))
    people = People(engine)
    began = time.monotonic()
    assert all(people.find(f"tb_{number}") is None for number in range(300))
    assert 10 <= sum("person" in statement for statement in asked) <= 11 + 10 * (time.monotonic() - began)
