"""With what the engine runs is in the record, and a change of what the broadcast may see is an alert."""

from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from tablebridge import __version__
from tablebridge.bus.messages import Command
from tablebridge.cli.journal import command as journal_command
from tablebridge.journal.read import entries, findings
from tablebridge.journal.records import InstallationRecord, body_of
from tablebridge.journal.store import Journal
from tablebridge.model.disclosure import Disclosure, Terms
from tablebridge.model.places import seat_place
from tablebridge.settings.site import Site

from .conftest import START
from .recording import DECK, PLACES
from .test_core import core_of
from .test_delay import web


def recorded(site: Site) -> tuple[list[InstallationRecord], list[Disclosure], list[str]]:
    """Installations, changed terms, and findings."""
    journal = Journal(site.state_dir / "journal" / "one.sqlite", "one", readonly=True)
    try:
        bodies = [body_of(record) for record in journal.records() if record.kind == "installation"]
        return (
            [body for body in bodies if isinstance(body, InstallationRecord)],
            [entry.event for entry in entries(journal) if isinstance(entry.event, Disclosure)],
            [finding.finding for finding in findings(journal)],
        )
    finally:
        journal.close()


def open_close(site: Site) -> None:
    with core_of(site):
        pass


def test_version_antennas_decks_and_terms_are_in_the_record_once_until_they_change(site: Site) -> None:
    open_close(site)
    open_close(site)
    (installation,), changed, found = recorded(site)
    assert (installation.software, changed, found) == (__version__, [], [])
    assert installation.terms == Terms(0.5, "hand-over", True)
    assert installation.antennas == {"board": dict(enumerate(PLACES, 1))}
    assert list(installation.decks) == ["red"]
    text = msgspec.json.encode(installation).decode()
    assert not any(tag in text for tag in DECK.cards), "which tag is which card is no part of it"


def test_another_deck_or_antenna_is_another_record(site: Site) -> None:
    open_close(site)
    deck = site.state_dir / "decks" / "red.toml"
    first, last = 'Ah = "E0040150', 'Ah = "E0040151'
    deck.write_text(deck.read_text().replace(first, last))
    open_close(site)
    device = site.tables[0].devices[0].model_copy(update={"antennas": {1: seat_place(2)}})
    table = site.tables[0].model_copy(update={"devices": (device,)})
    open_close(site.model_copy(update={"tables": (table,)}))
    installations, changed, _ = recorded(site)
    assert len({one.decks["red"] for one in installations}) == 2
    assert [len(one.antennas["board"]) for one in installations] == [len(PLACES), len(PLACES), 1]
    assert changed == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"overlay_delay_s": 0.0},
            "Before: 0.5 s late, hole cards after their hand. Now: 0 s late, hole cards after their hand.",
        ),
        ({"overlay_reveal": "delay"}, "Now: 0.5 s late, hole cards even before the end of their hand."),
        ({"overlay_hole_cards": False}, "Now: 0.5 s late, no hole cards."),
    ],
)
def test_a_change_of_when_hole_cards_are_shown_is_an_alert_with_before_and_after(
    site: Site, change: dict[str, Any], words: str
) -> None:
    open_close(site)
    other = web(site, **change)
    with core_of(other) as core:
        (alert,) = core.alerts.active()
        assert (alert.finding, alert.severity, alert.remedy) == (
            "disclosure-changed",
            "warning",
            ("stop-broadcast",),
        )
        assert words in alert.sentence
    open_close(other)
    installations, (changed,), found = recorded(site)
    assert (changed.before, changed.terms) == (installations[0].terms, installations[1].terms)
    assert changed.before == Terms(0.5, "hand-over", True) and found == ["disclosure-changed"]
    with core_of(other) as core:
        assert [alert.finding for alert in core.alerts.active()] == ["disclosure-changed"], (
            "it outlives a restart"
        )
        undo = Command(
            "undo",
            "Olga",
            "operator",
            START.wall_ns + 1,
            undo=int(core.alerts.active()[0].id.partition(".")[0]),
        )
        assert core.command(undo, START, retained=False).ok
        assert [(alert.finding, alert.cleared) for alert in core.alerts.active()] == [
            ("disclosure-changed", False)
        ], "and undo"


def test_the_commands_that_read_a_journal_cope_with_old_and_new_records(site: Site) -> None:
    path = site.state_dir / "journal" / "one.sqlite"
    open_close(site)
    # What a version wrote that knew no token, no delay and no time of its own.
    at = msgspec.json.encode(START).decode()
    old = Journal(path, "one")
    with old.transaction():
        number = old.next_number
        sentence = "Hole cards were given out through stream."
        old.record(
            "entry",
            msgspec.Raw(
                f'{{"id":{number},"at":{at},"event":{{"event":"access","feed":"stream"}},"basis":"operator","by":"Studio"}}'.encode()
            ),
        )
        old.record(
            "finding",
            msgspec.Raw(
                f'{{"id":"{number}.0","finding":"hole-card-access","severity":"info","rulebook":"tda-2022","table":"one","hand":0,'
                f'"street":"over","sentence":"{sentence}","evidence":[{number}]}}'.encode()
            ),
        )
    old.close()
    open_close(web(site, overlay_delay_s=60.0))
    run = CliRunner()
    for arguments, words in (
        (["verify"], "all sound"),
        (["replay"], "identical"),
        (["show"], "# overlay 60 s late"),
        (["show", "--json"], '"kind":"installation"'),
    ):
        answer = run.invoke(journal_command, [*arguments, str(path)])
        assert answer.exit_code == 0 and words in answer.output, answer.output
