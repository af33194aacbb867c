"""Everything on the bus has a bound: in its type, in what is sent, in what is taken."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect
from rig.groups import message

from tablebridge.bus.messages import (
    CEILING,
    MESSAGES,
    MOST_ALERTS,
    ActiveAlerts,
    Command,
    DeviceHealth,
    NotifierState,
    OpenCalls,
    OverlayView,
    Passes,
    ReadingBatch,
    TableView,
    Unreadable,
    active_alerts,
    decode,
    encode,
    latest_passes,
    notifier_state,
    open_calls,
    with_lines,
)
from tablebridge.model.alerts import Alert
from tablebridge.model.bounds import Reader
from tablebridge.model.calls import Pass, Reachable
from tablebridge.model.findings import Finding
from tablebridge.model.instant import START
from tablebridge.model.readings import MOST_CHIPS, MOST_TAGS, Stamped, Sweep, TrayReading, bounded
from tablebridge.model.views import FactView, LineView, NoticeView, SeatView

FULL = "\x01"
"""The longest a character becomes in JSON: six bytes."""


def unbounded(kind: inspect.Type, path: str, met: frozenset[type] = frozenset()) -> list[str]:
    """The fields below this type that have no bound."""
    match kind:
        case inspect.IntType():
            return [] if kind.ge is not None and kind.le is not None else [path]
        case inspect.FloatType():
            return [] if kind.ge is not None and kind.le is not None else [path]
        case inspect.StrType():
            return [] if kind.max_length is not None else [path]
        case inspect.VarTupleType() | inspect.ListType():
            return [
                *([] if kind.max_length is not None else [path]),
                *unbounded(kind.item_type, path + "[]", met),
            ]
        case inspect.DictType():
            return [
                *([] if kind.max_length is not None else [path]),
                *unbounded(kind.key_type, path + "{}", met),
                *unbounded(kind.value_type, path + "{}", met),
            ]
        case inspect.TupleType():
            return [found for one in kind.item_types for found in unbounded(one, path + "[]", met)]
        case inspect.UnionType():
            return [found for one in kind.types for found in unbounded(one, path, met)]
        case inspect.StructType():
            assert kind.cls not in met, f"{path} holds itself, without a bound of its depth"
            return [
                found
                for field in kind.fields
                for found in unbounded(field.type, f"{path}.{field.name}", met | {kind.cls})
            ]
        case inspect.LiteralType() | inspect.BoolType() | inspect.NoneType():
            return []
    return [f"{path}: {kind}"]


@pytest.mark.parametrize("name", MESSAGES)
def test_every_number_text_and_list_of_a_message_has_a_bound(name: str) -> None:
    assert unbounded(inspect.type_info(MESSAGES[name]), name) == []


def largest(kind: inspect.Type, field: str = "") -> Any:
    """A value of this type that takes as many bytes as any."""
    match kind:
        case inspect.IntType():
            return max((kind.le, kind.ge), key=lambda number: len(str(number)))
        case inspect.FloatType():
            return 0.1234567890123456
        case inspect.StrType():
            if kind.pattern == "^[0-9a-f]{64}$":
                return "f" * 64
            # Tags and cards come out of drivers and enrolment, which let no other characters through.
            return ("F" if field in ("tags", "missed") else FULL) * (kind.max_length or 0)
        case inspect.VarTupleType() | inspect.ListType():
            return [largest(kind.item_type, field)] * (kind.max_length or 0)
        case inspect.DictType():
            return {
                f"{number:x}".rjust(getattr(kind.key_type, "max_length", None) or 1, FULL)
                if isinstance(kind.key_type, inspect.StrType)
                else str((getattr(kind.key_type, "le", None) or 2**53) - number): largest(kind.value_type)
                for number in range(kind.max_length or 0)
            }
        case inspect.TupleType():
            return [largest(one) for one in kind.item_types]
        case inspect.UnionType():
            return max(
                (largest(one, field) for one in kind.types), key=lambda value: len(msgspec.json.encode(value))
            )
        case inspect.StructType():
            fields = {one.encode_name: largest(one.type, one.name) for one in kind.fields}
            if kind.tag_field:
                fields[kind.tag_field] = kind.tag
            return list(fields.values()) if kind.array_like else fields
        case inspect.LiteralType():
            return max(kind.values, key=lambda value: len(str(value)))
        case inspect.BoolType():
            return False
    return None


def of(kind: type[Any]) -> Any:
    return msgspec.convert(largest(inspect.type_info(kind)), kind, str_keys=True)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in MESSAGES
        # Those of which less than their bounds goes into one message.
        if name
        not in (
            "ActiveAlerts",
            "HistoryPage",
            "TimelinePage",
            "TableView",
            "OverlayView",
            "OpenCalls",
            "Passes",
            "NotifierState",
            "Command",
            "ReadingBatch",
            "RoomView",
            "RoomCommand",
            "RoomReply",
        )
    ],
)
def test_the_largest_message_of_each_type_fits(name: str) -> None:
    payload = encode(of(MESSAGES[name]))
    assert len(payload) <= CEILING and decode(payload, MESSAGES[name])


def test_the_largest_picture_of_a_table_fits_with_the_newest_of_its_lines() -> None:
    view, line = of(TableView), of(LineView)
    bare = msgspec.structs.replace(view, lines=(), questions=(), more_notices=3, more_facts=0)
    lines = [msgspec.structs.replace(line, entry=number) for number in range(10_000)]
    full = with_lines(bare, lines, view.questions)
    assert len(full.lines) > 0 and full.lines[-1].entry == 9_999
    assert full.more_notices == 3 + len(bare.notices) - len(full.notices) > 3
    assert full.more_facts == len(bare.facts) - len(full.facts)
    assert decode(encode(full), TableView) == full
    notice, fact = NoticeView("1.0", "flop-count", "warning", "Four."), FactView(1, "moved 3", 1)
    usual = with_lines(TableView("one", notices=(notice,) * 8, facts=(fact,) * 32), lines, view.questions)
    assert (len(usual.notices), len(usual.facts), usual.lines[-1].entry) == (8, 32, 9_999)
    assert decode(encode(usual), TableView) == usual
    short = with_lines(
        TableView("one"), [LineView(number, "fold 3", "operator", "Olga") for number in range(500)]
    )
    assert [one.entry for one in short.lines] == list(range(380, 500))
    assert decode(encode(short), TableView) == short


def test_the_largest_picture_for_the_broadcast_fits() -> None:
    """Of what is for staff it has nothing."""
    for_staff = {"lines": (), "questions": (), "expects": "", "may": (), "incomplete": (), "tray": None}
    for_staff |= {"notices": (), "facts": ()}
    picture = msgspec.structs.replace(of(OverlayView), **for_staff)
    assert decode(encode(picture), OverlayView) == picture


@pytest.mark.parametrize("total", [0, 1, 99, 120, 10_000])
def test_as_many_alerts_as_fit_are_shown_and_the_rest_is_counted(total: int) -> None:
    for alert in (
        of(Alert),
        Alert("812.0", "one", 3, "flop-count", "warning", "raised", "The flop has four cards.", START),
    ):
        message = active_alerts([alert] * min(total, MOST_ALERTS), total, 7)
        assert len(message.alerts) + message.more == total
        assert bool(message.alerts) == bool(total)
        assert decode(encode(message), ActiveAlerts) == message
    assert len(message.alerts) == min(total, MOST_ALERTS)


@pytest.mark.parametrize("total", [0, 1, 100, 10_000])
def test_as_many_calls_as_fit_are_sent_and_the_rest_is_counted(total: int) -> None:
    message = open_calls([of(Alert)] * min(total, 100), total, 7)
    assert len(message.calls) + message.more == total and bool(message.calls) == bool(total)
    assert decode(encode(message), OpenCalls) == message


def test_the_latest_passes_that_fit_are_sent() -> None:
    passes = [msgspec.structs.replace(of(Pass), until_wall_ns=number) for number in range(1_000)]
    message = latest_passes(passes)
    assert decode(encode(message), Passes) == message
    assert 0 < len(message.passes) < 300 and message.passes == tuple(passes[-len(message.passes) :])
    short = [Pass("f" * 64, "1.0", "Olga", number) for number in range(1_000)]
    assert latest_passes(short).passes == tuple(short[-300:])


def test_the_largest_state_of_notifications_fits_with_people_and_failing_ways() -> None:
    message = notifier_state(of(NotifierState))
    assert message.people and message.failing and decode(encode(message), NotifierState) == message
    whole = of(NotifierState)
    assert message.more_people == len(whole.people) - len(message.people) > 0
    assert message.more_failing == len(whole.failing) - len(message.failing) > 0
    people = tuple(Reachable(f"person {number}", False, ("t1", "t2")) for number in range(64))
    usual = NotifierState("online", "e", 1, people, tuple(f"person {number}: ntfy" for number in range(64)))
    assert notifier_state(usual) == usual


def test_what_is_sent_beyond_a_bound_is_cut_to_it() -> None:
    health = DeviceHealth(
        "board", "lost", START, detail="x" * 9_000, frames=2**70, rejects={str(n): 1 for n in range(500)}
    )
    got = decode(encode(health), DeviceHealth)
    assert (len(got.detail), got.detail[-1], got.frames, len(got.rejects)) == (500, "…", 2**53, 64)
    view = TableView("one", pot=10**40, seats=tuple(SeatView(seat, "n" * 99) for seat in range(1, 99)))
    assert len(decode(encode(view), TableView).seats) == 10
    with pytest.raises(ValueError, match="above the ceiling"):
        encode(Command("i", "b", "operator", 0, ("\x01" * 500,) * 60))


def test_a_record_beyond_a_bound_is_read_all_the_same() -> None:
    finding = Finding(
        "1.0",
        "device-unknown",
        "warning",
        "tda-2022",
        "one",
        1,
        "over",
        "s" * 60_000,
        evidence=tuple(range(10_000)),
    )
    got = Reader[Finding](Finding).decode(msgspec.json.encode(finding))
    assert (got.id, len(got.sentence), len(got.evidence)) == ("1.0", 1_000, 450)
    stamped = Stamped("board", "e", 2**63, START, TrayReading(counts={5: 2**80}))
    assert Reader[Stamped](Stamped).decode(msgspec.json.encode(stamped)).reading == TrayReading(
        counts={5: 2**53}
    )


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b'{"x":' + b"[" * 30_000 + b"]" * 30_000 + b"}", "too-deep"),
        (b'{"stamped":' * 5_000, "too-deep"),
        (b"", "no-json"),
        (b"{", "no-json"),
        (b"\xff", "no-json"),
        (b"null", "wrong-type"),
        (b"{}", "wrong-type"),
        (b'"' + b"x" * CEILING + b'"', "too-long"),
        (b'{"group":"\xff"}', "no-json"),
        (
            b'{"group":"g","epoch":"e","at":[1,1],"readings":[["d",9223372036854775808,0,0,{"kind":"button","contact":1}]]}',
            "wrong-type",
        ),
        (b'{"group":"g","epoch":"e","at":[1,1e999]}', "wrong-type"),
    ],
)
def test_what_cannot_be_decoded_is_one_error_with_a_reason(payload: bytes, reason: str) -> None:
    with pytest.raises(Unreadable) as error:
        decode(payload, ReadingBatch)
    assert error.value.reason == reason and str(error.value) == reason


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["readings", "device", "seq", "at", "reading", "kind", "tags", "id", "lines", "alerts"]
            ),
            inner,
        )
    ),
    max_leaves=20,
)


@given(
    st.sampled_from(list(MESSAGES)),
    JSON.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=200),
)
def test_nothing_else_than_a_message_or_that_error_comes_out(name: str, payload: bytes) -> None:
    try:
        message = decode(payload, MESSAGES[name])
    except Unreadable:
        return
    assert decode(encode(message), MESSAGES[name]) == message


@pytest.mark.parametrize("count", [0, 64, 65, 4_050, 100_000])
def test_at_most_64_tags_of_an_antenna_are_taken_whatever_their_order(count: int) -> None:
    tags = tuple(f"{number:08X}" for number in range(count))
    kept, surplus = bounded(Sweep(1, tags, missed=tags))
    assert isinstance(kept, Sweep)
    assert (len(kept.tags), surplus) == (min(count, MOST_TAGS), max(0, count - MOST_TAGS))
    assert bounded(Sweep(1, tags[::-1], missed=tags))[0] == kept or count <= MOST_TAGS
    message(Stamped("board", "e", 1, START, kept))
    chips = bounded(Sweep(1, tags), {1})[0]
    assert isinstance(chips, Sweep) and len(chips.tags) == min(count, MOST_CHIPS)
    tray, left = bounded(TrayReading(tags))
    assert isinstance(tray, TrayReading) and len(tray.tags) + left == count
