"""The bytes of the journal's records: old journals are read for as long as tablebridge is used."""

import re
from typing import get_args

import msgspec
import pytest
from rig.documents import DOCS

from tablebridge.journal.records import (
    AlertRecord,
    Answer,
    Body,
    CalibrationRecord,
    CommandRecord,
    InstallationRecord,
    MarkRecord,
    SetupRecord,
    body_of,
)
from tablebridge.journal.store import Kind, Record
from tablebridge.model.alerts import AlertChange
from tablebridge.model.disclosure import Terms
from tablebridge.model.floor_marks import Shelve
from tablebridge.model.instant import Instant
from tablebridge.model.places import BOARD
from tablebridge.model.views import Turn

WRITTEN: list[tuple[str, Body, bytes]] = [
    (
        "command",
        CommandRecord("Olga", "operator", Answer("id-1", True, "", (7, 9), 9, turn=Turn("1.7", 3, 200))),
        b'{"by":"Olga","role":"operator","reply":{"id":"id-1","ok":true,"sentence":"","entries":[7,9],"rev":9,'
        b'"late":false,"turn":{"name":"1.7","seat":3,"to_call":200},"moved":false,"schema":1}}',
    ),
    (
        "alert",
        AlertRecord(AlertChange("a.1", "closed", "Anna", "seen", done=(1, 2)), Instant(5, 7)),
        b'{"change":{"alert":"a.1","to":"closed","by":"Anna","note":"seen","line":"","over":false,'
        b'"done":[1,2]},"at":[5,7,"",true]}',
    ),
    (
        "mark",
        MarkRecord(Shelve("a.1", 10, "seat change", "Anna"), Instant(5, 7)),
        b'{"mark":{"mark":"shelve","alert":"a.1","minutes":10,"why":"seat change","by":"Anna"},'
        b'"at":[5,7,"",true]}',
    ),
    ("setup", SetupRecord("{}"), b'{"section":"{}"}'),
    (
        "calibration",
        CalibrationRecord("main.0a", {"reader/0": 2}, Instant(5, 7)),
        b'{"name":"main.0a","stays":{"reader/0":2},"at":[5,7,"",true]}',
    ),
    (
        "installation",
        InstallationRecord("1.0", Terms(30.0, "hand-over", True), {"board": {0: BOARD}}, {"red": "ab"}),
        b'{"software":"1.0","terms":{"delay_s":30.0,"reveal":"hand-over","hole_cards":true},'
        b'"antennas":{"board":{"0":"board"}},"decks":{"red":"ab"}}',
    ),
]


@pytest.mark.parametrize(("kind", "body", "written"), WRITTEN, ids=[kind for kind, _, _ in WRITTEN])
def test_a_record_is_written_and_read_as_it_always_was(kind: str, body: Body, written: bytes) -> None:
    assert msgspec.json.encode(body) == written
    assert body_of(Record(1, kind, written)) == body


def test_a_change_of_an_alert_from_before_steps_were_ticked_is_read() -> None:
    written = b'{"change":{"alert":"a.1","to":"closed","by":"Anna"},"at":[5,7,"",true]}'
    assert body_of(Record(1, "alert", written)) == AlertRecord(
        AlertChange("a.1", "closed", "Anna"), Instant(5, 7)
    )


def test_the_page_of_the_journal_names_the_kinds_of_records_and_no_other() -> None:
    table = (DOCS / "journal.md").read_text().split("## What it holds")[1].split("Each record carries")[0]
    assert re.findall(r"^\| `([a-z]+)` \|", table, re.MULTILINE) == list(get_args(Kind))
