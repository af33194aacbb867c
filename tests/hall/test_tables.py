"""What the room knows of its tables: names, ages, bounds, and pictures that come late."""

import time

import pytest

from tablebridge.hall.tables import MOST_OF_BOX, Tables
from tablebridge.model.views import TableView
from tablebridge.stream.pictures import GONE_S, Place, TablePicture, encode_picture

from .whole import an_alert


class Clocked(Tables):
    """Tables with a clock of their own."""

    def __init__(self) -> None:
        self.now = 1000.0
        super().__init__(lambda: self.now)

    def come(self, box: str, table: str, sequence: int = 1, age_s: float = 0.0, pot: int = 0) -> None:
        picture = TablePicture(table, TableView(table, pot=pot), runs=True)
        self.take(Place(box, table), encode_picture(picture), sequence, age_s)

    def link(self, name: str) -> str:
        seen = self.seen(name)
        assert seen is not None
        return seen.link


def test_a_link_is_gone_after_three_beats_and_comes_back() -> None:
    tables = Clocked()
    tables.come("a", "t1")
    assert tables.link("t1") == "live" and tables.alive(["t1"]) == 1
    tables.now += GONE_S + 0.1
    tables.check()
    assert tables.link("t1") == "gone" and tables.alive(["t1"]) == 0
    tables.come("a", "t1", 2)
    assert tables.link("t1") == "live"


def test_a_picture_that_was_old_when_it_came_has_its_age() -> None:
    tables = Clocked()
    tables.come("a", "t1", age_s=240.0)
    assert tables.link("t1") == "gone"
    assert 239 < (tables.heard_wall_ns("t1") - time.time_ns()) / -1e9 < 241


def test_an_older_picture_changes_nothing_until_another_consumer_begins() -> None:
    tables = Clocked()
    tables.come("a", "t1", 9, pot=900)
    tables.come("a", "t1", 8, pot=800)
    view = tables.tables["t1"].view
    assert view is not None and view.pot == 900
    tables.begin()
    tables.come("a", "t1", 1, pot=100)
    view = tables.tables["t1"].view
    assert view is not None and view.pot == 100


def test_two_boxes_with_one_table_are_both_shown_and_none_is_believed_more() -> None:
    tables = Clocked()
    tables.come("a", "t1", pot=1)
    picture = TablePicture("t1", alerts=(an_alert("x", "t1"),))
    tables.take(Place("b", "t1"), encode_picture(picture), 2, 0.0)
    assert tables.names == ("t1@a", "t1@b") and tables.seen("t1") is None
    assert [alert.table for alert in tables.tables["t1@b"].alerts.values()] == ["t1@b"]
    assert tables.tables["t1@a"].alerts == {}


def test_tables_are_in_the_order_of_their_numbers() -> None:
    tables = Clocked()
    for name in ("table-10", "final", "table-9"):
        tables.come("a", name)
    assert tables.names == ("final", "table-9", "table-10")


def test_a_box_fills_no_page_with_invented_tables() -> None:
    tables = Clocked()
    for number in range(MOST_OF_BOX + 20):
        tables.come("mad", f"x{number}")
    tables.come("good", "t1")
    assert len(tables.tables) == MOST_OF_BOX + 1 and tables.refused == {"mad": 20}


@pytest.mark.parametrize("value", [b"", b"{}", b"null", b'{"table": "other"}'])
def test_what_is_no_picture_is_counted_by_its_box(value: bytes) -> None:
    tables = Clocked()
    tables.take(Place("a", "t1"), value, 1, 0.0)
    assert tables.tables == {} and tables.refused == {"a": 1}
