"""A table under a house's own rulebook: the record keeps what it said when the hands were ruled."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablebridge.app.check import check_tables
from tablebridge.app.engine import EngineProcess
from tablebridge.cli.journal import command as journal_command
from tablebridge.model.errors import ConfigError
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Site

from .conftest import START
from .test_core import command, core_of, told

HOUSE = (
    'parent = "tda-2022"\n[misdeals]\nexposed-in-cut = true\n[rules]\n"misdeal exposed-in-cut" = "H-3"\n'
    '[clauses]\nH-3 = {text = "A card that shows in the cut is a misdeal."}\n'
)
HAND = ("hand", "shuffled", "cut exposed Ah")


@pytest.fixture
def house(site: Site, tmp_path: Path) -> Path:
    """The site file of a table under a house's rulebook."""
    (tmp_path / "river.toml").write_text(HOUSE)
    path = tmp_path / "site.toml"
    path.write_text(path.read_text().replace('name = "one"\n', 'name = "one"\nrulebook = "river.toml"\n'))
    return path


def play(site: Site) -> tuple[str, str, str | None]:
    """A card shows in the cut: the rulebook's name, the street after it, and the rule that was named."""
    with core_of(site) as core:
        assert core.command(command(1, *HAND), START, retained=False).ok
        (finding,) = core.table.open_findings
        return core.table.setup.book.name, core.table.street, finding.rule


def changed(path: Path) -> None:
    path.write_text('parent = "fspr"\n')


@pytest.mark.parametrize("becomes", [changed, Path.unlink], ids=["changed", "deleted"])
def test_the_record_says_the_same_when_the_file_has_changed_or_gone(
    house: Path, becomes: Callable[[Path], None], tmp_path: Path
) -> None:
    site = load_site(house)
    assert play(site) == ("river", "void", "H-3")
    before = told(site)
    becomes(tmp_path / "river.toml")
    done = CliRunner().invoke(journal_command, ["replay", str(site.state_dir / "journal" / "one.sqlite")])
    assert done.exit_code == 0, done.output
    assert told(site) == before


def test_a_changed_file_is_for_the_next_hand(house: Path, tmp_path: Path) -> None:
    site = load_site(house)
    play(site)
    changed(tmp_path / "river.toml")
    with core_of(site) as core:
        assert core.table.setup.book.parent == "fspr"
        assert [finding.rule for finding in core.table.open_findings] == ["H-3"]


def test_a_site_whose_rulebook_cannot_be_used_is_refused_at_the_start(house: Path, tmp_path: Path) -> None:
    (tmp_path / "river.toml").write_text('parent = "tda-2022"\n[choices]\nraise_capp = 4\n')
    said = (
        f"{tmp_path / 'river.toml'}:3: choices.raise_capp: there is no such choice; did you mean raise_cap?"
    )
    with pytest.raises(ConfigError) as refused:
        check_tables(house)
    assert str(refused.value) == said
    with pytest.raises(ConfigError) as refused:
        EngineProcess(load_site(house))
    assert str(refused.value) == said


def test_the_console_takes_no_file_of_a_rulebook(house: Path) -> None:
    with core_of(load_site(house)) as core:
        reply = core.command(command(1, "rules other.toml"), START, retained=False)
        assert not reply.ok
        assert (
            reply.sentence
            == "A house rulebook's file is named in the site file; write it there and start the engine again."
        )
        assert core.command(command(2, "rules tda-2024"), START, retained=False).ok


def test_the_console_puts_a_button_right_where_the_rulebook_has_it_so(site: Site) -> None:
    with core_of(site) as core:
        assert core.command(
            command(1, "rules tda-2024", "button 1", "hand", "dealt"), START, retained=False
        ).ok
        assert core.table.to_act == 1
        assert core.command(command(2, "button 3"), START, retained=False).ok
        assert core.table.to_act == 3
        assert core.command(command(3, "call 3", "call 1"), START, retained=False).ok
        reply = core.command(command(4, "button 1"), START, retained=False)
        assert (reply.ok, reply.sentence) == (False, "A hand is under way; set up the table when it is over.")
