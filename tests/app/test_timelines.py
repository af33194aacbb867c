"""What the record says of a hand afterwards: all of it, page by page, and no face that lay hidden."""

import os
import sqlite3
from contextlib import closing
from random import Random

import msgspec
import pytest

from tablebridge.app import snapshots, timelines
from tablebridge.app.core import TableCore
from tablebridge.bus.messages import CEILING, Command, TimelinePage, TimelineRequest, encode
from tablebridge.journal.read import findings
from tablebridge.journal.store import Journal
from tablebridge.model.cards import DECK_52
from tablebridge.model.instant import Instant, later
from tablebridge.model.timeline import Happened, Noticed
from tablebridge.settings.decks import save_deck
from tablebridge.settings.site import Site

from .conftest import START, stamp
from .recording import DECK, night
from .test_core import core_of

NIGHT = night()
LATER = later(START, 3600)


def played(core: TableCore) -> None:
    for one in stamp(NIGHT):
        core.readings([one], one.at)
    core.commit()


def pages(core: TableCore, now: Instant = LATER, **what: object) -> list[TimelinePage]:
    """All pages of an answer, each of which goes into a message."""
    found: list[TimelinePage] = []
    number = 0
    for count in range(10_000):
        request = TimelineRequest(
            f"r{count}",
            **{"about": "hand", "reading": "one", "page": count, "number": number, **what},  # type: ignore[arg-type]
        )
        page = core.timelines.page(request, now)
        assert len(encode(page)) <= CEILING
        found.append(page)
        number = page.number
        if not page.more:
            return found
    raise AssertionError("the pages never end")


def items(found: list[TimelinePage]) -> list[object]:
    return [item for page in found for item in page.items]


def command(number: int, role: str = "investigator", at: Instant = LATER, **what: object) -> Command:
    return Command(f"do-{number}", "Ines", role, at.wall_ns + 10**9, **what)  # type: ignore[arg-type]


def recorded(site: Site) -> list[str]:
    with closing(Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)) as journal:
        return [finding.id for finding in findings(journal)]


@pytest.mark.parametrize("every", [5, 10**6], ids=["from a snapshot", "from all records"])
def test_every_finding_is_found_again_with_its_events_and_readings(
    site: Site, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    monkeypatch.setattr(snapshots, "EVERY", every)
    with core_of(site) as core:
        played(core)
        hands = [row for page in pages(core, about="hands") for row in page.hands]
        assert [row.hand for row in hands] == [5, 4, 3, 2, 1]
        seen: list[str] = []
        for row in reversed(hands):
            found = pages(core, hand=row.hand)
            of_hand = items(found)
            events = {item.number: item for item in of_hand if isinstance(item, Happened)}
            heard = {f"{one.device}/{one.epoch}/{one.seq}" for page in found for one in page.heard}
            noticed = [item for item in of_hand if isinstance(item, Noticed)]
            seen += [item.finding.id for item in noticed]
            assert len(noticed) == row.findings
            assert all(item.again and item.entry in events for item in noticed)
            assert {one for event in events.values() for one in event.evidence} <= heard
            assert found[-1].differences == 0 and found[-1].kept
            assert found[-1].chain is not None and not found[-1].chain.broken
        before_hands = [id for id in recorded(site) if int(id.partition(".")[0]) < hands[-1].number]
        assert before_hands + seen == recorded(site)


def test_pages_fold_and_read_no_more_than_their_share(site: Site) -> None:
    with core_of(site) as core:
        played(core)
        for page in pages(core, hand=5):
            assert len(page.items) <= 3 * timelines.FOLDED and len(page.heard) <= timelines.HEARD
        assert sum(len(page.heard) for page in pages(core, hand=1)) > timelines.HEARD


def test_without_an_access_nothing_depends_on_a_face_that_lay_hidden(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same night with the hidden faces exchanged for one another gives the same pages, to the byte. The
    salts of the record, which are by chance otherwise, are the same here.
    """
    monkeypatch.setattr(os, "urandom", bytes)
    views: set[bytes] = set()
    folder = site.state_dir
    for seed in range(4):
        order = list(DECK_52)
        # What comes to lie open in the night keeps its face.
        shown = {card for number, card in enumerate(DECK_52) if 6 <= number <= 11}
        hidden = [card for card in order if card not in shown]
        mixed = list(hidden)
        Random(seed).shuffle(mixed) if seed else None
        faces = dict(zip(hidden, mixed, strict=True))
        deck = msgspec.structs.replace(
            DECK, cards={tag: faces.get(card, card) for tag, card in DECK.cards.items()}
        )
        save_deck(folder / "decks" / "red.toml", deck)
        with core_of(site) as core:
            played(core)
            # The hashes of the record cover the faces too.
            view = [
                msgspec.structs.replace(page, chain=None)
                for hand in (1, 2, 5)
                for page in pages(core, hand=hand)
            ]
            views.add(msgspec.json.encode(view))
        (folder / "journal" / "one.sqlite").unlink()
    assert len(views) == 1


def test_faces_are_given_out_only_after_their_access_is_on_record(site: Site) -> None:
    with core_of(site) as core:
        played(core)
        for role, note, hand, why in (
            ("surveillance", "dispute at seat 2", 1, "Only an investigator"),
            ("floor", "dispute at seat 2", 1, "Only an investigator"),
            ("investigator", "  ", 1, "Give the reason"),
            ("investigator", "dispute at seat 2", 77, "not over"),
        ):
            reply = core.command(
                command(len(why) + len(role), role, access="timeline", token="t1", hand=hand, note=note),
                LATER,
                retained=False,
            )
            assert not reply.ok and why in reply.sentence
        asked = command(1, access="timeline", token="t1", hand=1, note="dispute at seat 2")
        reply = core.command(asked, LATER, retained=False)
        assert reply.ok and recorded(site)[-1].startswith(f"{reply.entries[0]}.")
        access = reply.entries[0]
        for wrong in ({"hand": 2}, {"token": "t2"}, {"access": access + 1}):
            what = {"hand": 1, "access": access, "token": "t1", **wrong}
            assert "No access" in pages(core, **what)[-1].refused
        assert "No access" in pages(core, later(LATER, 601), hand=1, access=access, token="t1")[-1].refused
        masked, open_ = pages(core, hand=1), pages(core, hand=1, access=access, token="t1")
        assert not any(page.faces for page in masked) and len(open_[-1].faces) >= 6
        lines = {item.number: item.line for item in items(open_) if isinstance(item, Happened)}
        assert all(
            ("??" in item.line) == (item.line != lines[item.number])
            for item in items(masked)
            if isinstance(item, Happened)
        )
        assert sum(line.startswith("deal") and "??" not in line for line in lines.values()) >= 6


def test_the_faces_of_a_hand_wait_for_the_delay(site: Site) -> None:
    with core_of(site) as core:
        played(core)
        over = later(START, len(NIGHT) * 0.01)
        asked = command(1, at=over, access="timeline", token="t1", hand=5, note="dispute at seat 2")
        reply = core.command(asked, later(over, 0.1), retained=False)
        assert not reply.ok and "not over" in reply.sentence


def test_a_changed_record_is_named_and_what_is_before_it_is_shown(site: Site) -> None:
    path = site.state_dir / "journal" / "one.sqlite"
    with core_of(site) as core:
        played(core)
        whole = items(pages(core, hand=3))
        target = [item.number for item in whole if isinstance(item, Happened)][4]
        with closing(sqlite3.connect(path)) as db, db:
            db.execute(
                "UPDATE record SET body = CAST(replace(CAST(body AS TEXT), '1', '2') AS BLOB) "
                "WHERE number = ?",
                (target,),
            )
        found = pages(core, hand=3)
        last = found[-1].chain
        assert last is not None and last.broken == target and "changed" in last.why
        assert [item.number for item in items(found)] == [
            item.number for item in whole if item.number < target
        ]  # type: ignore[attr-defined]
        chain = None
        for _ in range(1000):
            after = (0, "") if chain is None else (chain.number, chain.hash)
            page = core.timelines.page(TimelineRequest("c", "chain", number=after[0], hash=after[1]), LATER)
            chain = page.chain
            if not page.more:
                break
        assert chain is not None and chain.broken == target


def test_a_difference_of_the_engine_is_an_item_of_its_own(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    with core_of(site) as core:
        played(core)
        monkeypatch.setattr("tablebridge.timeline.replay.same", lambda recorded, again: False)
        found = pages(core, hand=2)
        noticed = [item for item in items(found) if isinstance(item, Noticed)]
        assert found[-1].differences == len(noticed) == 2 * len([item for item in noticed if item.number])
        assert not any(item.again for item in noticed)


def test_a_review_is_appended_and_changes_nothing_else(site: Site) -> None:
    with core_of(site) as core:
        played(core)
        before = items(pages(core, hand=2))
        for number, (kind, note) in enumerate((("note", "seat 2 looked at the muck"), ("reviewed", ""))):
            reply = core.command(
                command(number, "surveillance", review=kind, hand=2, note=note), LATER, retained=False
            )
            assert reply.ok, reply.sentence
        refused = core.command(command(7, "operator", review="reviewed", hand=2), LATER, retained=False)
        assert not refused.ok and "floor and by surveillance" in refused.sentence
        assert items(pages(core, hand=2)) == before
        rows = {row.hand: row.reviewed for page in pages(core, about="hands") for row in page.hands}
    assert rows == {5: False, 4: False, 3: False, 2: True, 1: False}
    with core_of(site, LATER) as core:
        assert [step.kind for step in pages(core, hand=2)[-1].reviews] == ["note", "reviewed"]
