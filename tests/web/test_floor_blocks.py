"""What the stream of a floor page is sent: what has changed, once, and drawn once for all who look."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tablebridge.bus import topics
from tablebridge.bus.messages import ActiveAlerts, AlertMessage, Availability, encode
from tablebridge.floor.alerts import Alerts
from tablebridge.model.alerts import AlertChange
from tablebridge.settings.site import Site, Table, Web
from tablebridge.web.app import make_desk
from tablebridge.web.auth import Token, Tokens
from tablebridge.web.drawn import Drawn
from tablebridge.web.hub import Hub
from tablebridge.web.pages.floor import FloorBlocks
from tablebridge.web.setup_link import SetupLink

from .hall import instant, misdeal, view

TABLES = tuple(f"table-{number}" for number in range(1, 41))


class Floor:
    """The floor of a site with 40 tables, each with an alert that is open."""

    def __init__(self, folder: Path) -> None:
        site = Site(
            name="hall",
            state_dir=folder,
            web=Web(port=0),
            table=tuple(Table(name=name) for name in TABLES),  # type: ignore[call-arg]
        )
        self.hub = Hub(site)
        self.desk = make_desk(site, self.hub, Tokens(folder), SetupLink(folder / "socket"))
        self.alerts = {name: Alerts() for name in TABLES}
        self.rev = 0
        self.hub.bus(True)
        for number, name in enumerate(TABLES):
            self._takes(topics.ENGINE_AVAILABILITY, Availability("online", "e1", since_wall_ns=1), name)
            self._takes(topics.STATE, view(rev=1, table=name), name)
            self.raises(name, f"{number}.0", ago_s=3600)

    def _takes(self, topic: topics.Topic, message: object, name: str) -> None:
        self.hub.take(topic.of("hall", name), encode(message))

    def raises(self, name: str, id: str, ago_s: float = 0.0, **more: str) -> set[str]:
        """An alert is raised. What has changed, as a stream hears it."""
        alert = self.alerts[name].raise_(
            misdeal(id, name, finding="out-of-turn", cause=None, **more), instant(ago_s)
        )
        assert alert is not None
        return self._lists(name, AlertMessage(alert, self.rev + 1))

    def changes(self, name: str, id: str, to: str, by: str) -> set[str]:
        alert = self.alerts[name].change(AlertChange(id, to, by), instant())  # type: ignore[arg-type]
        return self._lists(name, AlertMessage(alert, self.rev + 1))

    def _lists(self, name: str, message: AlertMessage) -> set[str]:
        self.rev += 2
        self._takes(topics.ALERT, message, name)
        self._takes(topics.ALERTS, ActiveAlerts(self.alerts[name].active(), self.rev), name)
        return {f"alerts:{name}"}

    def page(self, name: str) -> FloorBlocks:
        return FloorBlocks(self.desk, Token(name, "", "floor", name))


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    return Floor(tmp_path)


def everything() -> set[str]:
    return {f"{kind}:{name}" for name in TABLES for kind in ("state", "alerts", "devices")}


def test_an_alert_of_one_of_forty_tables_sends_its_incident_and_names_the_others(floor: Floor) -> None:
    page = floor.page("Anna")
    whole = sum(len(event.data) for event in page.render(everything()))
    events = list(page.render(floor.raises("table-7", "700.0")))
    queue = next(event.data for event in events if 'id="queue"' in event.data)
    assert queue.count(" data-same></li>") == 39
    assert re.findall(r'class="member[^>]*id="alert-(\S+)-', queue) == ["table-7", "table-7"]
    assert next(event.data for event in events if 'class="tile' in event.data).count("<article") == 1
    assert sum(len(event.data) for event in events) < whole / 10


def test_a_new_stream_is_sent_all_of_the_queue(floor: Floor) -> None:
    list(floor.page("Anna").render(everything()))
    queue = next(
        event.data for event in floor.page("Anna").render(everything()) if 'id="queue"' in event.data
    )
    assert "data-same" not in queue and queue.count('class="member') == len(TABLES)


def test_what_two_people_see_alike_is_drawn_once_and_who_took_it_sees_another(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob = floor.page("Anna"), floor.page("Bob")
    list(anna.render(everything()))
    drawn: list[str] = []
    block = type(floor.desk.assets).block
    monkeypatch.setattr(
        type(floor.desk.assets), "block", lambda self, name, *on: drawn.append(name) or block(self, name, *on)
    )
    list(bob.render(everything()))
    assert not {"incident", "tile"} & set(drawn)
    changed = floor.changes("table-7", "6.0", "taken", "Bob")
    for page, text in ((anna, "I go"), (bob, "Not going")):
        events = list(page.render(changed))
        queue = next(event.data for event in events if 'id="queue"' in event.data)
        assert text in queue and queue.count("data-same") == 39
    assert drawn.count("incident") == 2 and drawn.count("tile") == 1


def test_what_is_the_same_is_not_sent_again(floor: Floor) -> None:
    page = floor.page("Anna")
    list(page.render(everything()))
    (tile,) = page.render({"state:table-7"})
    assert 'id="tile-table-7"' in tile.data
    wall = floor.page("Olga")
    assert len(list(wall.render_wall(everything()))) == len(TABLES) + 1
    assert list(wall.render_wall({"state:table-7"})) == []


def test_of_many_closed_alerts_the_latest_are_shown_and_the_others_are_counted(floor: Floor) -> None:
    for number in range(40):
        floor.raises("table-1", f"{1000 + number}.0", ago_s=3600)
        floor.changes("table-1", f"{1000 + number}.0", "ruled", "Anna")
        floor.changes("table-1", f"{1000 + number}.0", "closed", "Anna")
    queue = next(
        event.data for event in floor.page("Anna").render(everything()) if 'id="queue"' in event.data
    )
    assert queue.count('id="closed-') == 30 and "and 10 more, closed before these" in queue
    assert "closed-table-1-1039.0" in queue and "closed-table-1-1009.0" not in queue


def test_an_alert_draws_its_incident_and_tile_once_for_all_who_look_and_sends_no_list_again(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work of an alert at one of forty tables, at each of which 30 alerts were closed, for ten people."""
    for number, name in enumerate(TABLES):
        for at in range(30):
            id = f"{1000 + 100 * number + at}.0"
            floor.raises(name, id, ago_s=3600)
            floor.changes(name, id, "ruled", "Anna")
            floor.changes(name, id, "closed", "Anna")
    people = [floor.page(f"Person {number}") for number in range(10)]
    for page in people:
        list(page.render(everything()))
    drawn: list[str] = []
    block = type(floor.desk.assets).block
    monkeypatch.setattr(
        type(floor.desk.assets), "block", lambda self, name, *on: drawn.append(name) or block(self, name, *on)
    )
    changed = floor.raises("table-7", "9000.0", ago_s=1800)
    sent = [sum(len(event.data) for event in page.render(changed)) for page in people]
    assert Counter(drawn) == {"incident": 1, "tile": 1, "queue": 10, "ringing": 10}
    assert max(sent) < 20_000
    changed = floor.changes("table-7", "9000.0", "closed", "Anna")
    drawn.clear()
    queues = [event.data for page in people for event in page.render(changed) if 'id="queue"' in event.data]
    assert drawn.count("closed_lately") == 1
    assert all("closed-table-7-9000.0" in queue for queue in queues) and len(queues) == 10


def test_in_a_flood_only_what_is_critical_rings(floor: Floor) -> None:
    page = floor.page("Anna")
    assert len(page.ringing()) == len(TABLES)
    for number in range(11):
        list(page.render(floor.raises(TABLES[number], f"{2000 + number}.0")))
    assert page.ringing() == []
    list(page.render(floor.raises("table-1", "3000.0", severity="critical")))
    assert [(ringer.severity, ringer.title) for ringer in page.ringing()] == [("critical", "Table 1")]


def test_no_more_blocks_are_kept_than_may_be() -> None:
    drawn = Drawn(most=2)
    times: list[str] = []

    def draw(name: str) -> str:
        times.append(name)
        return name

    for name in ("one", "two", "one", "three", "one", "two"):
        assert drawn.block(name, (), lambda name=name: draw(name)) == name  # type: ignore[misc]
    assert times == ["one", "two", "three", "two"]
    assert drawn.block("one", (1,), lambda: "another") == "another"
