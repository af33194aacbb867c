"""Configurations of the room: put before a box, proved, checked, and taken between hands; on real servers."""

import asyncio
import json
import re
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from nats.aio.client import RawCredentials
from nats.js import JetStreamContext
from rig.guarded import Guarded
from rig.room import SITE

from tablebridge.app.house_rulebooks import load_house
from tablebridge.app.pushed import check_pushed
from tablebridge.archive.pushing import PUSHER, Pusher, rights_of_pusher
from tablebridge.cli.site import command
from tablebridge.install.taking import TAKEN, apply, take
from tablebridge.model import events as ev
from tablebridge.model.errors import ConfigError, Refused
from tablebridge.settings.state import JOURNAL_FILE
from tablebridge.sim.room.dealt import DealtTable
from tablebridge.stream.claims import ACCOUNT, new_key
from tablebridge.stream.configuration import VERSIONS, Version, key_of, sign, stream_of, verified
from tablebridge.stream.connection import Credentials, connect
from tablebridge.uplink.configuration import Configurations, newest
from tablebridge.uplink.joined import credentials_of, load_joined

PACKAGE = Path(__file__).parents[2] / "tablebridge"
pytestmark = pytest.mark.timeout(300)
HOUSE = 'parent = "tda-2022"\ntitle = "Our house"\n'


def site_text(state: Path, more: str = "", table: str = "") -> str:
    return f'name = "box"\nstate_dir = "{state}"\n{more}\n[[table]]\nname = "t1"\nseats = "1-9"\n{table}\n'


class Box:
    """A box that has joined, and the room's way to it."""

    def __init__(self, room: Guarded, folder: Path) -> None:
        self.room = room
        self.state = folder / "state"
        self.file = folder / "etc" / "site.toml"
        self.file.parent.mkdir()
        self.text = site_text(self.state)
        self.file.write_text(self.text)
        self.joined = load_joined(self.state)

    def pushed(self, work: Callable[[Pusher, JetStreamContext], Awaitable[Any]]) -> Any:
        async def through() -> Any:
            own = RawCredentials(self.room.authority.credentials(PUSHER, rights_of_pusher()))
            client = await connect(self.room.cluster.addresses, Credentials(PUSHER, own))
            try:
                js = client.jetstream(timeout=10)
                return await work(Pusher(self.room.authority, js, "final"), js)
            finally:
                await client.close()

        return asyncio.run(through())

    def push(self, name: str, text: str, **files: str) -> Version:
        named = {f"{key}.toml": one for key, one in files.items()}
        return self.pushed(lambda to, _: to.push(name, text, named))  # type: ignore[no-any-return]

    def look(self) -> Any:
        """The uplink of the box looks what the room has; what the room reads of the box then."""

        async def through() -> None:
            client = await connect(self.room.cluster.addresses, credentials_of(self.state, self.joined))
            try:
                configurations = Configurations(self.joined, self.state, self.file, check_pushed)
                await configurations.step(client.jetstream(timeout=10))
            finally:
                await client.close()

        asyncio.run(through())
        return self.pushed(lambda to, _: to.running())


@pytest.fixture(scope="module")
def room() -> Iterator[Guarded]:
    folder = Path(tempfile.mkdtemp(prefix="tb-conf-"))
    room = Guarded(folder)
    try:

        async def begun() -> None:
            await room.start()
            client = await room.join("final", folder / "state")
            await client.close()

        asyncio.run(begun())
        yield room
    finally:
        room.cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def box(room: Guarded, tmp_path: Path) -> Box:
    shutil.copytree(room.folder / "state", tmp_path / "state")
    return Box(room, tmp_path)


def test_a_version_waits_is_taken_between_hands_and_runs(box: Box) -> None:
    text = site_text(box.state, table='rulebook = "house.toml"\nstakes = "100/200"')
    version = box.push("evening", text, house=HOUSE)
    said = box.look()
    assert (said.number, said.name, said.state, said.faults) == (version.number, "evening", "waits", ())
    table = DealtTable(JOURNAL_FILE.path(box.state, "t1"), "t1")
    table.enter(ev.Rules("tda-2022"), ev.Game("nlhe", (50, 100)), ev.Seats((1, 2)), ev.Button(1))
    table.enter(ev.Stacks(1000), ev.Hand())
    with pytest.raises(Refused, match="a hand is under way at t1"):
        take(box.file, 0.0)
    assert box.file.read_text() == box.text

    def ends(_seconds: float) -> None:
        table.enter(ev.End())

    taken = take(box.file, 60.0, ends)
    table.close()
    assert taken.version == version
    assert taken.keys == ("tables",)
    assert box.file.read_text() == text
    assert box.file.with_name("house.toml").read_text() == HOUSE
    assert box.file.with_name("site.toml.before").read_text() == box.text
    assert box.look().state == "runs"
    assert take(box.file, 0.0).version is None


def test_what_is_wrong_is_refused_with_file_line_and_nearest_key_and_what_runs_stays(box: Box) -> None:
    box.push("wrong", site_text(box.state, table='stakse = "50/100"'))
    said = box.look()
    assert said.state == "refused"
    (fault,) = said.faults
    assert fault.startswith("site.toml:7: ")
    assert "stakse" in fault and "stakes" in fault
    with pytest.raises(ConfigError, match="stakse"):
        take(box.file, 0.0)
    assert box.file.read_text() == box.text


def test_going_back_is_a_new_version_with_the_old_contents(box: Box) -> None:
    first = box.push("first", site_text(box.state, table='stakes = "10/20"'))
    box.push("second", site_text(box.state, table='stakes = "20/40"'))
    with pytest.raises(Refused, match="has a version 'first' already"):
        box.push("first", box.text)
    back = box.pushed(lambda to, _: to.rollback("first"))
    assert back.number > first.number and back.site_file == first.site_file
    assert box.look().number == back.number
    with pytest.raises(Refused, match="has no version 'third'; it has: "):
        box.pushed(lambda to, _: to.rollback("third"))
    with pytest.raises(Refused, match="no box 'nobody' has joined"):
        Pusher(box.room.authority, None, "nobody")  # type: ignore[arg-type]


def test_what_the_room_has_not_signed_for_this_box_or_is_older_is_left_out(box: Box) -> None:
    good = box.push("good", site_text(box.state))
    box.look()
    folder = newest(box.state)
    assert folder is not None
    kept = sorted(folder.parent.iterdir())
    later = int(time.time() * 1000) + 10**6
    keys = box.room.authority
    old = Version("final", good.number - 1, "old", 1, site_text(box.state, table='stakes = "1/2"'))
    other = Version("other", later, "other", 1, box.text)
    forged = Version("final", later, "forged", 1, box.text)
    changed = keys.signed(forged).replace(b"1-9", b"1-8")
    for payload in (
        sign(forged, new_key(ACCOUNT)),
        changed,
        keys.signed(other),
        keys.signed(old),
        b"",
        b"\xff\x00" * 100,
        b"[" * 5_000,
    ):

        async def put(_to: Pusher, js: JetStreamContext, payload: bytes = payload) -> None:
            await js.publish(key_of(VERSIONS, "final"), payload, stream=stream_of(VERSIONS))

        box.pushed(put)
        said = box.look()
        assert newest(box.state) == folder, payload[:40]
        assert sorted(folder.parent.iterdir()) == kept, payload[:40]
        assert said is None or said.number == good.number
        names = [one.name for one in box.pushed(lambda to, _: to.versions())]
        assert "good" in names and not {"forged", "other"} & set(names)


def test_a_name_leads_to_no_file_that_did_not_come_with_it(tmp_path: Path) -> None:
    running, pushed = tmp_path / "etc" / "site.toml", tmp_path / "versions" / "7" / "site.toml"
    for path in (running, pushed):
        path.parent.mkdir(parents=True)
        path.write_text(site_text(tmp_path))
    secret = tmp_path / "secret.toml"
    secret.write_text("password = hunter2\n")
    (pushed.parent / "house.toml").write_text('parent = "../../secret.toml"\n')
    for table, more, wanted in (
        (f'rulebook = "{secret}"', "", "did not come with the site file"),
        ('rulebook = "../../secret.toml"', "", "did not come with the site file"),
        ('game = "../../secret.toml"', "", "did not come with the site file"),
        ('rulebook = "house.toml"', "", "did not come with it"),
        (f'deck = "{secret}"', "", "decks are enrolled at the box"),
        ("", f'people = "{secret}"', "the box's own"),
        ("", "[broker]\nembedded = false\nport = 1884", "the box's own"),
    ):
        pushed.write_text(site_text(tmp_path, more, table))
        with pytest.raises(ConfigError) as refused:
            check_pushed(pushed, running, frozenset({"house.toml"}))
        assert wanted in str(refused.value) and "hunter2" not in str(refused.value)
    for name in ("people", "house"):
        (running.parent / f"{name}.toml").write_text('parent = "tda-2022"\ntitle = "Here"\n')
        (pushed.parent / f"{name}.toml").write_text(HOUSE)
    pushed.write_text(site_text(tmp_path, table='rulebook = "people.toml"'))
    with pytest.raises(ConfigError, match=r"people.toml:1: the box has another file of that name"):
        check_pushed(pushed, running, frozenset({"people.toml"}))
    pushed.write_text(site_text(tmp_path, table='rulebook = "house.toml"'))
    with pytest.raises(ConfigError, match=r"people.toml:1: no table of the site file names this"):
        check_pushed(pushed, running, frozenset({"people.toml", "house.toml"}))
    running.write_text(site_text(tmp_path, table='rulebook = "house.toml"'))
    check_pushed(pushed, running, frozenset({"house.toml"}))
    for text in (site_text(tmp_path / "other"), site_text(tmp_path).replace('"box"', '"another"')):
        pushed.write_text(text)
        with pytest.raises(ConfigError, match="the box's own"):
            check_pushed(pushed, running, frozenset())


def test_no_rulebook_can_let_a_hidden_face_out(tmp_path: Path) -> None:
    """A rulebook is data: what is ruled and how. What lies open is decided by what happened, in modules that
    ask no book for a decision, and what others may see by the site file, whose changes are on record.
    """
    folders = (PACKAGE / "engine/hidden", PACKAGE / "seal")
    modules = [PACKAGE / "engine/views.py", *(path for folder in folders for path in folder.glob("*.py"))]
    assert len(modules) > 5
    for path in modules:
        assert not re.search(r"\bbook\.(?!name\b)|\bCHOICES\b|\bdecisions\b", path.read_text()), path
    book = tmp_path / "house.toml"
    for key in ("show", "faces", "public", "overlay_delay_s", "hole_cards"):
        book.write_text(f"{HOUSE}[choices]\n{key} = true\n")
        with pytest.raises(ConfigError, match=f"house.toml:4: choices.{key}"):
            load_house(book)


def test_another_room_is_not_taken_from_and_the_room_reads_why(box: Box) -> None:
    box.push("mine", site_text(box.state, table='stakes = "5/10"'))
    assert box.look().state == "waits"
    box.file.with_name("room.key").write_text("another")
    for _ in range(2):
        with pytest.raises(ConfigError, match="another room than before"):
            take(box.file, 0.0)
    assert box.file.read_text() == box.text
    said = box.look()
    assert (said.state, len(said.faults)) == ("refused", 1) and "another room than before" in said.faults[0]
    refused = box.file.with_name("site.toml.refused")
    for damaged in (b"", b"{", b"[" * 5_000, b'{"number":0,"faults":[]}'):
        refused.write_bytes(damaged)
        assert box.look().state == "waits"
    box.file.with_name("room.key").unlink()
    assert take(box.file, 0.0).version is not None
    assert not refused.exists() and box.look().state == "runs"


def test_processes_start_with_what_was_taken_between_hands_and_after_an_interruption(box: Box) -> None:
    done: list[str] = []

    def fails() -> None:
        raise Refused("systemctl says no")

    table = DealtTable(JOURNAL_FILE.path(box.state, "t1"), "t1")
    table.enter(ev.Rules("tda-2022"), ev.Game("nlhe", (50, 100)), ev.Seats((1, 2)), ev.Button(1))
    box.push("named", site_text(box.state).replace('"t1"', '"t2"'))
    box.look()
    assert apply(box.file, 0.0, fails, fails) is None
    assert take(box.file, 0.0).version is not None
    noted = box.file.with_name(box.file.name + TAKEN)
    # The processes still run with t1, whatever the new file calls its tables.
    table.enter(ev.Stacks(1000), ev.Hand())
    with pytest.raises(Refused, match="a hand is under way at t1"):
        apply(box.file, 0.0, fails, fails)
    table.enter(ev.End())
    with pytest.raises(Refused, match="says no"):
        apply(box.file, 0.0, lambda: done.append("installed"), fails)
    assert noted.exists()

    def install() -> None:
        done.append("installed again")
        table.enter(ev.Hand())

    def ends(_seconds: float) -> None:
        done.append("a hand was waited for")
        table.enter(ev.End())

    assert apply(box.file, 60.0, install, lambda: done.append("restarted"), ends) == "named"
    assert done == ["installed", "installed again", "a hand was waited for", "restarted"]
    assert not noted.exists() and apply(box.file, 0.0, fails, fails) is None
    table.close()


def test_the_commands_put_list_take_back_and_take(box: Box) -> None:
    room = ["--site-name", SITE, "--authority", str(box.room.folder / "authority")]
    room += [word for address in box.room.cluster.addresses for word in ("--server", address)]

    def said(*words: str) -> str:
        done = CliRunner().invoke(command, words)
        assert done.exit_code == 0, done.output
        return done.stdout

    site = box.state.parent / "pushed.toml"
    site.write_text(site_text(box.state, table='rulebook = "club.toml"'))
    book = box.state.parent / "club.toml"
    book.write_text(HOUSE)
    assert "Version by-hand (" in said("push", "final", str(site), str(book), "--name", "by-hand", *room)
    box.look()
    listed = json.loads(said("versions", "final", "--json", *room))
    assert listed["versions"][-1]["files"] == ["club.toml"]
    assert (listed["box"]["name"], listed["box"]["state"]) == ("by-hand", "waits")
    assert said("take", "--site", str(box.file)).startswith("Version by-hand is in place. Changed: tables.")
    assert box.file.read_text() == site.read_text()
    assert "Nothing waits" in said("take", "--site", str(box.file))
    box.file.with_name(box.file.name + TAKEN).unlink()
    assert "Nothing was taken since" in said("apply", "--site", str(box.file))
    assert "Version by-hand (" in said("rollback", "final", "by-hand", *room)
    assert said("versions", "final", *room).count("by-hand") == 2


def test_what_lies_beside_the_signed_version_is_not_believed(box: Box) -> None:
    text = site_text(box.state, table='rulebook = "house.toml"')
    box.push("signed", text, house=HOUSE)
    box.look()
    folder = newest(box.state)
    assert folder is not None
    (folder / "house.toml").write_text("changed")
    (folder / "site.toml").write_text("changed")
    assert take(box.file, 0.0).version is not None
    assert (box.file.read_text(), box.file.with_name("house.toml").read_text()) == (text, HOUSE)


def test_a_version_is_for_its_box_and_its_room_alone() -> None:
    key = new_key(ACCOUNT)
    payload = sign(Version("a", 1, "v", 1, "x"), key)
    assert verified(payload, "a", key.public).site_file == "x"
    for box, public in (("b", key.public), ("a", new_key(ACCOUNT).public), ("a", ""), ("a", "?")):
        with pytest.raises(ValueError):
            verified(payload, box, public)
    with pytest.raises(ConfigError, match="cannot be sent to a box"):
        sign(Version("a", 1, "v", 1, "x", {"../x.toml": ""}), key)
