"""What the room may read of a record: everything but faces that do not lie open."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from benchmarks.faces import Made
from tablebridge.engine.hidden.entrance import hides
from tablebridge.engine.table import Table
from tablebridge.journal.chain import Row, new_row
from tablebridge.journal.reader import ChainReader
from tablebridge.model import events as ev
from tablebridge.model.cards import Card
from tablebridge.model.findings import Finding
from tablebridge.model.instant import START
from tablebridge.model.sentences import sentence_of
from tablebridge.sim.room.dealt import DealtTable
from tablebridge.uplink.opened import opened

FACE = re.compile(rb'"[2-9TJQKA][cdhs]\*?"')
NAMED = re.compile(r"\b[2-9TJQKA][cdhs]\b")
HIDDEN = (
    ev.Deal(3, Card("Ah")),
    ev.Burn(Card("Ah")),
    ev.Draw(3, 1, (Card("Ah"),)),
    ev.Seen(Card("Ah"), ev.Place("muck")),
    ev.Shuffler("boxed", (Card("Ah"),)),
    ev.DeckCheck((Card("Ah"), Card("Kd"))),
    ev.Doubt(Card("Ah"), {ev.Place("muck"): 1.0}),
    ev.ClonedTag(Card("Ah"), (ev.Place("muck"), ev.Place("burn"))),
    ev.DeviceState("antennas", "stale", silent=Card("Ah")),
    ev.Marked(Card("Ah")),
    ev.Amend(1, ev.Deal(3, Card("Ah"))),
    ev.Insert(1, ev.Deal(3, Card("Ah"))),
)
OPEN = (
    ev.Street("flop", (Card("Ah"), Card("Kd"), Card("2c"))),
    ev.Tabled(3, (Card("Ah"), Card("Kd"))),
    ev.Deal(3, Card("Ah"), up=True),
    ev.Action("fold", 3),
)


def row(kind: str, body: object) -> Row:
    return new_row(b"", 1, kind, msgspec.json.encode(body))


@pytest.mark.parametrize("event", HIDDEN, ids=repr)
def test_a_face_that_does_not_lie_open_is_not_readable(event: ev.TableEvent) -> None:
    readable = opened(row("entry", ev.Entry(1, START, event, "rfid")))
    assert not readable.whole
    assert not FACE.search(readable.body)


@pytest.mark.parametrize("event", HIDDEN, ids=repr)
def test_what_stands_in_for_a_hidden_face_hides_it_as_the_event_does(event: ev.TableEvent) -> None:
    assert hides(event)
    assert hides(ev.Amend(1, event))
    assert hides(ev.Insert(1, event))


@pytest.mark.parametrize("event", OPEN, ids=repr)
def test_what_lies_open_lies_open_wherever_it_stands(event: ev.TableEvent) -> None:
    assert not hides(event)
    assert not hides(ev.Insert(1, event))


@pytest.mark.parametrize("event", OPEN, ids=repr)
def test_what_lies_open_travels_as_it_is(event: ev.TableEvent) -> None:
    record = row("entry", ev.Entry(1, START, event, "rfid"))
    assert opened(record)[:2] == (record.body, True)


def test_a_finding_keeps_the_faces_that_lie_open() -> None:
    found = Finding("1.0", "misdeal", "critical", "tda-2022", "t1", 1, "deal")
    both = msgspec.structs.replace(found, cards=(Card("Ah"), Card("Kd")), public_cards=(Card("Kd"),))
    readable = opened(row("finding", both))
    assert not readable.whole
    assert FACE.findall(readable.body) == [b'"Kd"', b'"Kd"']


@pytest.mark.parametrize("record", [row("unheard-of", {"card": "Ah"}), row("entry", {"card": "Ah"})])
def test_what_is_not_known_here_travels_sealed_as_a_whole(record: Row) -> None:
    assert opened(record)[:2] == (b"null", False)


def test_no_face_of_a_hand_that_was_not_shown_is_readable(tmp_path: Path) -> None:
    table = DealtTable(tmp_path / "t.sqlite", "t", seed=3)
    table.deal(6)
    table.close()
    shown: set[bytes] = set()
    for record in rows(tmp_path / "t.sqlite"):
        body = opened(record).body
        if b'"event":"street"' in body or b'"event":"table"' in body:
            shown |= set(FACE.findall(body))
        assert set(FACE.findall(body)) <= shown


def test_neither_a_finding_nor_its_sentence_names_a_face_that_does_not_lie_open() -> None:
    hidden = 0
    for seed in range(30):
        table = Table("table")
        for entry in Made(seed).entries:
            for finding in table.apply(entry).findings:
                told = msgspec.json.decode(opened(row("finding", finding)).body, type=Finding)
                hidden += len(set(finding.cards) - set(told.cards))
                lying = {str(card) for card in finding.public_cards}
                assert {str(card) for card in told.cards} <= lying
                assert set(NAMED.findall(sentence_of(told))) <= lying
    assert hidden > 20


def rows(path: Path) -> Iterator[Row]:
    reader = ChainReader(path)
    yield from reader.after(0, 100_000)
    reader.close()
