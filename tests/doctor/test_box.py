"""The machine, its ports and its broker: rights by every case, real brokers, real files."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rig.groups import alone
from rig.ports import free_port

from tablebridge import private
from tablebridge.bus.access import accounts_of
from tablebridge.bus.broker import EmbeddedBroker
from tablebridge.bus.client import BusClient
from tablebridge.bus.messages import Availability, encode
from tablebridge.bus.topics import ENGINE_AVAILABILITY
from tablebridge.doctor import box
from tablebridge.doctor.bus import access, broker
from tablebridge.doctor.examine import installed
from tablebridge.doctor.ports import User, holders, meddlers, missing_right, sleepers
from tablebridge.host.plugged import Plugged
from tablebridge.journal.store import Journal
from tablebridge.settings.load import load_site
from tablebridge.settings.site import Broker

DIALOUT = 20


def user(*groups: int, uid: int = 1000, listed: tuple[int, ...] | None = None) -> User:
    return User("anna", uid, frozenset(groups), frozenset(groups if listed is None else listed))


@pytest.mark.parametrize(
    ("mode", "who", "told"),
    [
        (0o660, user(DIALOUT), ""),
        (0o660, user(uid=0), ""),
        (0o666, user(), ""),
        (0o600, user(uid=7), ""),
        (0o660, user(), "sudo usermod -aG dialout anna"),
        (0o660, user(listed=(DIALOUT,)), "log out and in again"),
        (0o600, user(DIALOUT), "60-tablebridge.rules"),
    ],
)
def test_the_missing_right_is_named_with_the_command_that_grants_it(mode: int, who: User, told: str) -> None:
    remedy = missing_right(0o020000 | mode, 7, DIALOUT, "dialout", who)
    assert told in remedy and bool(told) == bool(remedy)


def test_a_device_file_of_roots_own_group_is_a_case_for_udev() -> None:
    assert "60-tablebridge.rules" in missing_right(0o020664, 0, 0, "root", user(DIALOUT))


def test_who_has_a_file_open_is_found(tmp_path: Path) -> None:
    code = "import sys,time; f=open('/dev/full','wb',0); print('open',flush=True); time.sleep(90)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "open\n"
            assert process.pid in [one.pid for one in holders(Path("/dev/full"))]
        finally:
            process.kill()
    assert holders(tmp_path / "none") == []


def test_room_and_writes_are_judged() -> None:
    here = Path("/x")
    assert [box.judge_room(free, here).level for free in (10**6, 10**9, 10**11)] == ["fail", "warn", "ok"]
    assert [box.judge_writes([ms] * 5, here).level for ms in (1.0, 50.0, 500.0)] == ["ok", "warn", "fail"]


def test_packages_that_are_missing_are_named_and_those_of_other_machines_not() -> None:
    wanted = [
        "click>=8",
        "no-such-package>=1",
        "elsewhere==1; platform_machine == 's390x'",
        "dev-only; extra == 'dev'",
        "wide==2; platform_machine == 'x86_64' or platform_machine == 'aarch64'",
        "of-a-box>=3; extra == 'all'",
        "of-a-wide-box==4; "
        "(platform_machine == 'x86_64' or platform_machine == 'aarch64') and extra == 'all'",
        "of-another-box; platform_machine == 's390x' and extra == 'all'",
    ]
    assert list(box._missing(wanted, "x86_64")) == ["no-such-package", "wide", "of-a-box", "of-a-wide-box"]
    assert all(check.level == "ok" for check in box.python() if check.about == "python")


@pytest.mark.parametrize(
    "name",
    [
        "decks/red.toml",
        "journal/t1.sqlite",
        "journal/t1.sqlite-wal",
        "journal/t1.sqlite-shm",
        "journal/broken-1/t1.sqlite",
        "outbox/a.sqlite-wal",
        "broker/mosquitto/mosquitto.db",
        "tokens/tokens.json",
        "chips/chips.toml",
        "calibration/t1.json",
        "log/engine.log",
        "../driver.password",
    ],
)
def test_secrets_that_others_may_read_fail_with_the_command(
    site: Callable[..., Path], tmp_path: Path, name: str
) -> None:
    file = site()
    path = tmp_path / "state" / name
    private.folder(path.parent)
    path.write_text("")
    loaded = load_site(file)
    for mode, level in ((0o600, "ok"), (0o640, "fail"), (0o604, "fail")):
        path.chmod(mode)
        (check,) = box.secrets(loaded, file)
        assert check.level == level
        assert level == "ok" or check.do == f"chmod 600 {path.resolve()}"


def test_a_folder_that_others_may_open_fails_with_the_command(
    site: Callable[..., Path], tmp_path: Path
) -> None:
    file, journal = site(), tmp_path / "state" / "journal"
    private.folder(journal)
    journal.chmod(0o755)
    (check,) = box.secrets(load_site(file), file)
    assert (check.level, check.do) == ("fail", f"chmod 700 {journal}")


def test_a_state_folder_in_which_others_may_put_files_fails(
    site: Callable[..., Path], tmp_path: Path
) -> None:
    file, state = site(), tmp_path / "state"
    private.folder(state)
    for mode, level in ((0o710, "ok"), (0o755, "ok"), (0o1770, "fail"), (0o757, "fail")):
        state.chmod(mode)
        (check,) = box.secrets(load_site(file), file)
        assert check.level == level
        assert level == "ok" or check.do == f"chmod 710 {state}"


def test_many_files_that_others_may_read_are_counted(site: Callable[..., Path], tmp_path: Path) -> None:
    file, journal = site(), tmp_path / "state" / "journal"
    private.folder(journal)
    for number in range(30):
        (journal / f"t{number:02d}.sqlite").write_text("")
        (journal / f"t{number:02d}.sqlite").chmod(0o644)
    *_, last = checks = list(box.secrets(load_site(file), file))
    assert (
        len(checks) == 21
        and "10 more files" in last.says
        and "chmod -R go= " in last.do
        and str(journal) in last.do
    )


def test_pages_in_plain_http_on_a_network_are_warned_of(tmp_path: Path) -> None:
    file = tmp_path / "site.toml"
    for text, level in (
        ('listen = "127.0.0.1"', []),
        ('listen = "0.0.0.0"\nallow_plain_http = true', ["warn"]),
    ):
        file.write_text(f"[web]\n{text}\n")
        assert [one.level for one in box.pages(load_site(file))] == level


def test_the_record_is_verified(site: Callable[..., Path], tmp_path: Path) -> None:
    loaded = load_site(site())
    assert [one.says for one in box.journals(loaded)] == ["table t1 has none yet."]
    path = tmp_path / "state" / "journal" / "t1.sqlite"
    path.parent.mkdir(parents=True)
    Journal(path, "t1").close()
    assert "0 records, all sound" in next(iter(box.journals(loaded))).says
    data = bytearray(path.read_bytes())
    data[:16] = b"no database here"
    path.write_bytes(data)
    (check,) = box.journals(loaded)
    assert check.level == "fail" and "begins a new one" in check.do


@pytest.mark.parametrize("kind", ["nats", "mosquitto"])
def test_a_broker_that_holds_the_planes_apart_is_well(kind: str, tmp_path: Path) -> None:
    device = '[[table]]\nname = "t1"\ngroup = "alone"\n'
    device += '[[table.device]]\nname = "left"\ndriver = "line"\nport = "/dev/null"\n'
    with EmbeddedBroker(tmp_path / "state", prefer=kind, groups=alone({"left": "t1"})) as running:  # type: ignore[arg-type]
        file = tmp_path / "site.toml"
        file.write_text(f'state_dir = "{tmp_path / "state"}"\n[broker]\nport = {running.port}\n{device}')
        checks = list(broker(load_site(file), file))
        assert [one.level for one in checks] == ["ok", "ok"], checks
        roles = "engine, web, notify, room, tournament, uplink, enrol, listen-floor, listen-public, dev-left"
        assert f"accepts {roles}" in checks[0].says
        for name in running.accounts:
            (tmp_path / f"{name}.password").write_text("wrong")
        file.write_text(f"[broker]\nembedded = false\nport = {running.port}\n{device}")
        told = str(list(broker(load_site(file), file)))
        assert all(name in told.split("does not accept the account of")[1] for name in running.accounts)
        (tmp_path / "dev-left.password").unlink()
        assert "the password of dev-left cannot be read here" in str(list(broker(load_site(file), file)))


@pytest.mark.parametrize("kind", ["nats", "mosquitto"])
def test_the_doctor_pushes_no_process_off_that_runs(kind: str, tmp_path: Path) -> None:
    downs: list[str] = []
    with EmbeddedBroker(tmp_path / "state", prefer=kind) as running:  # type: ignore[arg-type]
        file = tmp_path / "site.toml"
        file.write_text(f'state_dir = "{tmp_path / "state"}"\n[broker]\nport = {running.port}\n')
        engine = BusClient(Broker(port=running.port), "engine", *running.accounts["engine"])
        engine.on_down = downs.append
        while not engine.connected:
            engine.step(0.05)
        engine.publish(ENGINE_AVAILABILITY.of("site", "t1"), encode(Availability("online", "e")), retain=True)
        while engine.in_flight:
            engine.step(0.05)
        checks = list(broker(load_site(file), file))
        for _ in range(10):
            engine.step(0.05)
        assert [one.level for one in checks] == ["ok", "ok"] and "the engine is online" in checks[1].says, (
            checks
        )
        assert (downs, engine.connected) == ([], True)
        engine.close()


def test_a_broker_that_lets_everybody_hear_everything_fails(tmp_path: Path) -> None:
    port = EmbeddedBroker(tmp_path / "unused").port or free_port()
    conf = tmp_path / "open.conf"
    conf.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    process = subprocess.Popen(
        ["mosquitto", "-c", str(conf)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"PATH": "/usr/sbin:/usr/bin:/usr/local/sbin"},
    )
    try:
        file = tmp_path / "site.toml"
        file.write_text(f"[broker]\nembedded = false\nport = {port}\n")
        deadline = time.monotonic() + 60
        while "nobody answers" in str(told := list(broker(load_site(file), file))):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert "accepts everybody" in str(told)
        known = dict.fromkeys(accounts_of(alone({"left": "t1"})), "x")
        leaks = [one.says for one in access(Broker(port=port), "site", known)]
        assert any("hears" in says and "must not" in says for says in leaks)
    finally:
        process.kill()
        process.wait()


def processes(folder: Path, *names: str) -> Path:
    """A /proc with these processes."""
    for number, name in enumerate(names, 2):
        (folder / "proc" / str(number)).mkdir(parents=True)
        (folder / "proc" / str(number) / "comm").write_text(f"{name}\n")
    return folder / "proc"


def test_programs_that_take_readers_for_something_else_are_named_with_what_to_do(tmp_path: Path) -> None:
    proc = processes(tmp_path, "ModemManager", "brltty", "pcscd", "bash")
    told = {check.says.split()[0]: check.do for check in meddlers(proc, tmp_path)}
    assert told.keys() == {"ModemManager", "brltty", "pcscd"}
    assert "apt remove brltty" in told["brltty"] and "disable --now pcscd.socket" in told["pcscd"]


def test_brltty_is_found_by_its_rules_before_it_was_ever_started(tmp_path: Path) -> None:
    proc = processes(tmp_path, "bash")
    assert list(meddlers(proc, tmp_path)) == []
    rules = tmp_path / "usr/lib/udev/rules.d/85-brltty.rules"
    rules.parent.mkdir(parents=True)
    rules.touch()
    (found,) = meddlers(proc, tmp_path)
    assert "is installed" in found.says
    hidden = tmp_path / "etc/udev/rules.d/85-brltty.rules"
    hidden.parent.mkdir(parents=True)
    hidden.symlink_to("/dev/null")
    assert list(meddlers(proc, tmp_path)) == []


@pytest.mark.parametrize(
    ("control", "delay", "found"), [("auto", "2000", True), ("on", "2000", False), ("auto", "-1000", False)]
)
def test_a_reader_that_the_kernel_may_suspend_is_found(
    tmp_path: Path, control: str, delay: str, found: bool
) -> None:
    power = tmp_path / "1-2" / "power"
    power.mkdir(parents=True)
    (power / "control").write_text(control + "\n")
    (power / "autosuspend_delay_ms").write_text(delay + "\n")
    reader, mouse = Plugged(0x072F, 0x2200, "1-2", 1, 4), Plugged(0x046D, 0xC077, "1-2", 1, 5)
    assert len(list(sleepers([reader], installed(), tmp_path))) == found
    assert list(sleepers([mouse], installed(), tmp_path)) == []
