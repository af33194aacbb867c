"""The inbox is pure: any loss, repetition and order of arrival ends in every reading once and in order."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tablebridge.bus.inbox import CHUNK, EPOCHS, Arrived, Inbox, Lost, Request, WentBack
from tablebridge.bus.messages import DeviceMeta, ReplayRequest
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Stamped, Sweep

S = 1_000_000_000


def reading(seq: int, epoch: str = "e1", device: str = "d") -> Stamped:
    return Stamped(device, epoch, seq, Instant(seq, seq), Sweep(1, ()))


def meta(first: int, following: int, epoch: str = "e1") -> DeviceMeta:
    return DeviceMeta("d", "template", epoch, first, following, "1")


def ask(first: int, last: int, epoch: str = "e1") -> Request:
    return Request("d", ReplayRequest(epoch, first, last))


def test_in_order_each_is_handed_on_at_once() -> None:
    inbox = Inbox()
    for seq in range(1, 5):
        assert inbox.take(reading(seq), 0) == Arrived((reading(seq),))
    assert inbox.take(reading(2), 0) == Arrived(duplicates=1)
    assert inbox.positions() == {("d", "e1"): 5}


def test_a_gap_is_asked_for_at_once_and_again_with_growing_waits() -> None:
    inbox = Inbox({("d", "e1"): 3})
    assert inbox.take(reading(6), 0) == Arrived(ask=ask(3, 5))
    assert inbox.take(reading(7), 0) == Arrived(), "it has been asked for"
    asked = []
    for tenth in range(1, 1000):
        asked += [tenth / 10 for taken in inbox.due(tenth * S // 10) if taken.ask == ask(3, 5)]
    assert asked == [1.0, 3.0, 7.0, 15.0, 31.0, 63.0]
    assert inbox.take(reading(3), 0).ready == (reading(3),)
    assert inbox.take(reading(5), 0).ready == ()
    assert inbox.take(reading(4), 0).ready == tuple(map(reading, (4, 5, 6, 7)))
    assert inbox.due(10_000 * S) == []


def test_the_end_that_birth_tells_of_is_asked_for_after_a_second() -> None:
    inbox = Inbox({("d", "e1"): 3})
    assert inbox.meta(meta(1, 6), 0) == Arrived()
    assert inbox.due(S - 1) == []
    assert inbox.due(S) == [Arrived(ask=ask(3, 5))]


def test_a_long_gap_is_asked_for_in_pieces() -> None:
    inbox = Inbox({("d", "e1"): 1})
    assert inbox.take(reading(2 * CHUNK), 0).ask == ask(1, CHUNK)
    for seq in range(1, CHUNK):
        assert inbox.take(reading(seq), 0).ask is None
    assert inbox.take(reading(CHUNK), 0).ask == ask(CHUNK + 1, 2 * CHUNK - 1)


def test_what_the_outbox_no_longer_has_is_lost_but_not_while_the_broker_may_deliver_it_again() -> None:
    inbox = Inbox({("d", "e1"): 3})
    assert inbox.take(reading(10), 0).ask == ask(3, 9)
    assert inbox.meta(meta(8, 11), 0) == Arrived()
    assert [inbox.due(second * S) for second in (1, 2, 3, 6)] == [
        [Arrived(ask=ask(3, 9))],
        [],
        [Arrived(ask=ask(3, 9))],
        [],
    ]
    assert inbox.due(7 * S) == [Arrived(ask=ask(8, 9), lost=Lost("d", "e1", 3, 7))]
    assert inbox.take(reading(8), 7 * S).ready == (reading(8),)
    assert inbox.positions() == {("d", "e1"): 9}


def test_what_the_broker_still_held_is_not_lost_because_the_outbox_let_it_go() -> None:
    inbox = Inbox({("d", "e1"): 3})
    inbox.meta(meta(1000, 1005), 0)
    for seq in range(3, 1005):
        assert inbox.take(reading(seq), 0).ready == (reading(seq),)
    assert inbox.due(100 * S) == []


def test_an_unknown_epoch_begins_with_one_or_with_birth_or_after_patience() -> None:
    assert Inbox().take(reading(1), 0).ready == (reading(1),)
    inbox = Inbox()
    inbox.meta(meta(4, 9), 0)
    assert inbox.take(reading(5), 0).ask == ask(4, 4)
    inbox = Inbox()
    inbox.meta(meta(4, 9), 0)
    assert inbox.take(reading(4), 0).ready == (reading(4),)
    inbox = Inbox()
    assert inbox.take(reading(6), 0) == Arrived()
    assert inbox.take(reading(4), 0) == Arrived()
    assert inbox.take(reading(4), 0) == Arrived(duplicates=1)
    assert inbox.positions() == {}
    assert inbox.due(4 * S) == []
    assert inbox.due(5 * S) == [Arrived((reading(4),), ask=ask(5, 5))]
    inbox = Inbox()
    inbox.take(reading(6), 0)
    assert inbox.meta(meta(8, 9), 0).ready == (reading(6),), (
        "what came is not thrown away because the outbox let it go"
    )


def test_a_gap_of_an_epoch_that_is_over_is_given_up_after_five_asks_more() -> None:
    inbox = Inbox({("d", "e1"): 3})
    inbox.take(reading(5), 0)
    inbox.meta(meta(1, 2, "e2"), 0)
    assert inbox.take(reading(1, "e2"), 0).ready == (reading(1, "e2"),), "another epoch does not wait for it"
    brought = [taken for second in range(1, 100) for taken in inbox.due(second * S)]
    assert [taken.ask for taken in brought[:-1]] == [ask(3, 4)] * 4
    assert brought[-1] == Arrived((reading(5),), lost=Lost("d", "e1", 3, 4))


def test_the_missing_end_is_not_asked_for_while_it_is_coming() -> None:
    """A driver that comes back sends its thousands one by one: to ask for what is under way would send it all
    twice.
    """
    inbox = Inbox({("d", "e1"): 1})
    inbox.meta(meta(1, 100), 0)
    for tenth in range(1, 50):
        assert inbox.take(reading(tenth), tenth * S // 10).ready == (reading(tenth),)
        assert inbox.due(tenth * S // 10) == []
    assert inbox.due(49 * S // 10 + S - 1) == []
    assert inbox.due(49 * S // 10 + S) == [Arrived(ask=ask(50, 99))]


def test_an_epoch_goes_on_where_another_ended_without_its_birth() -> None:
    """A driver that ended again and again while the broker was away: of the epochs between nobody has the
    birth.
    """
    inbox = Inbox({("d", "e1"): 3})
    inbox.meta(meta(9, 9, "e4"), 0)
    rows = [
        reading(3),
        reading(4),
        reading(5, "e2"),
        reading(6, "e2"),
        reading(7, "e3"),
        reading(8, "e3"),
        reading(9, "e4"),
    ]
    assert [taken.ready for taken in (inbox.take(one, 0) for one in rows)] == [(one,) for one in rows]
    assert [inbox.due(second * S) for second in range(1, 100)] == [[]] * 99


def test_the_end_of_an_epoch_that_the_broker_forgot_is_asked_for_when_the_next_begins() -> None:
    inbox = Inbox({("d", "e1"): 3})
    assert inbox.meta(meta(6, 6, "e2"), 0) == Arrived()
    assert inbox.due(S - 1) == []
    assert inbox.due(S) == [Arrived(ask=ask(3, 5))]
    assert [inbox.take(reading(seq), S).ready for seq in (3, 4, 5)] == [(reading(seq),) for seq in (3, 4, 5)]
    assert inbox.due(100 * S) == []


def test_numbers_that_went_back_are_told_once_and_what_comes_is_taken() -> None:
    inbox = Inbox({("d", "e1"): 10_001})
    assert inbox.meta(meta(5_001, 5_001, "e2"), 0).back == WentBack("d", "e2", 5_001, 10_001)
    assert inbox.meta(meta(5_001, 5_001, "e2"), 0).back is None
    taken = [inbox.take(reading(seq, "e2"), 0) for seq in range(5_001, 10_101)]
    assert all(len(one.ready) == 1 for one in taken), "5,100 readings, none dropped"
    again = Inbox(inbox.positions())
    assert again.meta(meta(10_101, 10_101, "e3"), 0).back is None, (
        "each opening is compared with the one before it"
    )
    assert again.meta(meta(1, 1, "e4"), 0).back == WentBack("d", "e4", 1, 10_101)


def test_of_a_driver_that_begins_for_ever_so_many_epochs_are_remembered() -> None:
    inbox = Inbox()
    for number in range(1, 300):
        assert inbox.take(reading(number, f"e{number}"), 0).ready
    assert list(inbox.positions()) == [("d", f"e{number}") for number in range(300 - EPOCHS, 300)]


def test_what_is_beyond_the_bound_is_dropped_and_asked_for_later() -> None:
    inbox = Inbox({("d", "e1"): 1}, hold=3)
    for seq in range(2, 10):
        inbox.take(reading(seq), 0)
    taken = inbox.take(reading(1), 0)
    assert [one.seq for one in taken.ready] == [1, 2, 3, 4]
    assert taken.ask == ask(5, 9)


def test_a_birth_that_the_broker_kept_makes_the_device_be_asked_for_a_new_one() -> None:
    """A broker that forgot the last readings leaves no gap that anybody could see."""
    inbox = Inbox({("d", "e1"): 41})
    assert inbox.meta(meta(1, 10), 0, retained=True).ask == Request("d", ReplayRequest("e1", 41, 40))
    assert inbox.meta(meta(1, 10), 0).ask is None
    inbox.meta(meta(1, 51), 0)
    assert [taken.ask for taken in inbox.due(2 * S)] == [Request("d", ReplayRequest("e1", 41, 50))]


@settings(max_examples=100)
@given(
    st.integers(1, 120),
    st.integers(0, 60),
    st.floats(0, 0.6),
    st.floats(0, 0.5),
    st.integers(0, 40),
    st.integers(1, 60),
    st.integers(0, 1 << 32),
)
def test_any_loss_repetition_and_order_ends_in_each_once(
    count: int, start: int, loss: float, repeat: float, spread: int, hold: int, seed: int
) -> None:
    """A channel that loses, repeats, delays; an outbox that answers; a receiver restarted from its positions
    half-way.
    """
    inbox = Inbox({("d", "e1"): start + 1}, hold=hold)
    now, committed, requests, chance = 0, [], [], random.Random(seed)
    wire = [(seq, seq + chance.randint(0, spread)) for seq in range(start + 1, start + count + 1)]
    wire = [seq for seq, _ in sorted(wire, key=lambda pair: pair[1])]

    def apply(taken: Arrived) -> None:
        assert taken.lost is None
        committed.extend(one.seq for one in taken.ready)
        if taken.ask is not None:
            requests.append(taken.ask.request)

    for round_ in range(1000):
        for seq in wire:
            if chance.random() < loss:
                continue
            for _ in range(2 if chance.random() < repeat else 1):
                apply(inbox.take(reading(seq), now))
        if round_ == 3:
            assert inbox.positions() == {("d", "e1"): start + len(committed) + 1}
            inbox = Inbox(inbox.positions(), hold=hold)
        apply(inbox.meta(meta(1, start + count + 1), now))
        if len(committed) == count:
            break
        now += 60 * S
        for taken in inbox.due(now):
            apply(taken)
        wire = [seq for request in requests for seq in range(request.first, request.last + 1)]
        chance.shuffle(wire)
        requests.clear()
    assert committed == list(range(start + 1, start + count + 1))


@settings(max_examples=100)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["take", "meta", "due"]),
            st.sampled_from(["e1", "e2"]),
            st.integers(1, 30),
            st.integers(0, 30),
        ),
        max_size=80,
    )
)
def test_nothing_is_handed_on_twice_or_backwards_and_what_is_skipped_is_told(
    steps: list[tuple[str, str, int, int]],
) -> None:
    inbox, now = Inbox(hold=5), 0
    following: dict[str, int] = {}
    for kind, epoch, first, more in steps:
        now += more * S // 4
        if kind == "take":
            brought = [inbox.take(reading(first, epoch), now)]
        elif kind == "meta":
            brought = [inbox.meta(meta(first, first + more, epoch), now)]
        else:
            brought = inbox.due(now)
        for taken in brought:
            if taken.lost is not None:
                assert taken.lost.first == following.setdefault(taken.lost.epoch, taken.lost.first)
                following[taken.lost.epoch] = taken.lost.last + 1
            for one in taken.ready:
                assert one.seq == following.setdefault(one.epoch, one.seq)
                following[one.epoch] = one.seq + 1
        assert following.items() <= {epoch: at for (_, epoch), at in inbox.positions().items()}.items()
