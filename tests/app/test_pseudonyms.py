"""A name leaves the house only with consent."""

import msgspec
import pytest

from tablebridge.engine.views import overlay_view, public_view, staff_view
from tablebridge.model.errors import ConfigError
from tablebridge.model.views import TableView
from tablebridge.settings.site import Site
from tablebridge.settings.state import PSEUDONYM_KEY

from .conftest import START
from .test_core import command, core_of
from .test_retention import hands_of, play

NAMES = {1: "Anna", 2: "Bob", 3: "Carl"}


def site_with(site: Site, public: tuple[str, ...] | None, names: dict[int, str] = NAMES) -> Site:
    table = site.tables[0].model_copy(update={"names": names, "public_names": public})
    return site.model_copy(update={"tables": (table,)})


def names_of(view: TableView) -> dict[int, str]:
    return {seat.seat: seat.name for seat in view.seats}


def test_who_has_not_agreed_has_the_same_pseudonym_everywhere_in_public(site: Site) -> None:
    with core_of(site_with(site, ("Bob",))) as core:
        play(core)
        assert names_of(staff_view(core.table, START)) == NAMES
        public = names_of(public_view(core.table, START))
        assert names_of(overlay_view(core.table, START)) == public
        assert public[2] == "Bob" and public[1] != public[3]
        assert all(public[seat].startswith("Player ") for seat in (1, 3))
    assert all(account.public().names == public and account.names == NAMES for account in hands_of(site))
    with core_of(site_with(site, ("Bob",), {4: "Anna", **NAMES, 1: "Dora"})) as core:
        assert names_of(public_view(core.table, START))[1] != public[1]
        assert core.table.setup.public_names[4] == public[1], "at another seat she is the same player"
        secret = PSEUDONYM_KEY.path(site.state_dir)
        assert secret.stat().st_mode & 0o777 == 0o600
    secret.unlink()
    with core_of(site_with(site, ())) as core:
        assert names_of(public_view(core.table, START))[1] not in (public[1], "Anna")


def test_all_names_are_public_if_the_site_says_nothing_of_it(site: Site) -> None:
    with core_of(site_with(site, None)) as core:
        assert names_of(public_view(core.table, START)) == NAMES
    assert not PSEUDONYM_KEY.path(site.state_dir).exists()


@pytest.mark.parametrize("broken", ["", "nonsense", "00ff"])
def test_a_secret_that_cannot_be_read_is_not_made_again(site: Site, broken: str) -> None:
    with core_of(site_with(site, ())):
        pass
    PSEUDONYM_KEY.path(site.state_dir).write_text(broken)
    with pytest.raises(ConfigError, match="restore it from a backup"), core_of(site_with(site, ())):
        pass


def test_the_floor_names_the_players_during_a_hand_and_consent_holds(site: Site) -> None:
    with core_of(site_with(site, ("Bob", "Dora"))) as core:
        core.command(command(1, "hand", "dealt"), START, retained=False)
        turn = core.table.turn
        wanted = msgspec.structs.replace(command(2, role="floor"), names={1: "Dora", 2: "Emil"})
        reply = core.command(wanted, START, retained=False)
        assert reply.ok and len(reply.entries) == 1, reply.sentence
        assert core.table.turn == turn and core.table.acting is not None, "it changes no ruling"
        assert names_of(staff_view(core.table, START)) == {1: "Dora", 2: "Emil", 3: ""}
        public = names_of(public_view(core.table, START))
        assert public[1] == "Dora" and public[2].startswith("Player ") and not public[3]
    with core_of(site_with(site, ("Bob", "Dora"))) as core:
        assert names_of(staff_view(core.table, START))[1] == "Dora", "the record brings it back"


@pytest.mark.parametrize(
    ("role", "names", "why"),
    [
        ("operator", {1: "Dora"}, "Only the floor"),
        ("dealer", {1: "Dora"}, "Only the floor"),
        ("floor", {9: "Dora"}, "no seat 9"),
        ("floor", {1: "Dora", 2: "Dora"}, "nobody sits twice"),
        ("floor", {1: "Do\nra"}, "cannot be shown"),
        ("floor", {1: "D" * 41}, "cannot be shown"),
    ],
)
def test_names_that_cannot_be_are_refused(site: Site, role: str, names: dict[int, str], why: str) -> None:
    with core_of(site_with(site, None)) as core:
        wanted = msgspec.structs.replace(command(1, role=role), names=names)
        reply = core.command(wanted, START, retained=False)
        assert not reply.ok and why in reply.sentence
        assert names_of(staff_view(core.table, START)) == NAMES
