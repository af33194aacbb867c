"""`tablebridge setup --browser`: the set-up process, and the pages for it.

If the pages of the site run, a technician opens the set-up there. If they do not, as at the first start,
pages of their own are started: on loopback, with a link that is good once, as the user of the pages if this
is root, who has no right on any device.
"""

import contextlib
import os
import pwd
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

from tablebridge.bus.broker import die_with_parent
from tablebridge.doctor.setup_process.process import SetupProcess
from tablebridge.doctor.setup_process.site_desk import SiteDesk
from tablebridge.model.errors import ConfigError
from tablebridge.settings.site import Site
from tablebridge.settings.state import SETUP_SOCKET

PORT: Final = 8089
"""Where the pages of the first start listen; set."""
_WEB_USER: Final = "tablebridge-web"
_LOOK_S: Final = 1.0


def set_up(
    out: Path,
    state_dir: Path,
    ports: tuple[str, ...],
    page_port: int,
    say: Callable[[str], None],
    broker_port: int | None = None,
) -> bool:
    """Run the set-up until a person finishes it; whether the site file is there then. `broker_port`: of the
    broker that runs on the box. Raises ConfigError.
    """
    if not os.access(out.parent, os.W_OK):
        raise ConfigError(f"{out.parent} is no folder that may be written: give another path.")
    desk = SiteDesk(out, state_dir, broker_port)
    user = _web_user()
    users, group = ((user.pw_uid,), user.pw_gid) if user is not None else ((), None)
    serves = (
        desk.site is not None
        and bool(desk.site.tables)
        and _answers(desk.site.broker.host, desk.site.broker.port)
    )
    process = SetupProcess(desk, ports, serves, users, group)
    with _ended_by_signals(), _pages(desk, page_port, user, say), contextlib.suppress(KeyboardInterrupt):
        process.run()
    return out.exists()


@contextlib.contextmanager
def _pages(
    desk: SiteDesk, port: int, user: pwd.struct_passwd | None, say: Callable[[str], None]
) -> Iterator[None]:
    """The pages through which the set-up is done, for as long as it lasts."""
    site = desk.site
    if site is not None and site.web.port and _answers(site.web.listen, site.web.port):
        say(f"Open as a technician: {_address(site)}/setup")
        yield
        return
    if port == PORT and _answers("127.0.0.1", port):
        port = 0  # somebody else is there; nobody asked for this one
    command = [
        sys.executable,
        "-m",
        "tablebridge.web.first_start",
        str(SETUP_SOCKET.path(desk.state_dir)),
        str(port),
    ]
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=die_with_parent(),
        user=user.pw_uid if user is not None else None,
        group=user.pw_gid if user is not None else None,
        extra_groups=[] if user is not None else None,
    )
    assert child.stdout is not None
    try:
        link = child.stdout.readline().strip()
        if not link:
            raise ConfigError(
                f"The pages of the set-up do not start on port {port}: give another one with --page-port."
            )
        say("Open on this box; the link is good once:")
        say(link)
        say("Ctrl-C ends the set-up; what is done is kept.")
        yield
    finally:
        child.terminate()
        child.wait()
        child.stdout.close()


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """SIGTERM ends the set-up in order, as Ctrl-C does."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _web_user() -> pwd.struct_passwd | None:
    """The user of the pages, if there is one and we may become it."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam(_WEB_USER)
    except KeyError:
        return None


def _answers(host: str, port: int) -> bool:
    """Whether something listens there."""
    with contextlib.suppress(OSError), socket.create_connection((host, port), _LOOK_S):
        return True
    return False


def _address(site: Site) -> str:
    host = f"[{site.web.listen}]" if ":" in site.web.listen else site.web.listen
    return f"http://{host}:{site.web.port}"


__all__ = ["PORT", "set_up"]
