"""After an outage readings go out in the order in which they were made, whatever the order in which their
devices come.
"""

from hypothesis import given
from hypothesis import strategies as st

from tablebridge.bus.catchup import LONGEST_NS, CatchUp
from tablebridge.bus.inbox import Lost
from tablebridge.model.instant import Instant, later
from tablebridge.model.readings import Stamped, Sweep

BEGAN = Instant(1_800_000_000_000_000_000, 50 * 10**9, "now")


def read(device: str, seq: int, seconds: float, boot: str = "now") -> Stamped:
    """A reading made so long after the outage ended."""
    at = later(BEGAN, seconds)
    return Stamped(device, "e", seq, Instant(at.wall_ns, at.monotonic_ns, boot), Sweep(1, ()))


def test_it_is_over_when_every_device_has_told_something_new() -> None:
    catch_up = CatchUp(BEGAN, {"seat-1", "seat-2"})
    catch_up.hold(read("seat-1", 1, 0.1))
    catch_up.hold(read("seat-2", 1, -0.1))
    assert not catch_up.over(BEGAN)
    catch_up.hold(read("seat-2", 2, 0.2))
    assert catch_up.over(BEGAN)
    assert [(one.device, one.seq) for one in catch_up.release() if isinstance(one, Stamped)] == [
        ("seat-2", 1),
        ("seat-1", 1),
        ("seat-2", 2),
    ]


def test_a_device_that_is_away_is_not_waited_for_and_nobody_longer_than_four_seconds() -> None:
    catch_up = CatchUp(BEGAN, {"seat-1", "seat-2"})
    catch_up.gone("seat-1")
    assert not catch_up.over(later(BEGAN, LONGEST_NS / 1e9 - 0.01))
    assert catch_up.over(later(BEGAN, LONGEST_NS / 1e9))
    catch_up.gone("seat-2")
    assert catch_up.over(BEGAN)
    assert CatchUp(BEGAN, ()).over(BEGAN)


def test_readings_before_a_restart_of_the_box_come_first_and_are_no_sign_of_life() -> None:
    catch_up = CatchUp(BEGAN, {"seat-1"})
    before = read("seat-1", 1, 9_000, boot="before")
    catch_up.hold(read("seat-2", 1, -1))
    catch_up.hold(before)
    assert not catch_up.over(BEGAN)
    assert catch_up.release()[0] is before


def test_what_is_lost_keeps_its_place_in_its_device() -> None:
    lost = Lost("seat-1", "e", 2, 5)
    catch_up = CatchUp(BEGAN, ())
    for one in (read("seat-1", 1, -3), lost, read("seat-1", 6, -1), read("seat-2", 1, -2)):
        catch_up.hold(one)
    assert [getattr(one, "seq", "lost") for one in catch_up.release()] == [1, "lost", 1, 6]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(-40, 40)), max_size=40))
def test_each_device_keeps_the_order_of_its_outbox(made: list[tuple[str, int]]) -> None:
    """Also where its clock went back, and a held sweep is older than what was passed on before it."""
    catch_up = CatchUp(BEGAN, "abc")
    for seq, (device, tenths) in enumerate(made):
        catch_up.hold(read(device, seq, tenths / 10))
    out = catch_up.release()
    assert len(out) == len(made)
    for device in "abc":
        seqs = [one.seq for one in out if isinstance(one, Stamped) and one.device == device]
        assert seqs == sorted(seqs)
