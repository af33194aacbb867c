"""Where records have their places in a chain: every order and every deceit, without a database."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from tablebridge.archive.chains import MOST_SEGMENTS, Arrived, Chains, Head, Placed
from tablebridge.journal.chain import Row, link, new_row
from tablebridge.stream.message import RecordMessage

FIRST = link(b"", 0, "table", b"t1")


def chain(count: int, after: int = 0, before: bytes = FIRST) -> list[RecordMessage]:
    """Messages of a chain; numbers leave gaps, as readings do."""
    made: list[RecordMessage] = []
    for number in range(after + 1, after + 1 + 2 * count, 2):
        row = new_row(before, number, "entry", b'{"a":1}')
        made.append(message(row, after, before))
        after, before = row.number, row.hash
    return made


def message(row: Row, after: int, before: bytes) -> RecordMessage:
    salt = (row.proof or b"")[1:]
    body = msgspec.Raw(row.body)
    return RecordMessage("t1", row.number, row.kind, after, before, row.hash, body, salt)


class Table:
    """What a database would have stored."""

    def __init__(self) -> None:
        self.hashes: dict[int, list[bytes]] = {}
        self.heads: list[Head] = []
        self.again: set[int] = set()

    def place(self, *messages: RecordMessage, patient: bool = True, gone: int = 0) -> Placed:
        chains = Chains("t1", self.heads, lambda number: self.hashes.get(number, []), gone)
        placed = chains.place([Arrived(key, one, patient) for key, one in enumerate(messages)])
        for key in placed.appended:
            self.hashes.setdefault(messages[key].number, []).append(messages[key].hash)
        ids = {begun.segment: 1000 + len(self.heads) - begun.segment for begun in placed.begun}
        self.again |= {ids[begun.segment] for begun in placed.begun if begun.reason == "sent-again"}
        self.heads = [
            Head(ids.get(segment, segment), *head, again=ids.get(segment, segment) in self.again)
            for segment, head in chains.heads().items()
        ]
        return placed

    def retain(self, first: RecordMessage, last: RecordMessage) -> None:
        """Forget all up to the last of these, but for what of them stays known."""
        for number in [number for number in self.hashes if number <= last.number]:
            del self.hashes[number]
        for message in (first, last):
            self.hashes[message.number] = [message.hash]


def found(placed: Placed) -> list[tuple[str, int]]:
    return [(noticed.finding, noticed.number) for noticed in placed.noticed]


@given(st.data())
def test_whatever_the_batches_and_however_often_they_come_each_record_is_stored_once(
    data: st.DataObject,
) -> None:
    records = chain(12)
    table = Table()
    left = set(range(len(records)))
    while left:
        picked = data.draw(st.lists(st.integers(0, len(records) - 1), min_size=1, max_size=8))
        picked += [min(left)]
        placed = table.place(*(records[at] for at in picked))
        assert found(placed) == []
        left -= {picked[key] for key in placed.appended}
    assert {number: len(hashes) for number, hashes in table.hashes.items()} == {
        record.number: 1 for record in records
    }
    assert [(head.number, head.hash) for head in table.heads] == [(records[-1].number, records[-1].hash)]


def test_a_fork_begins_a_segment_and_both_go_on() -> None:
    records, table = chain(6), Table()
    fork = chain(3, records[2].number, records[2].hash)
    table.place(*records[:5])
    assert found(table.place(fork[0])) == [("forked-chain", fork[0].number)]
    assert found(table.place(records[5], *fork[1:])) == []
    assert sorted(head.number for head in table.heads) == sorted([records[-1].number, fork[-1].number])


def test_a_record_whose_predecessor_is_missing_waits_and_then_is_a_hole() -> None:
    records, table = chain(6), Table()
    table.place(*records[:2])
    assert table.place(*records[4:]).waiting == [0, 1]
    placed = table.place(*records[4:], patient=False)
    assert [(one.finding, one.number, one.after) for one in placed.noticed] == [
        ("hole", records[4].number, records[3].number)
    ]
    assert found(table.place(*records[2:4])) == []


def test_another_chain_of_the_same_table_is_found_with_its_first_record() -> None:
    table = Table()
    table.place(*chain(3))
    assert found(table.place(*chain(3))) == [("new-chain", 1)]


def test_the_chain_of_another_table_is_found() -> None:
    other = chain(2, before=link(b"", 0, "table", b"t2"))
    assert found(Table().place(*other)) == [("other-table", 1)]


def test_contents_that_do_not_agree_with_their_hash_are_found_and_the_chain_goes_on() -> None:
    records, table = chain(4), Table()
    rewritten = msgspec.structs.replace(records[1], body=msgspec.Raw(b'{"a":2}'))
    placed = table.place(records[0], rewritten, *records[2:])
    assert found(placed) == [("rewritten-record", rewritten.number)]
    assert len(placed.appended) == 4


def test_a_record_that_an_older_tablebridge_wrote_is_no_hole() -> None:
    first, *rest = chain(3, after=100, before=bytes(32))
    begins = msgspec.structs.replace(first, begins=True)
    assert found(Table().place(begins, *rest)) == [("begins-late", 101)]


@given(st.data())
def test_what_is_sent_again_after_retention_is_no_fork_and_doubles_nothing_that_stayed(
    data: st.DataObject,
) -> None:
    records, table = chain(12), Table()
    last = records[data.draw(st.integers(1, 10))]
    table.place(*records)
    table.retain(records[0], last)
    noticed = []
    left = list(records)
    while left:
        part = left[: data.draw(st.integers(1, 12))]
        noticed += found(table.place(*part, gone=last.number, patient=data.draw(st.booleans())))
        left = left[len(part) :]
    assert {finding for finding, _ in noticed} <= {"sent-again"}
    assert len(noticed) <= 1
    assert all(len(hashes) == 1 for hashes in table.hashes.values())


def test_a_branch_from_before_what_went_is_a_fork_when_it_passes_that() -> None:
    records, table = chain(8), Table()
    branch = chain(8, records[1].number, records[1].hash)
    table.place(*records)
    table.retain(records[0], records[5])
    gone = records[5].number
    assert table.place(*branch, gone=gone).waiting
    noticed = found(table.place(*branch[:2], gone=gone, patient=False))
    noticed += found(table.place(*branch[2:], gone=gone))
    passed = min(one.number for one in branch if one.number >= gone)
    assert noticed == [("sent-again", branch[0].number), ("forked-chain", passed)]


def test_nobody_begins_chains_without_end() -> None:
    table = Table()
    for _ in range(MOST_SEGMENTS):
        assert not table.place(*chain(1)).refused
    placed = table.place(*chain(1))
    assert placed.refused == [0]
    assert found(placed) == [("too-many-chains", 1)]
