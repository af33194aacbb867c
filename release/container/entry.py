"""The first process of each container. It is to a process of tablebridge what systemd is on an installed box:
it hands over that process's own password, waits until it is ready, ends it when its loop hangs (the container
is then started again), and passes signals on.

    prepare                     once, before all others and as root: folders, accounts, owners
    broker                      mosquitto
    drive GROUP | engine | web | notify
                                a process of the site
    anything else               a command of tablebridge
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

PROGRAM = "/opt/tablebridge/bin/tablebridge"
SETTINGS = Path("/etc/tablebridge")
SITE = SETTINGS / "site.toml"
BROKER = "broker"
ACCOUNTS = Path("/var/lib/mosquitto/accounts")
BROKER_CONFIG = "/etc/mosquitto/container.conf"
RUN = Path("/tmp/tablebridge")
ALIVE = RUN / "alive"
"""Its time is when the process last showed that it works: the compose file's check of health reads it."""
START_S = 300.0
WATCHDOG_S = 30.0
SECOND_ENGINE = 3
"""The exit status after which a process is not to be started again."""
PASSED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2)


def main(words: Sequence[str]) -> int:
    """Do what the words ask; the exit status."""
    match words:
        case ["prepare"]:
            return prepare()
        case ["drive", group]:
            return serve(f"dev-{group}", words)
        case ["engine" | "web" | "notify" as account]:
            return serve(account, words)
        case ["broker"]:
            return become("/usr/sbin/mosquitto", "-c", BROKER_CONFIG)
        case _:
            return become(PROGRAM, *words)


def become(*command: str) -> int:
    """Run a program in the place of this one; it does not return."""
    os.execv(command[0], command)


def prepare() -> int:
    """Make folders and accounts, and give each file to its owner. Exit status 2 if the site file is not one
    for containers: nothing is started then.
    """
    from tablebridge.bus.access import accounts_of
    from tablebridge.install.accounts import write_accounts
    from tablebridge.install.machine import Machine
    from tablebridge.install.site import USERS, give_away, site_of
    from tablebridge.private import give

    machine = Machine(Path("/"))
    make_folders()
    site, fault = site_of(machine)
    if site is None:
        return refuse(fault or f"There is no {SITE}: write it, or run `docker compose run --rm setup`.")
    if site.broker.host != BROKER:
        return refuse(f'{SITE}: in containers [broker] needs host = "{BROKER}" and port = 1883.')
    if site.web.on_loopback:
        return refuse(
            f'{SITE}: in containers [web] needs allow_plain_http = true and listen = "0.0.0.0", in front of '
            "which the compose file puts an address of this machine alone."
        )
    machine.folder(ACCOUNTS)
    write_accounts(site, SETTINGS, ACCOUNTS, machine)
    for account in accounts_of(site.groups):
        owner = machine.user(USERS.get(account.role, ""))
        if owner is not None:
            give(SETTINGS / f"{account.name}.password", *owner, 0o400)
    notifier = machine.user(USERS["notify"])
    if notifier is not None and site.people is not None and site.people.exists():
        give(site.people, *notifier, 0o400)
    give_away(machine)
    print(f"Ready. Services of devices: {', '.join(f'drive {group.name}' for group in site.groups)}.")
    return 0


def make_folders() -> None:
    """The folders that systemd makes on an installed box, and the broker's."""
    from importlib.resources import files

    text = (files("tablebridge.install") / "files/tablebridge.tmpfiles").read_text()
    lines = [line for line in text.splitlines() if line.startswith("d ")]
    for line in (*lines, "d /var/lib/mosquitto 0700 mosquitto mosquitto -"):
        _, place, mode, user, group, _ = line.split()
        folder = Path(place)
        folder.mkdir(exist_ok=True)
        shutil.chown(folder, user, group)
        folder.chmod(int(mode, 8))


def refuse(sentence: str) -> int:
    """Say why nothing is started; the exit status."""
    print(sentence, file=sys.stderr)
    return 2


def serve(account: str, words: Sequence[str]) -> int:
    """Run a process of the site until it ends; its exit status."""
    password = SETTINGS / f"{account}.password"
    credentials = RUN / "credentials"
    credentials.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        (credentials / "broker-password").write_bytes(password.read_bytes())
    except OSError as error:
        return refuse(
            f"{password} cannot be read ({error.strerror}): run `docker compose up` for all services."
        )
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as reports:
        address = RUN / "notify"
        address.unlink(missing_ok=True)
        reports.bind(str(address))
        environ = {
            **os.environ,
            "FORWARDED_ALLOW_IPS": gateway(),
            "CREDENTIALS_DIRECTORY": str(credentials),
            "NOTIFY_SOCKET": str(address),
            "WATCHDOG_USEC": str(int(WATCHDOG_S * 1_000_000)),
        }
        child = subprocess.Popen([PROGRAM, *words, "--site", str(SITE)], env=environ)
        for number in PASSED_ON:
            signal.signal(number, lambda number, _frame: child.send_signal(number))
        watch(child, reports)
    ALIVE.unlink(missing_ok=True)
    if child.returncode == SECOND_ENGINE:
        hold()
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


def gateway() -> str:
    """The address from which this machine's own programs reach the container, a reverse proxy among them: its
    word on who calls is taken (uvicorn). Nothing without a network that leads out.
    """
    rows = [line.split() for line in Path("/proc/net/route").read_text().splitlines()]
    ways = [row[2] for row in rows[1:] if row[1] == "00000000"]
    return socket.inet_ntoa(int(ways[0], 16).to_bytes(4, "little")) if ways else ""


def watch(child: "subprocess.Popen[bytes]", reports: socket.socket) -> None:
    """Until it ends: note when it reports, and kill it when it has not for too long."""
    reports.settimeout(1.0)
    deadline = time.monotonic() + START_S
    while child.poll() is None:
        with contextlib.suppress(TimeoutError):
            lines = reports.recv(4096).decode(errors="replace").splitlines()
            if {"READY=1", "WATCHDOG=1"} & set(lines):
                ALIVE.touch()
                deadline = time.monotonic() + WATCHDOG_S
        if time.monotonic() > deadline:
            refuse("It has not reported that it works for too long, and is killed.")
            child.kill()
            child.wait()


def hold() -> None:
    """Stand still until somebody stops the container: started again it would only find the other engine."""
    asked = (signal.SIGTERM, signal.SIGINT)
    signal.pthread_sigmask(signal.SIG_BLOCK, asked)
    refuse("It is not started again until a person does that: `docker compose restart engine`.")
    signal.sigwait(asked)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
