"""`tablebridge journal redact`: what a person asks to have deleted."""

from contextlib import closing

import pytest
from click.testing import CliRunner, Result

from tablebridge.bus.messages import Command
from tablebridge.cli import cli
from tablebridge.journal.store import Journal
from tablebridge.model.alerts import AlertChange
from tablebridge.model.instant import later
from tablebridge.settings.site import Site

from .conftest import START
from .test_core import core_of
from .test_retention import bytes_of, hands_of, hidden, named, path_of, play

ANNA = 'Anna "Ace" Ångström'
NOTE = f"spoke with {ANNA}, who agreed"


def run(site: Site, *options: str) -> Result:
    return CliRunner().invoke(cli, ["journal", "redact", str(path_of(site)), *options])


def played(site: Site) -> Site:
    """Ten hands of Anna and Bob, and an alert that speaks of her."""
    both = named(site, {1: ANNA, 2: "Bob"})
    with core_of(both) as core:
        play(core, 2)
        alert = core.alerts.active()[0]
        change = AlertChange(alert.id, "acknowledged", "", NOTE)
        asked = Command("id", "Olga", "floor", later(START, 3600).wall_ns, alert=change)
        assert core.command(asked, START, retained=False).ok
    return both


def forms(name: str) -> list[bytes]:
    """As what it may stand in a file, as JSON and as JSON in JSON, whole and in part."""
    return [name.encode(), b"ngstr", "Ångström".encode(), b"Ace"]


def test_a_name_is_gone_from_every_byte_and_everything_else_is_there(site: Site) -> None:
    played(site)
    before = hands_of(site)
    assert all(form in bytes_of(site) for form in forms(ANNA)[1:])
    done = run(site, "--name", ANNA, "--yes")
    assert done.exit_code == 0, done.output
    assert "all sound" in done.output and "take the name out of the site file too" in done.output
    assert "still stands" not in done.output
    assert [form for form in forms(ANNA) if form in bytes_of(site)] == []
    for old, new in zip(before, hands_of(site), strict=True):
        assert new.names == {seat: name for seat, name in old.names.items() if name != ANNA}
        assert (new.holes, new.steps, new.finish) == (old.holes, old.steps, old.finish)
    with closing(Journal(path_of(site), "one", readonly=True)) as journal:
        said = b"".join(record.body for record in journal.records(0, "alert"))
        assert b"spoke with ?, who agreed" in said
        assert [record.kind for record in journal.records(0, "redaction")] == ["redaction"]
    with core_of(named(site, {2: "Bob"})) as core:
        assert core.table.setup.names == {2: "Bob"} and len(core.alerts) > 0
        setups = list(core._journal.records(0, "setup"))
        assert len(setups) == 1, "to take her out of the site file is no news, which would set stacks back"


def test_a_second_request_deletes_the_other_name_of_the_same_record(site: Site) -> None:
    played(site)
    assert run(site, "--name", ANNA, "--yes").exit_code == 0
    assert run(site, "--name", "Bob", "--yes").exit_code == 0
    assert b"Bob" not in bytes_of(site)
    assert CliRunner().invoke(cli, ["journal", "verify", str(path_of(site))]).exit_code == 0


def test_the_hidden_cards_of_named_hands_go_and_those_of_others_stay(site: Site) -> None:
    played(site)
    before = hands_of(site)
    done = run(site, "--hand", "1-3", "--yes")
    assert done.exit_code == 0, done.output
    for old, new in zip(before, hands_of(site), strict=True):
        assert hidden(new) == (set() if new.number <= 3 else hidden(old))
        assert (new.payments, new.finish) == (old.payments, old.finish)
    assert any(map(hidden, before[:3]))


def test_what_cannot_be_redacted_is_said(site: Site) -> None:
    played(site)
    last = hands_of(site)[-1].number
    done = run(site, "--hand", f"{last}-{last + 2}", "--yes")
    assert f"not redacted: {last}, {last + 1}, {last + 2}; there is no such hand" in done.output
    assert "0 records redacted" in done.output
    with closing(Journal(path_of(site), "one")) as journal, journal.transaction():
        journal.record("command", {"by": "Olga Floor", "role": "floor", "reply": {"id": "x", "ok": True}})
    assert "the name still stands in 1 records" in run(site, "--name", "Olga Floor", "--yes").output


@pytest.mark.parametrize("options", [(), ("--name", ""), ("--hand", "1-5000"), ("--hand", "all")])
def test_a_request_for_nothing_or_too_much_is_refused(site: Site, options: tuple[str, ...]) -> None:
    played(site)
    before = path_of(site).read_bytes()
    done = run(site, *options, "--yes")
    assert done.exit_code != 0 and path_of(site).read_bytes() == before


def test_it_asks_first_and_needs_the_journal_for_itself(site: Site) -> None:
    with core_of(played(site)):
        done = run(site, "--name", ANNA, "--yes")
        assert done.exit_code != 0
    refused = CliRunner().invoke(cli, ["journal", "redact", str(path_of(site)), "--name", ANNA], input="n\n")
    assert refused.exit_code == 1 and "cannot be had back" in refused.output
    assert b"ngstr" in bytes_of(site)


def test_export_show_and_replay_say_that_something_is_missing(site: Site) -> None:
    played(site)
    assert run(site, "--hand", "1", "--name", "Bob", "--yes").exit_code == 0
    path = str(path_of(site))
    out = path_of(site).parent / "out"
    exported = CliRunner().invoke(cli, ["export", path, "--out", str(out)])
    assert exported.exit_code == 0 and "faces that were deleted are unknown" in exported.output
    shown = CliRunner().invoke(cli, ["journal", "show", "--json", path]).output
    assert '"redacted":true' in shown
    assert "records were redacted" in CliRunner().invoke(cli, ["journal", "replay", path]).output
    verified = CliRunner().invoke(cli, ["journal", "verify", path])
    assert verified.exit_code == 0 and "of them redacted" in verified.output
