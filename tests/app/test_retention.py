"""The engine carries out the retention rules, and the table goes on as if nothing had been deleted."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from tablebridge.app import retention, snapshots
from tablebridge.app.core import TableCore
from tablebridge.app.redaction import stretches
from tablebridge.app.snapshots import verify_snapshots
from tablebridge.engine.views import staff_view
from tablebridge.export.account import Account, accounts
from tablebridge.journal import chain
from tablebridge.journal.read import entries
from tablebridge.journal.records import RedactionRecord, body_of
from tablebridge.journal.store import Journal
from tablebridge.model.cards import FACES, Card
from tablebridge.model.events import (
    Action,
    Basis,
    Burn,
    Deal,
    End,
    Hand,
    Seats,
    Stacks,
    Street,
    TableEvent,
)
from tablebridge.model.instant import Instant, later
from tablebridge.settings.site import Retention, Site

from .conftest import START, stamp
from .recording import TAGS, night
from .test_core import core_of

DAY = 86_400
AFTER = later(START, 100 * DAY)
NAMES = {1: "Anna Karenina", 2: "Bob the Second"}


def path_of(site: Site) -> Path:
    return site.state_dir / "journal" / "one.sqlite"


def with_rules(site: Site, **rules: str) -> Site:
    return site.model_copy(update={"retention": Retention(**rules)})


def named(site: Site, names: dict[int, str]) -> Site:
    table = site.tables[0].model_copy(update={"names": names})
    return site.model_copy(update={"tables": (table,)})


def play(core: TableCore, times: int = 1, since: int = 0) -> None:
    """Five hands, `times` over; the readings before `since` were taken before."""
    for one in stamp(night(times))[since:]:
        core.readings([one], one.at)


def carry_out(core: TableCore, now: Instant = AFTER) -> None:
    """As many portions as there may be to do."""
    for number in range(10):
        core.tick(later(now, number * (retention.EVERY_S + 1)))


def bytes_of(site: Site) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(path_of(site).parent.glob("one.sqlite*")))


def hands_of(site: Site) -> list[Account]:
    with closing(Journal(path_of(site), "one", readonly=True)) as journal:
        return list(accounts(entries(journal)))


def hidden(account: Account) -> set[Card]:
    """Its known faces that never lay open."""
    held = {card for cards in account.holes.values() for card in cards} | set(account.burns)
    return {card for card in held if card in FACES} - account.opened


def redactions(site: Site) -> list[RedactionRecord]:
    with closing(Journal(path_of(site), "one", readonly=True)) as journal:
        found = [body_of(record) for record in journal.records(0, "redaction")]
        return [record for record in found if isinstance(record, RedactionRecord)]


def rings(site: Site) -> int:
    """How often alerts that nobody answers have rung again: that goes on whatever is deleted."""
    with closing(Journal(path_of(site), "one", readonly=True)) as journal:
        return sum(1 for _ in journal.records(0, "ring"))


def test_hidden_faces_of_old_hands_go_and_the_hands_stay_what_they_were(site: Site) -> None:
    with core_of(site) as core:
        play(core, 2)
    before = hands_of(site)
    with core_of(with_rules(site, hole_cards="90 days"), AFTER) as core:
        shown = staff_view(core.table, START)
        carry_out(core)
        assert staff_view(core.table, START) == shown
        head = core._journal.head
    after = hands_of(site)
    gone = [number for number, account in enumerate(after) if hidden(before[number]) and not hidden(account)]
    kept = [number for number, account in enumerate(after) if hidden(account)]
    assert len(gone) >= 5 and max(gone) < min(kept), "but for the last hands, which can still be corrected"
    for old, new in zip(before, after, strict=True):
        assert (new.number, new.state, new.steps, new.payments) == (
            old.number,
            old.state,
            old.steps,
            old.payments,
        )
        assert (new.start, new.finish, new.board, new.opened) == (
            old.start,
            old.finish,
            old.board,
            old.opened,
        )
        assert {finding.id for finding in new.findings} == {finding.id for finding in old.findings}
    assert {record.rule for record in redactions(site)} == {"hole_cards"}
    with core_of(site, AFTER) as again:
        assert staff_view(again.table, START) == shown and again._journal.head == head


def test_every_face_that_a_record_of_an_old_hand_names_lay_open(site: Site) -> None:
    with core_of(with_rules(site, hole_cards="90 days")) as core:
        play(core, 2)
        carry_out(core)
    opened = {account.number: account.opened for account in hands_of(site)}
    with closing(Journal(path_of(site), "one", readonly=True)) as journal:
        hands = list(stretches(journal))
        assert len(hands) >= 5
        for hand in hands:
            said = b"".join(
                record.body
                for record in journal.records(hand.began)
                if record.number < hand.end and record.kind in ("entry", "finding", "snapshot")
            )
            for face in FACES - opened[hand.number]:
                assert f'"{face}"'.encode() not in said


def test_readings_go_when_their_time_is_over(site: Site) -> None:
    with core_of(site) as core:
        play(core, 2)
        tags = [bytes.fromhex(tag) for tag in TAGS.values()]
        assert any(tag in bytes_of(site) for tag in tags)
    with core_of(with_rules(site, readings="30 days"), AFTER) as core:
        carry_out(core)
        with closing(Journal(path_of(site), "one", readonly=True)) as journal:
            last = list(stretches(journal))[-1]
            assert min(row.number for row in journal.readings()) >= last.end
        assert redactions(site) == [], "readings are not of the chain"


def test_names_go_when_others_have_taken_their_place_for_long_enough(site: Site) -> None:
    year = later(START, 366 * DAY)
    first = named(site, NAMES)
    with core_of(first) as core:
        play(core)
    second = with_rules(named(site, {1: "Carl"}), names="1 year")
    with core_of(second, later(START, DAY)) as core:
        for one in stamp(night(2))[len(night()) :]:
            core.readings([msgspec.structs.replace(one, at=later(one.at, DAY))], later(one.at, DAY))
        assert b"Anna Karenina" in bytes_of(site)
        core.tick(later(START, 20 * DAY))
        assert b"Anna Karenina" in bytes_of(site), "it is not a year yet"
        carry_out(core, year)
        assert core.table.setup.names == {1: "Carl"}
        for part in ("Anna", "Karenina", "Bob the"):
            assert part.encode() not in bytes_of(site)
        assert b"Carl" in bytes_of(site), "it is in force"
    assert [record.rule for record in redactions(site)] == ["names"]
    assert all(account.names in ({}, {1: "Carl"}) for account in hands_of(site))


@pytest.mark.parametrize(
    "rules", [{}, {"hole_cards": "200 days", "readings": "200 days", "names": "200 days"}]
)
def test_nothing_goes_before_its_time_or_without_a_rule(site: Site, rules: dict[str, str]) -> None:
    with core_of(with_rules(site, **rules)) as core:
        play(core, 2)
        number = core._journal.next_number
        carry_out(core)
        assert core._journal.next_number == number + rings(site)
    assert any(map(hidden, hands_of(site)))


def test_a_clock_that_is_not_synchronised_deletes_nothing(site: Site) -> None:
    with core_of(with_rules(site, hole_cards="90 days")) as core:
        play(core, 2)
        number = core._journal.next_number
        carry_out(core, msgspec.structs.replace(AFTER, clock_synchronised=False))
        assert core._journal.next_number == number + rings(site)


def test_nothing_is_deleted_while_a_hand_is_under_way_and_little_at_once(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "MOST_HANDS", 2)
    with core_of(with_rules(site, hole_cards="90 days")) as core:
        play(core, 2)
        number = core._journal.next_number
        core.note(Hand(), AFTER)
        begun = core._journal.next_number
        assert begun > number and rings(site) == 0
        core.tick(AFTER)
        assert core._journal.next_number == begun + rings(site)
        core.note(Deal(3, Card("Ah")), AFTER)
    with core_of(with_rules(site, hole_cards="90 days"), AFTER) as core:
        assert core.table.street not in ("over", "void")
        carry_out(core)
        assert redactions(site) == []


def test_snapshots_from_before_go_and_verify_says_what_it_could_not_compare(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 20)
    with core_of(with_rules(site, hole_cards="90 days")) as core:
        play(core, 4)
        many = len(core._journal.snapshots.numbers())
        carry_out(core)
        assert len(core._journal.snapshots.numbers()) < many
    with closing(Journal(path_of(site), "one", readonly=True)) as journal:
        agree, _, unknown = verify_snapshots(journal)
        assert agree == 0 and unknown <= 2, "those of the last hands, from before which faces are gone"
    with core_of(site, AFTER) as core:
        for one in stamp(night(6))[len(night(4)) :]:
            core.readings(
                [msgspec.structs.replace(one, at=later(one.at, 100 * DAY))], later(one.at, 100 * DAY)
            )
    with closing(Journal(path_of(site), "one", readonly=True)) as journal:
        agree, _, unknown = verify_snapshots(journal)
        assert agree >= 1 and unknown <= 3


def enter(core: TableCore, basis: Basis, *events: TableEvent) -> None:
    for event in events:
        with core._transaction(START):
            core._tracker.enter(event, basis, START, START)


def check_down(core: TableCore) -> None:
    while (seat := core.table.to_act) is not None:
        enter(core, "operator", Action("call" if core.table.to_call(seat) else "check", seat))


def hand_to_the_showdown(core: TableCore, board: tuple[Street, ...]) -> None:
    """Seat 1 has aces, seat 2 kings; antennas read the board, nobody tables, and a key ends the hand."""
    enter(core, "button", Hand())
    held = {1: iter(("Ah", "Ad")), 2: iter(("Ks", "Kd"))}
    order = tuple(core.table.hand.order)  # type: ignore[union-attr]
    enter(core, "rfid", *(Deal(seat, Card(next(held[seat]))) for _ in range(2) for seat in order))
    check_down(core)
    for street in board:
        enter(core, "rfid", Burn(), street)
        check_down(core)
    enter(core, "button", End())


BOARD = (
    Street("flop", (Card("2c"), Card("7d"), Card("Jh"))),
    Street("turn", (Card("4s"),)),
    Street("river", (Card("9c"),)),
)


def test_a_showdown_that_hidden_faces_decided_is_paid_as_it_was(site: Site) -> None:
    with core_of(site) as core:
        enter(core, "operator", Seats((1, 2)), Stacks(10_000))
        for _ in range(6):
            hand_to_the_showdown(core, BOARD)
        stacks = {seat: core.table.stack(seat) for seat in (1, 2)}
        assert stacks == {1: 10_600, 2: 9_400}
    before = hands_of(site)
    with core_of(with_rules(site, hole_cards="90 days"), AFTER) as core:
        carry_out(core)
    for old, new in zip(before, hands_of(site), strict=True):
        assert (new.payments, new.finish, new.incomplete) == (old.payments, old.finish, ())
        assert hidden(new) == (set() if new.number <= 3 else hidden(old)) and len(hidden(old)) == 4
    with core_of(site, AFTER) as core:
        assert {seat: core.table.stack(seat) for seat in (1, 2)} == stacks


def test_a_journal_from_before_goes_on_and_only_what_is_written_since_is_deleted(site: Site) -> None:
    with core_of(site) as core:
        play(core)
    with closing(sqlite3.connect(path_of(site))) as db:
        previous = chain.link(b"", 0, "table", b"one")
        for row in list(chain.rows(db)):
            previous = chain.link(previous, row.number, row.kind, row.body)
            db.execute("UPDATE record SET hash = ? WHERE number = ?", (previous, row.number))
        db.execute("ALTER TABLE record DROP COLUMN proof")
        db.execute("UPDATE about SET value = '2' WHERE name = 'schema'")
        db.commit()
    before = hands_of(site)
    with core_of(with_rules(site, hole_cards="90 days", names="90 days"), START) as core:
        for one in stamp(night(3))[len(night()) :]:
            core.readings([one], one.at)
        carry_out(core)
    after = hands_of(site)
    assert [account.holes for account in after[: len(before)]] == [account.holes for account in before]
    assert any(map(hidden, before)) and not any(map(hidden, after[len(before) + 1 : -3]))
    with closing(Journal(path_of(site), "one", readonly=True)) as journal:
        assert journal.verify() > 0 and any(record.redacted for record in journal.records())


def test_what_a_restored_copy_brings_back_is_deleted_again(site: Site) -> None:
    rules = with_rules(site, hole_cards="90 days")
    with core_of(site) as core:
        play(core, 2)
    copy = path_of(site).read_bytes()
    with core_of(rules, AFTER) as core:
        carry_out(core)
    gone = [hidden(account) for account in hands_of(site)]
    path_of(site).write_bytes(copy)
    assert [hidden(account) for account in hands_of(site)] != gone
    with core_of(rules, AFTER) as core:
        carry_out(core)
    assert [hidden(account) for account in hands_of(site)] == gone
