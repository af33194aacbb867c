"""What has happened at a table comes from its record: the same in life and after a start."""

from contextlib import closing

import pytest

from tablebridge.app import history, snapshots
from tablebridge.app.core import TableCore
from tablebridge.bus.messages import CEILING, Command, FindingMessage, HistoryRequest, encode
from tablebridge.floor.alerts import for_staff
from tablebridge.journal.read import findings
from tablebridge.journal.store import Journal
from tablebridge.model.alerts import AlertChange
from tablebridge.model.instant import later
from tablebridge.settings.site import Site

from .conftest import START
from .test_core import core_of

HAND = ("hand", "dealt", "clock 1", "flop 2c 7d Jh", "call-floor", "muck 1", "muck 2", "end")
"""A hand with findings, one of which calls the floor."""


def play(core: TableCore, first: int, hands: int) -> None:
    """Hands with findings, each alert of which is taken and closed."""
    for number in range(first, first + hands):
        at = later(START, number)
        done = core.command(
            Command(f"hand-{number}", "Olga", "operator", at.wall_ns + 1, HAND), at, retained=False
        )
        assert done.ok, done.sentence
        for alert in core.alerts.active():
            for to in ("ruled", "closed"):
                wanted = AlertChange(alert.id, to, "Anna", "talked to seat 1")  # type: ignore[arg-type]
                asked = Command(f"{alert.id}-{to}", "Anna", "floor", at.wall_ns + 1, alert=wanted)
                assert core.command(asked, at, retained=False).ok


def closed(core: TableCore) -> list[tuple[str, str, str]]:
    page = core.history.page(HistoryRequest("a", "closed-alerts"))
    return [(alert.id, alert.state, alert.life[-1].by) for alert in page.closed]


def found(core: TableCore) -> list[FindingMessage]:
    """All findings, page by page."""
    all_found: list[FindingMessage] = []
    before = 0
    for number in range(10_000):
        page = core.history.page(HistoryRequest(f"f{number}", "findings", before))
        assert len(encode(page)) <= CEILING
        all_found += page.findings
        if not (before := page.before):
            return all_found
    raise AssertionError("the pages never end")


def recorded(site: Site) -> list[str]:
    """The findings of the record, the latest first, as staff may see them."""
    with closing(Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)) as journal:
        return [repr(for_staff(finding)) for finding in findings(journal)][::-1]


@pytest.mark.parametrize("every", [20, 10**6], ids=["from a snapshot", "from all records"])
def test_a_start_changes_nothing_of_what_has_happened(
    site: Site, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    monkeypatch.setattr(snapshots, "EVERY", every)
    with core_of(site) as core:
        play(core, 1, 60)
        before = closed(core), found(core)
    with core_of(site, later(START, 100_000)) as core:
        assert (closed(core), found(core)) == before
        play(core, 61, 1)
        assert closed(core)[0] not in before[0] and before[0][0] in closed(core)
    assert len(before[0]) == 50 and before[0][0][1:] == ("closed", "Anna")


@pytest.mark.parametrize("looked_at", [1, 7, 1_000])
def test_page_by_page_every_finding_of_the_record_comes_once_with_its_time(
    site: Site, monkeypatch: pytest.MonkeyPatch, looked_at: int
) -> None:
    monkeypatch.setattr(history, "LOOKED_AT", looked_at)
    with core_of(site) as core:
        play(core, 1, 70)
        pages = found(core)
    assert [repr(message.finding) for message in pages] == recorded(site)
    assert len(pages) > 140 and len({message.rev for message in pages}) == len(pages)
    times = [message.at.wall_ns for message in pages]
    assert times == sorted(times, reverse=True) and len(set(times)) == 70


def test_a_page_is_found_in_a_bounded_number_of_records(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    with core_of(site) as core:
        play(core, 1, 3)
        lines = ("hand", *(f'say 1 "{number}"' for number in range(58)), "end")
        for number in range(40):
            asked = Command(f"calm-{number}", "Olga", "operator", later(START, 99).wall_ns, lines)
            assert core.command(asked, START, retained=False).ok
        read: list[int] = []
        backwards = Journal.backwards

        def counted(journal: Journal, before: int = 0):  # type: ignore[no-untyped-def]
            for record in backwards(journal, before):
                read.append(record.number)
                yield record

        monkeypatch.setattr(Journal, "backwards", counted)
        page = core.history.page(HistoryRequest("a", "findings"))
        assert len(read) <= history.LOOKED_AT and page.before == read[-1]
        monkeypatch.undo()
        assert found(core)


def test_more_than_one_message_holds_goes_on_where_it_was_cut(site: Site) -> None:
    with core_of(site) as core:
        for number in range(30):
            line = f'say 1 "{"ä" * 290}{number}"'
            asked = Command(f"long-{number}", "Olga", "operator", later(START, 99).wall_ns, ("hand", line))
            assert core.command(asked, START, retained=False).ok
        play(core, 100, 80)
        assert [repr(message.finding) for message in found(core)] == recorded(site)


def test_an_alert_that_is_raised_again_is_closed_no_longer(site: Site) -> None:
    with core_of(site) as core:
        play(core, 1, 1)
        kept = core.alerts.closed_last()
        finding = next(message.finding for message in found(core) if message.finding.id == kept[0].id)
        core.alerts.wait(finding, START)
        assert core.alerts.closed_last() == kept[1:]
