"""What sensing assumes: numbers have a source, impossible ones are refused, what is passed in decides."""

import ast
import inspect
import re

import msgspec
import pytest

from tablebridge.model.events import ForeignTag
from tablebridge.model.expectation import Expectation
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD, MUCK, seat_place
from tablebridge.model.readings import Stamped, Sweep
from tablebridge.sensing import dynamics
from tablebridge.sensing.cards.cross_reads import CrossReads
from tablebridge.sensing.cards.placement import Placement
from tablebridge.sensing.cards.rates import rates
from tablebridge.sensing.cards.seat import SeatCards
from tablebridge.sensing.cards.table_model import TableModel
from tablebridge.sensing.dynamics import (
    ASSUMED,
    Dynamics,
    FoldTimes,
    Part,
    PresenceBounds,
    SeatTimes,
    TagBounds,
)
from tablebridge.sensing.sensor import Sensor
from tablebridge.sensing.tags.registry import DeckRegistry

from .conftest import CARDS, VISIT_NS

PARTS = [each for each in vars(dynamics).values() if inspect.isclass(each) and issubclass(each, Part)]
SOURCE = re.compile(r"\b(assumed|set|derived|measured)\b")


@pytest.mark.parametrize("part", [part for part in PARTS if part not in (Part, Dynamics)])
def test_every_number_has_a_source(part: type) -> None:
    (body,) = ast.parse(inspect.getsource(part)).body
    assert isinstance(body, ast.ClassDef)
    if SOURCE.search(ast.get_docstring(body) or ""):
        return
    unexplained: list[str] = []
    for line in body.body[1:]:
        if isinstance(line, ast.AnnAssign):
            assert isinstance(line.target, ast.Name)
            unexplained.append(line.target.id)
        elif isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant):
            assert SOURCE.search(str(line.value.value)), unexplained
            unexplained.clear()
    assert unexplained == []


@pytest.mark.parametrize(
    ("part", "values"),
    [
        (PresenceBounds, {"lifted": 1.2}),
        (PresenceBounds, {"long_visits": 0}),
        (SeatTimes, {"look_s": -1.0}),
        (SeatTimes, {"look_s": 0.0}),
        (SeatTimes, {"step_s": 0.8}),
        (PresenceBounds, {"back": 0.95}),
        (TagBounds, {"foreign_reads": 2.5}),
        (Dynamics, {"seat": None}),
    ],
)
def test_what_cannot_be_is_refused_by_its_name(part: type[Part], values: dict[str, object]) -> None:
    (name,) = values
    with pytest.raises(ValueError, match=f"{part.__name__}.{name} is "):
        part(**values)


def test_it_can_be_kept_and_read_again() -> None:
    learnt = Dynamics(seat=SeatTimes(look_s=6.5))
    assert msgspec.json.decode(msgspec.json.encode(learnt), type=Dynamics) == learnt != ASSUMED
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"seat": {"look_s": -1.0}}', type=Dynamics)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"seat": {"looks_s": 8.0}}', type=Dynamics)


def mucked(times: SeatTimes) -> float:
    """How likely two cards lie in the muck that were read for two seconds and are silent for one."""
    dynamics = Dynamics(seat=times)
    model = TableModel(rates(1.0), dynamics, CrossReads(dynamics.cross, rates(1.0)))
    seat = SeatCards(seat_place(4), model, 0)
    for tag in "AB":
        seat.add_card(tag, Placement(model, seat.place, model.rates.own["seat"]))
    for number in range(1, 31):
        seat.pass_time(number * 100_000_000, "playing")
        assert sum(seat.shares) == pytest.approx(1.0), "time loses nothing"
        assert min(seat.shares) >= 0
        seat.observe_report(seat.place, ("A", "B") if number <= 20 else (), 1)
    return seat.mucked("A")


def test_people_who_fold_more_and_look_less_have_folded_more_likely() -> None:
    folders = SeatTimes(look_s=20.0, playing=FoldTimes(10.0, 15.0, 8.0))
    assert 1 - mucked(folders) < 0.7 * (1 - mucked(SeatTimes()))


@pytest.mark.parametrize("reads", [1, 3, 5])
def test_a_stray_tag_is_reported_after_the_reads_that_were_passed_in(reads: int) -> None:
    sensor = Sensor(
        {("reader", 0): BOARD, ("reader", 1): MUCK},
        {},
        DeckRegistry.of(CARDS),
        dynamics=Dynamics(tags=TagBounds(foreign_reads=reads)),
    )
    sensor.begin_hand()
    reported = []
    for number in range(1, 8):
        stamped = Stamped("reader", "e", number, Instant(0, number * VISIT_NS), Sweep(0, ("E00401FFFF",)))
        concluded = sensor.update(stamped, Expectation("betting", live=(1, 2)))
        reported += [number for each in concluded if isinstance(each.event, ForeignTag)]
    assert reported == [reads]
