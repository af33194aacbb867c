"""Events of hands for other programs: each once, in order, and with no card and no name."""

import msgspec

from tablebridge.app.core import TableCore
from tablebridge.bus import topics
from tablebridge.bus.messages import HandEvent
from tablebridge.settings.site import Site

from .conftest import stamp
from .recording import night
from .test_console_and_floor import Desk
from .test_core import core_of


def events(core: TableCore) -> list[HandEvent]:
    found = [message for topic, message in core.messages if topic is topics.HAND_EVENT]
    core.messages.clear()
    return found


def said(core: TableCore) -> list[tuple[object, ...]]:
    return [
        (event.event, event.hand, event.street, event.seat, event.action, event.amount)
        for event in events(core)
    ]


def test_a_typed_hand_becomes_events_in_order(site: Site) -> None:
    with core_of(site) as core:
        desk = Desk(core)
        events(core)
        desk.write("seats 1-3", "button 3", "stacks 10000", "hand", "dealt")
        assert said(core) == [("hand-started", 1, "preflop", None, "", None)]
        desk.write("call 3", "call 1", "check 2", "flop Ah Td 7c")
        assert said(core) == [
            ("action", 1, "preflop", 3, "call", None),
            ("action", 1, "preflop", 1, "call", None),
            ("action", 1, "preflop", 2, "check", None),
            ("street", 1, "flop", None, "", None),
        ]
        desk.write("bet 1 400")
        (bet,) = events(core)
        assert (bet.event, bet.street, bet.seat, bet.action, bet.amount) == ("action", "flop", 1, "bet", 400)
        desk.undo()
        (undone,) = events(core)
        assert (undone.event, undone.street, undone.entry) == ("undone", "flop", bet.rev)
        desk.write("end")
        assert said(core)[-1][:2] == ("hand-ended", 1)


def test_a_restart_sends_nothing_again_and_misses_nothing(site: Site) -> None:
    with core_of(site) as core:
        Desk(core).write("seats 1-3", "button 3", "stacks 10000", "hand", "dealt")
        assert [event.event for event in events(core)] == ["hand-started"]
    with core_of(site) as core:
        assert events(core) == []
        desk = Desk(core)
        desk.count = 100
        desk.write("call 3", "call 1", "check 2", "flop Ah Td 7c")
        assert [event.event for event in events(core)] == ["action", "action", "action", "street"]


def test_what_antennas_read_makes_events_without_a_card(site: Site) -> None:
    with core_of(site) as core:
        for stamped in stamp(night()):
            core.readings([stamped], stamped.at)
        found = events(core)
    kinds = {event.event for event in found}
    assert {"hand-started", "hand-ended"} <= kinds
    fields = {name for event in found for name, value in msgspec.structs.asdict(event).items() if value}
    assert fields <= {"event", "at", "rev", "hand", "street", "seat", "action", "amount", "entry", "schema"}
    assert {event.street for event in found} <= {
        "preflop",
        "flop",
        "turn",
        "river",
        "showdown",
        "over",
        "void",
    }
    assert {event.action for event in found} <= {"", "fold", "check", "call", "bet", "raise", "allin"}
    assert len({(event.rev, event.event) for event in found}) == len(found), "their identity"
