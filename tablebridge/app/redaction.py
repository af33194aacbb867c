"""What is to stand in place of records from which hidden faces or names are deleted, by number.

The state of a table does not depend on what is deleted: the engine follows hidden cards by names without
meaning (`engine/hidden/deletion.py`), what its pots were paid stands in a record of its own, and no ruling
depends on what a player is called. Snapshots hold names and faces of the hands before them: those are
dropped, and their records lose the digest, by which a guess could be confirmed.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from tablebridge.engine.hidden.deletion import HiddenFaces
from tablebridge.journal.records import PaymentsRecord, SetupRecord, SnapshotRecord, body_of, entry_of
from tablebridge.journal.store import Journal, Record
from tablebridge.model.events import Amend, Entry, Hand, Insert, Names
from tablebridge.model.findings import Finding

_ENCODER: Final = msgspec.json.Encoder()
_NAMES: Final = b'"event":"names"'
_FREE_TEXTS: Final = ("note", "words", "sentence", "line", "detail")
"""Where people's words stand in records."""
_GONE: Final = "?"
Instead = dict[int, bytes]


class Stretch(NamedTuple):
    """The records of one hand that can no longer be corrected: from number `began` to before `end`. `number`:
    of the hand. No correction of it comes after the record `settled`.
    """

    number: int
    began: int
    end: int
    settled: int


def stretches(journal: Journal, since: int = 0) -> Iterator[Stretch]:
    """The hands that began with the record `since` or later and can no longer be corrected, but for the last
    of them; none of them has a record that cannot be redacted.
    """
    since = max(since, journal.redactor.first)
    settled = (
        (record.number, payments)
        for record in journal.records(since, "payments")
        if isinstance(payments := body_of(record), PaymentsRecord) and payments.began >= since
    )
    for (number, hand), (_, following) in pairwise(settled):
        yield Stretch(hand.number, hand.began, following.began, number)


def without_hidden_faces(journal: Journal, hand: Stretch) -> Instead:
    """The records of the hand without the faces that never lay open."""
    records = list(_until(journal, hand.began, hand.settled))
    bodies = {record.number: body_of(record) for record in records if record.kind in ("entry", "finding")}
    entries = [body for body in bodies.values() if isinstance(body, Entry)]
    findings = {
        number: body
        for number, body in bodies.items()
        if isinstance(body, Finding) and hand.began <= body.evidence[0] < hand.end
    }
    hidden = HiddenFaces(entries, hand.end, findings.values())
    changed: dict[int, Entry | Finding] = {
        entry.id: hidden.entry(entry) for entry in entries if hidden.of_hand(entry)
    }
    changed |= {number: hidden.finding(finding) for number, finding in findings.items()}
    instead = {number: _ENCODER.encode(body) for number, body in changed.items() if body != bodies[number]}
    if instead:
        # By this whoever folds it knows to look for how it was paid.
        instead[hand.began] = _ENCODER.encode(next(e for e in entries if isinstance(e.event, Hand)))
    return instead


def names_in(journal: Journal, since: int, end: int) -> Iterator[Record]:
    """The records in which names of players are entered, from number `since` on."""
    for record in _until(journal, since, end - 1):
        if record.kind == "setup" or (record.kind == "entry" and _NAMES in record.body):
            yield record


def without_names(record: Record) -> Instead:
    """The record without any name."""
    if record.kind == "setup":
        return {record.number: _ENCODER.encode(SetupRecord(""))}
    entry = entry_of(record)
    return {} if entry is None else {record.number: _ENCODER.encode(_nameless(entry, None))}


def without_name(record: Record, name: str) -> Instead:
    """The record without this name, if it is in it: as what a player is called, and in people's words."""
    if not _holds(record, name):
        return {}
    if record.kind == "setup":
        return {record.number: _ENCODER.encode(SetupRecord(_section_without(record, name)))}
    entry = entry_of(record)
    if entry is not None and _NAMES in record.body:
        changed = _ENCODER.encode(_nameless(entry, name))
    else:
        changed = _ENCODER.encode(_silenced(msgspec.json.decode(record.body), name))
    return {} if changed == record.body else {record.number: changed}


def _holds(record: Record, name: str) -> bool:
    # The section of a setup is JSON in JSON.
    quoted = _ENCODER.encode(name)[1:-1]
    return quoted in record.body or _ENCODER.encode(quoted.decode())[1:-1] in record.body


def without_snapshots(journal: Journal, since: int, through: int) -> Instead:
    """Drop, inside the open transaction, the snapshots that need a record up to the number `through`; what is
    to stand in place of their records, and of those of older ones from the record `since` on.
    """
    dropped = (
        [
            record
            for number in journal.snapshots.numbers()
            for record in journal.records(number)
            if record.number == number and _needs(record, through)
        ]
        if through
        else []
    )
    for record in dropped:
        journal.snapshots.delete(record.number)
    passed = (record for record in _until(journal, since, through) if record.kind == "snapshot")
    return {
        record.number: _ENCODER.encode(replace(made, digest=""))
        for record in (*dropped, *passed)
        if not record.redacted and isinstance(made := body_of(record), SnapshotRecord)
    }


def _needs(record: Record, through: int) -> bool:
    made = body_of(record) if record.kind == "snapshot" else None
    return isinstance(made, SnapshotRecord) and made.since <= through


def _until(journal: Journal, since: int, last: int) -> Iterator[Record]:
    return takewhile(lambda record: record.number <= last, journal.records(since))


def _section_without(record: Record, name: str) -> str:
    """The section of a setup as it is written if the site file does not have the name: so nothing is news
    when it is taken out there.
    """
    setup = body_of(record)
    section = setup.section if isinstance(setup, SetupRecord) else ""
    if not section:
        return ""
    table, end = json.JSONDecoder().raw_decode(section)
    table["names"] = {seat: called for seat, called in table["names"].items() if called != name}
    if table.get("public_names") is not None:
        table["public_names"] = [called for called in table["public_names"] if called != name]
    return json.dumps(table, ensure_ascii=False, separators=(",", ":")) + section[end:]


def _nameless(entry: Entry, name: str | None) -> Entry:
    """The entry of names without this one, or without all."""
    event = entry.event
    if isinstance(event, Amend):
        return replace(
            entry, event=replace(event, instead=_nameless(replace(entry, event=event.instead), name).event)
        )
    if isinstance(event, Insert):
        inserted = _nameless(replace(entry, event=event.inserted), name).event
        return replace(entry, event=replace(event, inserted=inserted))
    if not isinstance(event, Names):
        return entry
    kept = {} if name is None else {seat: called for seat, called in event.by_seat.items() if called != name}
    public = {seat: called for seat, called in event.public.items() if seat in kept}
    return replace(entry, event=Names(kept, public))


def _silenced(value: Any, name: str, key: str = "") -> Any:
    """The JSON value without the name in people's words."""
    if isinstance(value, dict):
        return {key: _silenced(held, name, key) for key, held in value.items()}
    if isinstance(value, list):
        return [_silenced(held, name, key) for held in value]
    return value.replace(name, _GONE) if isinstance(value, str) and key in _FREE_TEXTS else value


class Requested(NamedTuple):
    """What a request deleted. `records`: from how many; `erased`: whether no file has it any more; `left`: in
    how many the names still stand, since an older tablebridge wrote them or as who did something; `hands`:
    those that cannot be redacted.
    """

    records: int
    erased: bool
    left: int
    hands: tuple[int, ...]


def redact_on_request(
    journal: Journal, names: Sequence[str], hands: Sequence[int], by: str, wall_ns: int
) -> Requested:
    """Delete names wherever they stand, and the hidden faces of these hands with the readings up to them,
    from a journal that no engine has open, and from its file. All its snapshots are dropped.
    """
    instead: Instead = {}
    of_number = {hand.number: hand for hand in stretches(journal)} if hands else {}
    for number in hands:
        if number in of_number:
            instead |= without_hidden_faces(journal, of_number[number])
    for record in journal.records(journal.redactor.first) if names else ():
        for name in names:
            changed = instead.get(record.number, record.body)
            instead |= without_name(replace(record, body=changed), name)
    with journal.transaction():
        if instead:
            instead = without_snapshots(journal, journal.redactor.first, journal.next_number) | instead
            if ends := [hand.end for number, hand in of_number.items() if number in hands]:
                journal.forget_readings(max(ends))
            journal.redactor.redact(instead, "request", by, wall_ns)
    if instead:
        journal.redactor.vacuum()
    erased = journal.redactor.erase()
    left = sum(any(_holds(record, name) for name in names) for record in journal.records()) if names else 0
    return Requested(len(instead), erased, left, tuple(number for number in hands if number not in of_number))
