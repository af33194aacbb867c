"""The example of a camera holds the contract of drivers, and what it says becomes events of the table."""

import importlib.util
from typing import Any

import pytest
from rig.documents import DOCS

from tablebridge.model.cards import UNKNOWN
from tablebridge.model.events import Boxed
from tablebridge.model.key_events import Exposed
from tablebridge.model.places import seat_place
from tablebridge.model.readings import Look
from tablebridge.sdk import Rejected
from tablebridge.sdk.testing import check_driver
from tests.sensing.test_camera import Felt


@pytest.fixture(scope="module")
def camera() -> Any:
    spec = importlib.util.spec_from_file_location(
        "table_camera", DOCS / "examples" / "table-camera" / "table_camera.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_example_holds_the_contract(camera: Any) -> None:
    check_driver(camera.DRIVER, streams=[b"ok\nseat 1,face-up,4000\nseat 2,boxed,3\nok\nboard,nothing,1\n"])


@pytest.mark.parametrize(
    "line",
    [b"seat 11,boxed,3", b"seat 1,Ah,3", b"seat 1,boxed,0", b"seat 1,boxed,10001", b"seat 1,boxed", b"x"],
)
def test_what_is_no_look_is_rejected(camera: Any, line: bytes) -> None:
    (said,) = camera.decode(line + b"\n")
    assert isinstance(said, Rejected)


def test_what_the_example_says_becomes_boxed_and_exposed(camera: Any) -> None:
    looks = camera.decode(b"seat 1,face-up,4000\nseat 2,boxed,4000\n")
    assert looks == (Look(seat_place(1), "face-up", 4_000.0), Look(seat_place(2), "boxed", 4_000.0))
    felt = Felt()
    felt.visits(3)
    for card, seat in (("Ah", 1), ("Kd", 2), ("Qc", 1)):
        felt.deal(card, seat)
    for look in looks:
        felt.give(look, "eye")
    assert felt.count(Exposed()) == felt.count(Boxed(UNKNOWN)) == 1
