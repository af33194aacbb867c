"""The kit finds drivers that break their contract: each broken one here breaks just one promise."""

from typing import Any

import msgspec
import pytest

from tablebridge.sdk import ButtonPress, Driver, Instant, Option, Options, SerialPort, Sweep, Turn
from tablebridge.sdk.testing import (
    Chance,
    ContractError,
    Link,
    Piece,
    check_driver,
    check_silence,
    replay,
)


class Good:
    """Each byte K is a press."""

    def __init__(self, options: Options) -> None:
        self.options = options

    def start(self, now: Instant) -> Turn:
        return Turn()

    def received(self, data: bytes, now: Instant) -> Turn:
        return Turn(tuple(ButtonPress(1) for byte in data if byte == ord("K")))

    def due(self, now: Instant) -> Turn:
        return Turn()


class Raises(Good):
    def received(self, data: bytes, now: Instant) -> Turn:
        return Turn((ButtonPress(data.index(b"K")),))


class Hoards(Good):
    def __init__(self, options: Options) -> None:
        self.all = b""

    def received(self, data: bytes, now: Instant) -> Turn:
        self.all += data
        return Turn()


class CountsPieces(Good):
    def received(self, data: bytes, now: Instant) -> Turn:
        return Turn((ButtonPress(1),))


class LowerCase(Good):
    def received(self, data: bytes, now: Instant) -> Turn:
        return Turn(tuple(Sweep(0, ("e00401000000abcd",)) for _ in data))


class SameTagTwice(Good):
    def received(self, data: bytes, now: Instant) -> Turn:
        return Turn(tuple(Sweep(0, ("E004010000000001",) * 2) for _ in data))


class AsksOnce(Good):
    def start(self, now: Instant) -> Turn:
        return Turn(send=b"?")


class AsksWithoutPause(Good):
    def start(self, now: Instant) -> Turn:
        return Turn(send=b"?", wake_ns=now.monotonic_ns + 1_000_000)

    due = start


class AlwaysAlive(Good):
    def start(self, now: Instant) -> Turn:
        return Turn(alive=True)


def driver(session: Any, **fields: Any) -> Driver:
    return msgspec.structs.replace(
        Driver(
            name="broken",
            title="t",
            trust="own protocol",
            source="s",
            tested="t",
            port=lambda options: SerialPort(9600),
            session=session,
        ),
        **fields,
    )


def test_a_good_driver_passes() -> None:
    check_driver(driver(Good), streams=[b"xKyK"])


@pytest.mark.parametrize(
    ("session", "sentence"),
    [
        (Raises, "the driver raised ValueError"),
        (Hoards, "a session holds"),
        (CountsPieces, "other readings byte by byte"),
        (LowerCase, "upper-case hex"),
        (SameTagTwice, "a tag twice"),
        (AsksOnce, "not asked again"),
        (AsksWithoutPause, "not counted as a timeout"),
        (AlwaysAlive, "called alive"),
    ],
)
def test_a_broken_promise_is_named(session: type[Good], sentence: str) -> None:
    with pytest.raises(ContractError, match=sentence):
        check_driver(driver(session), streams=[b"xKyK"])


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": "No Name"}, "name"),
        ({"source": " "}, "source"),
        ({"stale_after_s": 0.0}, "stale_after_s"),
        ({"options": {"a": Option(3, "x", highest=2)}}, "outside"),
        ({"options": {"a": Option("x", "y", choices=("z",))}}, "choices"),
    ],
)
def test_a_poor_description_is_named(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ContractError, match=sentence):
        check_driver(driver(Good, **fields), streams=[b"K"])


class RaisesAtTheStart(Good):
    def start(self, now: Instant) -> Turn:
        raise KeyError("no\nsuch option")


def test_what_a_driver_raises_is_said_in_one_line_with_when() -> None:
    with pytest.raises(ContractError) as error:
        check_driver(driver(RaisesAtTheStart), streams=[b"K"])
    assert (
        str(error.value) == "the driver raised KeyError: 'no\\nsuch option' (while its device said nothing)"
    )
    with pytest.raises(ContractError, match=r"raised TypeError: .* \(by port\(\) and session\(\)"):
        check_driver(driver(lambda: None), streams=[b"K"])
    with pytest.raises(ContractError, match=r"raised ValueError: .* \(at 3 ms, rx 78\)"):
        replay(driver(Raises), [Piece(3, "rx", "78")])


@pytest.mark.parametrize(
    ("fields", "sentence"), [({"antennas": 1}, "tuple of numbers"), ({"trust": "mine"}, "logged traffic")]
)
def test_a_description_of_other_types_is_refused_when_it_is_made(
    fields: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(TypeError, match=sentence):
        driver(Good, **fields)


@pytest.mark.parametrize("streams", [[], [b""]])
def test_a_driver_without_bytes_of_its_device_is_not_checked(streams: list[bytes]) -> None:
    with pytest.raises(ContractError, match="give a capture"):
        check_driver(driver(Good), streams=streams)


@pytest.mark.parametrize("session", [Raises, CountsPieces])
def test_an_error_is_one_line_however_long_the_stream(session: type[Good]) -> None:
    with pytest.raises(ContractError) as error:
        check_driver(driver(session), streams=[b"x" * 1000])
    assert len(str(error.value)) < 250 and "\n" not in str(error.value)


def test_a_driver_that_only_listens_may_be_silent() -> None:
    check_silence(driver(Good))


def test_a_hostile_line_does_the_same_for_the_same_seed() -> None:
    data = bytes(range(256))
    first, again, other = (Link(Chance(seed), 0.1, 0.1, 0.1, 0.5).carry(data) for seed in (1, 1, 2))
    assert first == again != other
    assert Link(Chance(1)).carry(data) == data
