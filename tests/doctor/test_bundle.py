"""The support bundle: what is in it, and that nothing that may not leave the box is, planted anywhere."""

import json
import os
import re
import stat
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablebridge.bus.aside import Aside
from tablebridge.bus.outbox import Outbox
from tablebridge.cli.support_bundle import command
from tablebridge.journal.store import Journal
from tablebridge.model.alerts import AlertChange
from tablebridge.model.cards import deck_of
from tablebridge.model.decks import Deck
from tablebridge.model.events import Action, Deal, Entry, Names
from tablebridge.model.instant import Instant
from tablebridge.model.readings import Sweep
from tablebridge.settings.decks import save_chips, save_deck
from tablebridge.web.auth import Tokens
from tablebridge.web.webhooks.hook import secret_of

NOW = Instant(1_800_000_000_000_000_000, 10**12, "boot")
TAG, TAG_OF_DIGITS, CHIP, FOREIGN = "E0040150ABCD0001", "100200300400", "E0040150ABCD1001", "04A1B2C3D4E5F6"
PASSWORD, BROKER_PASSWORD = "hunter2-of-the-engine", "swordfish-of-the-web"
HOOK = "Zm9vYmFyLWhvb2staWQtOTk5"
PLAYERS = {4: "Chen Wei-Ling", 7: "Светлана", 9: "Ng"}
PERSONS = ("Anna Petrova", "Boris the floorman", "Maria", "Nikolai")
FACES = ("As", "Td", "10h", "Q♥", "queen of hearts")


def recorded(state: Path) -> None:
    """A record with names and a face, and an outbox with tags."""
    journal = Journal(state / "journal" / "t1.sqlite", "t1")
    with journal.transaction():
        journal.record("entry", Entry(1, NOW, Names({1: PERSONS[2]}), "operator", by=PERSONS[1]))
        journal.record("entry", Entry(2, NOW, Deal(4, FACES[0]), "rfid", by="reader"))
        journal.record("entry", Entry(3, NOW, Action("fold", 4), "operator", by=f"{PERSONS[3]} (operator)"))
        journal.record("alert", {"change": AlertChange("1.0", "taken", PERSONS[1]), "at": NOW})
    journal.close()
    outbox = Outbox(state / "outbox" / "reader.sqlite")
    outbox.append([Sweep(0, (TAG, FOREIGN))], NOW)
    outbox.close()


@pytest.fixture
def box(tmp_path: Path) -> Iterator[tuple[Path, list[str]]]:
    """A box with everything planted everywhere: its site file, and what must not be found."""
    state = tmp_path / "state"
    site = tmp_path / "site.toml"
    names = ", ".join(f'{seat} = "{name}"' for seat, name in PLAYERS.items())
    site.write_text(
        f'name = "club"\nstate_dir = "{state}"\n[broker]\nport = 1\n[web]\nport = 1\n[[table]]\nname = "t1"\n'
        f'names = {{ {names} }}\n[[table.device]]\nname = "reader"\ndriver = "line"\nport = "/dev/ttyNONE"\n'
    )
    with site.open("a") as file:
        file.write(f'[[webhook]]\nname = "lights"\nurl = "http://192.168.7.30/api/webhook/{HOOK}"\n')
    planted = [
        HOOK,
        secret_of(state, "lights"),
        TAG,
        TAG_OF_DIGITS,
        CHIP,
        FOREIGN,
        PASSWORD,
        BROKER_PASSWORD,
        *PERSONS,
        *PLAYERS.values(),
        *FACES,
    ]
    (tmp_path / "engine.password").write_text(PASSWORD)
    accounts = state / "broker" / "accounts"
    accounts.mkdir(parents=True)
    (accounts / "web.password").write_text(BROKER_PASSWORD)
    cards = dict(zip((TAG, TAG_OF_DIGITS), deck_of("52"), strict=False))
    save_deck(state / "decks" / "red.toml", Deck("red", cards, "52"))
    save_chips(state / "chips" / "chips.toml", {CHIP: 100})
    token, secret = Tokens(state).add("floor", PERSONS[0])
    planted += [secret, token.hash]
    recorded(state)
    everything = " / ".join([*planted, f"password={PASSWORD}", f"?key={secret}"])
    Aside(state / "aside").put("tb/v1/club/t1/floor/state", everything.encode(), "too-deep", NOW)
    Aside(state / "journal" / "aside").put("tb/v1/club/t1/obs/reader", everything.encode(), "wrong-type", NOW)
    for log in (state / "log" / "engine.log", state / "broker" / "broker.log"):
        log.parent.mkdir(exist_ok=True)
        log.write_text(f"2026-11-22T14:05:09.123Z WARNING begin\n{everything}\nthe end of the log\n")
    programs = tmp_path / "bin"
    programs.mkdir()
    for program in ("systemctl", "journalctl"):
        (programs / program).write_text(
            f"#!{sys.executable}\nprint('Id=tablebridge-engine.service')\nprint({everything!r})\n"
        )
        (programs / program).chmod(0o755)
    yield site, planted


def made(box: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch) -> Path:
    site, _ = box
    monkeypatch.setenv("PATH", f"{site.parent / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("TABLEBRIDGE_PLANTED", PASSWORD)
    file = site.parent / "help.zip"
    done = CliRunner().invoke(command, [str(file), "--site", str(site)])
    assert done.exit_code == 0, done.output
    return file


def members(file: Path) -> dict[str, str]:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_nothing_that_was_planted_is_in_the_bundle(
    box: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = made(box, monkeypatch)
    raw = file.read_bytes()
    found = members(file)
    for planted in box[1]:
        whole = re.compile(rf"(?<!\w){re.escape(planted)}(?!\w)", re.IGNORECASE if len(planted) > 3 else 0)
        assert len(planted) <= 3 or planted.encode() not in raw, planted
        for name, text in found.items():
            assert not whole.search(text), (planted, name)
    assert all(name in found["logs/engine.log"] for name in ("(name)", "(tag)", "(card)", "(secret)"))


def test_what_helps_is_in_it(box: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    found = members(made(box, monkeypatch))
    assert set(found) == {
        "doctor.json",
        "site.json",
        "counters.json",
        "journals.json",
        "disk.json",
        "processes.json",
        "units.txt",
        "missing.txt",
        "logs/journal.txt",
        "logs/kernel.txt",
        "logs/engine.log",
        "logs/broker.log",
    }
    report = json.loads(found["doctor.json"])
    assert report["tablebridge"] and {check["about"] for check in report["checks"]} >= {
        "clock",
        "disk",
        "site",
    }
    (table,) = json.loads(found["site.json"])["table"]
    assert table["names"] == 3 and table["device"][0]["driver"] == "line"
    journal = json.loads(found["journals.json"])["t1"]
    assert journal["records"] == {"entry": 3, "alert": 1} and journal["bytes"]["file"] > 0
    counted = json.loads(found["counters.json"])
    assert counted["outboxes"] == {"reader": {"kept": 1, "waiting": 1}}
    assert counted["aside"]["engine"] == {"wrong-type": 1} and counted["tokens"] == {"floor": 1}
    assert json.loads(found["disk.json"])["bytes"]["free"] > 0
    assert "the end of the log" in found["logs/engine.log"]
    assert "Id=tablebridge-engine.service" in found["units.txt"]
    assert found["missing.txt"] == ""


def test_it_is_the_callers_alone_and_writes_over_nothing(
    box: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = made(box, monkeypatch)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.read_bytes()
    done = CliRunner().invoke(command, [str(file), "--site", str(box[0])])
    assert "a file that is not there yet" in str(done.exception) and file.read_bytes() == before


def test_what_cannot_be_had_is_named_and_the_rest_is_there(
    box: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    site, _ = box
    (site.parent / "bin" / "journalctl").write_text(f"#!{sys.executable}\nraise SystemExit(1)\n")
    (site.parent / "state" / "journal" / "t1.sqlite").write_bytes(b"no database at all")
    found = members(made(box, monkeypatch))
    assert found["missing.txt"].count("journalctl is not there, or refuses") == 2
    assert json.loads(found["journals.json"])["t1"]["error"] == "DatabaseError"
    assert json.loads(found["site.json"])["name"] == "club"
