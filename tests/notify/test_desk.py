"""Who is notified of what, and what is written: no card, no seat and no player, whatever a finding holds."""

import itertools
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.bus.messages import open_calls
from tablebridge.floor.alerts import Alerts
from tablebridge.floor.ladder import due
from tablebridge.model.alerts import AlertChange
from tablebridge.model.calls import MOST_CALLS, OpenCalls, call_of
from tablebridge.model.cards import RANKS, SUITS, Card
from tablebridge.model.findings import KINDS, Finding, Severity
from tablebridge.model.instant import Instant, later
from tablebridge.notify.desk import Desk, Kept
from tablebridge.notify.notice import Notice
from tablebridge.notify.ntfy import message
from tablebridge.notify.words import KINDS as TROUBLES
from tablebridge.notify.words import WORDS
from tablebridge.settings.people import Language, People
from tablebridge.settings.site import Ringing
from tests.notify.ntfy_server import fault

START = Instant(1_800_000_000_000_000_000, 10**12, "boot")
PEOPLE = People.model_validate(
    {
        "pages": "https://floor.example",
        "person": [
            {"name": "Anna", "tables": ["7"], "ways": ["ntfy:anna"]},
            {"name": "Boris", "tables": ["8"], "language": "ru", "ways": ["ntfy:boris"]},
            {"name": "Mia", "duty": "manager", "language": "es", "ways": ["ntfy:mia"]},
        ],
    }
)


def calls_of(alerts: Alerts) -> OpenCalls:
    """The calls of all open alerts."""
    return open_calls(alerts.active(), len(alerts), 1)


class Night:
    """Alerts of a table, their ladder, and the desk that hears of them."""

    def __init__(self, people: People = PEOPLE, table: str = "7") -> None:
        secrets = itertools.count(1)
        self.desk = Desk("hall", people, lambda: f"secret-{next(secrets)}")
        self.alerts = Alerts()
        self.table = table
        self.now = START

    def raised(
        self, severity: Severity = "warning", id: str = "5.0", finding: str = "fouled-deck", hand: int = 3
    ) -> None:
        found = Finding(
            id, finding, severity, "tda-2022", self.table, hand, "flop", "", remedy=("call-floor",)
        )
        assert self.alerts.raise_(found, self.now) is not None

    def changed(self, to: str, by: str = "Anna") -> None:
        self.alerts.change(AlertChange("5.0", to, by), self.now)  # type: ignore[arg-type]

    def heard(self, seconds: float = 0) -> dict[str, Notice]:
        """Let time pass; the notices by person."""
        self.now = later(self.now, seconds)
        for alert in self.alerts.active():
            if (ring := due(alert, Ringing(), self.now)) is not None:
                self.alerts.ring(alert.id, ring)
        notices = self.desk.take(self.table, calls_of(self.alerts))
        return {notice.person: notice for notice in notices}


def test_a_warning_rings_the_section_then_all_then_the_managers() -> None:
    night = Night()
    night.raised()
    first = night.heard()
    assert {person: (notice.what, notice.priority) for person, notice in first.items()} == {
        "Anna": ("ring", 4)
    }
    assert first["Anna"].title == "Table 7: deck, floor needed" and first["Anna"].go == "secret-1"
    assert night.heard(29) == {}
    second = night.heard(1)
    assert {person: notice.priority for person, notice in second.items()} == {"Anna": 5, "Boris": 5}
    assert second["Anna"].key == first["Anna"].key, "it replaces the one before"
    assert second["Anna"].body.endswith("Nobody has seen it for 0:30.")
    assert second["Boris"].title == "Стол 7: колода, нужен флор"
    assert set(night.heard(60)) == {"Anna", "Boris", "Mia"}


def test_a_critical_alert_rings_all_at_once_then_the_managers() -> None:
    night = Night()
    night.raised("critical")
    assert {person: notice.priority for person, notice in night.heard().items()} == {"Anna": 5, "Boris": 5}
    assert set(night.heard(45)) == {"Anna", "Boris", "Mia"}


def test_what_was_sent_is_updated_without_a_sound_and_withdrawn_when_it_is_closed() -> None:
    night = Night()
    night.raised("critical")
    night.heard()
    night.changed("taken")
    taken = night.heard(5)
    assert set(taken) == {"Anna", "Boris"}, "who was not rung is not bothered"
    assert {(notice.what, notice.priority, notice.go) for notice in taken.values()} == {("update", 2, "")}
    assert taken["Boris"].body.endswith("Идёт Anna.") and night.desk.passes("7") == ()
    assert set(night.heard(300)) == {"Anna", "Boris"}, "not ruled: it rings again"
    night.changed("ruled")
    night.heard()
    night.changed("closed")
    assert {notice.what for notice in night.heard().values()} == {"withdraw"}
    assert night.heard() == {} and night.desk.kept == {"7": {}}


def test_a_pass_is_for_one_person_and_alert_and_only_its_hash_is_kept() -> None:
    night = Night()
    night.raised("critical")
    sent = night.heard()
    passes = night.desk.passes("7")
    assert [(found.by, found.alert) for found in passes] == [("Anna", "5.0"), ("Boris", "5.0")]
    kept = msgspec.json.encode(night.desk.kept).decode()
    assert all(notice.go and notice.go not in kept for notice in sent.values())
    night.heard(45)
    assert len(night.desk.passes("7")) == 3, "a new pass of a person takes the place of the old one"


def test_the_next_process_sends_nothing_a_second_time() -> None:
    night = Night()
    night.raised("critical")
    night.heard()
    kept = msgspec.json.decode(msgspec.json.encode(night.desk.kept), type=Kept)
    night.desk = Desk("hall", PEOPLE, lambda: "other", kept)
    assert night.heard(1) == {}
    night.changed("ruled")
    assert {notice.what for notice in night.heard().values()} == {"update"}


def test_what_a_message_had_no_room_for_is_not_withdrawn() -> None:
    night = Night()
    night.raised()
    assert night.heard()
    assert night.desk.take("7", OpenCalls((), 2, more=1)) == []
    assert [notice.what for notice in night.desk.take("7", OpenCalls((), 3))] == ["withdraw"]


def test_alerts_of_one_hand_are_one_notification_which_is_withdrawn_with_the_last_of_them() -> None:
    night = Night()
    night.raised()
    first = night.heard()["Anna"]
    night.raised("critical", "6.0", "cloned-tag")
    second = night.heard(1)
    assert {person: (notice.what, notice.priority) for person, notice in second.items()} == {
        "Anna": ("ring", 5),
        "Boris": ("ring", 5),
    }
    assert second["Anna"].key == first.key and second["Anna"].body.endswith("Alerts there: 2.")
    (found,) = [found for found in night.desk.passes("7") if found.by == "Anna"]
    assert (found.alert, found.also) == ("6.0", ("5.0",)), "who goes, goes to both"
    night.changed("ruled")
    night.changed("closed")
    quiet = night.heard(1)["Anna"]
    assert (quiet.what, quiet.key) == ("update", first.key) and "Alerts there" not in quiet.body
    for to in ("ruled", "closed"):
        night.alerts.change(AlertChange("6.0", to, "Anna"), night.now)  # type: ignore[arg-type]
    assert {(notice.what, notice.key) for notice in night.heard(1).values() if notice.person == "Anna"} == {
        ("withdraw", first.key)
    }


def test_another_hand_is_another_notification() -> None:
    night = Night()
    night.raised()
    night.raised(id="9.0", hand=4)
    assert len({notice.key for notice in night.desk.take("7", calls_of(night.alerts))}) == 2


def test_in_a_flood_a_table_is_one_notification_and_only_what_is_critical_rings() -> None:
    night = Night()
    for number in range(10):
        night.raised(id=f"{number}.0", hand=number)
    assert len(night.desk.take("7", calls_of(night.alerts))) == 10
    night.raised(id="10.0", hand=10)
    notices = night.desk.take("7", calls_of(night.alerts))
    assert [notice.what for notice in notices].count("withdraw") == 10
    (line,) = [notice for notice in notices if notice.what != "withdraw"]
    assert (line.what, line.priority) == ("update", 2) and line.body.endswith("Alerts there: 11.")
    night.raised("critical", "11.0", hand=11)
    rung = night.heard(1)
    assert {person: notice.what for person, notice in rung.items()} == {"Anna": "ring", "Boris": "ring"}
    assert rung["Anna"].key == line.key


def test_a_section_without_a_person_is_everybodys_and_managers_alone_are_rung_for_all() -> None:
    night = Night(table="9")
    night.raised()
    assert set(night.heard()) == {"Anna", "Boris"}
    alone = People.model_validate({"person": [{"name": "Mia", "duty": "manager", "ways": ["ntfy:m"]}]})
    night = Night(alone)
    night.raised()
    (notice,) = night.heard().values()
    assert notice.go == "" and "actions" not in message(notice, "m", None), "without pages no button"


def test_a_newer_notice_makes_an_older_one_outdated() -> None:
    night = Night()
    night.raised()
    first = night.heard()["Anna"]
    assert not night.desk.is_outdated(first)
    night.changed("taken")
    second = night.heard()["Anna"]
    assert night.desk.is_outdated(first) and not night.desk.is_outdated(second)


def test_the_words_of_every_language_are_complete() -> None:
    wanted = set(TROUBLES.values()) | {"hand"}
    assert set(WORDS) == set(get_args(Language)) and set(TROUBLES) <= {*KINDS, "engine-away"}
    for words in WORDS.values():
        assert set(words.kinds) == wanted
        assert set(words.again) == {"not-seen", "not-taken", "not-ruled"}
        assert set(words.changed) == {"acknowledged", "taken", "ruled"}
        assert all(text for text in msgspec.to_builtins(words).values()), (
            "a missing word would be an empty notice"
        )


CARDS = [Card(rank + suit) for rank in RANKS for suit in SUITS]
PLAYERS = ("Chen Wei", "Vera", "Ivan Petrow")
planted = st.fixed_dictionaries(
    {
        "finding": st.sampled_from([kind for kind, known in KINDS.items() if known.severity != "info"]),
        "severity": st.sampled_from(["warning", "critical"]),
        "cards": st.lists(st.sampled_from(CARDS), min_size=1, max_size=5).map(tuple),
        "seat": st.integers(1, 10),
        "device": st.sampled_from(PLAYERS),
        "note": st.sampled_from(PLAYERS),
        "steps": st.sampled_from(
            [(), ("acknowledged",), ("taken", "ruled"), ("acknowledged", "taken", "ruled"), ("ruled",)]
        ),
        "waits": st.lists(st.integers(0, 400), min_size=3, max_size=3),
        "language": st.sampled_from(get_args(Language)),
    }
)


@given(planted)
def test_no_card_no_seat_and_no_player_is_in_any_notice(case: dict[str, object]) -> None:
    """Whatever a finding holds: the notices of one with cards, seat and names are those of one without."""

    def notices(secretive: bool) -> list[Notice]:
        people = People.model_validate(
            {
                "pages": "https://floor.example",
                "person": [{"name": "Anna", "language": case["language"], "ways": ["ntfy:a"]}],
            }
        )
        night = Night(people)
        cards = () if secretive else case["cards"]
        found = Finding(
            "5.0",
            case["finding"],  # type: ignore[arg-type]
            case["severity"],  # type: ignore[arg-type]
            "tda-2022",
            "7",
            3,
            "flop",
            "" if secretive else f"{case['note']} holds {cards}.",
            remedy=("call-floor",),
            cards=cards,  # type: ignore[arg-type]
            public_cards=cards,  # type: ignore[arg-type]
            seat=None if secretive else case["seat"],  # type: ignore[arg-type]
            device="" if secretive else case["device"],  # type: ignore[arg-type]
        )
        night.alerts.raise_(found, night.now)
        made = list(night.heard().values())
        for state, wait in zip(case["steps"], case["waits"], strict=False):  # type: ignore[call-overload]
            change = AlertChange("5.0", state, "Anna", "" if secretive else str(case["note"]))
            night.alerts.change(change, night.now)
            made += night.heard(wait).values()
        return made

    there = notices(False)
    assert there and there == notices(True)
    for notice in there:
        published = message(notice, "a", "https://floor.example")
        assert fault(published) == "" and len(published["actions"]) <= 3


@pytest.mark.parametrize("count", [MOST_CALLS + 30])
def test_more_alerts_than_a_message_holds_are_counted(count: int) -> None:
    night = Night()
    for number in range(count):
        night.raised(id=f"{number}.0")
    calls = calls_of(night.alerts)
    assert len(calls.calls) + calls.more == count and len(calls.calls) <= MOST_CALLS
    assert calls.calls[0] == call_of(night.alerts.active(1)[0])
