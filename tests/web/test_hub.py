"""What the pages know of an engine, message by message, with a clock of their own."""

from pathlib import Path

import msgspec

from tablebridge.bus import topics
from tablebridge.bus.messages import Availability, EngineBeat
from tablebridge.web.hub import Hub

from .hall import site


def test_after_the_broker_was_away_an_engine_runs_once_it_is_heard_again(tmp_path: Path) -> None:
    """What the broker has kept of an engine is no sign of life: a line would be sent to nobody."""
    now = [100.0]
    here = site(tmp_path)
    hub = Hub(here, lambda: now[0])

    def hears(topic: topics.Topic, message: object) -> None:
        hub.take(topic.of(here.name, "main"), msgspec.json.encode(message))
        hub.check_engines()

    hub.bus(True)
    hears(topics.ENGINE_AVAILABILITY, Availability("online", "run", "", 1, 1))
    assert hub.tables["main"].runs
    now[0] += 1
    hub.bus(False)
    now[0] += 1
    hub.bus(True)
    assert not hub.tables["main"].runs and not hub.bus_away
    hears(topics.ENGINE_AVAILABILITY, Availability("online", "run", "", 1, 1))
    assert not hub.tables["main"].runs and 1 <= hub.away_s(["main"]) <= 3
    hears(topics.ENGINE_BEAT, EngineBeat("run"))
    assert hub.tables["main"].runs


def test_a_new_connection_of_an_engine_is_a_sign_of_life(tmp_path: Path) -> None:
    now = [100.0]
    here = site(tmp_path)
    hub = Hub(here, lambda: now[0])
    for since in (1, 2):
        hub.bus(True)
        online = Availability("online", "run", "", since, 1)
        hub.take(topics.ENGINE_AVAILABILITY.of(here.name, "main"), msgspec.json.encode(online))
        assert hub.tables["main"].runs
        now[0] += 1
        hub.bus(False)
