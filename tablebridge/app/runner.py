"""All processes of a site under one roof: broker, drivers, engine, web; started in order, started again when
they end.

This is `tablebridge run`, and what `demo` and `simulate` stand on. In production systemd does this work.
"""

import logging
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.error import URLError
from urllib.request import urlopen

from tablebridge import private
from tablebridge.app.check import check_site
from tablebridge.backoff import Backoff
from tablebridge.bus.broker import EmbeddedBroker, die_with_parent
from tablebridge.model.errors import BrokerError, ConfigError, LinkError
from tablebridge.settings.state import BROKER_LOG, PARTS
from tablebridge.web.auth import ROLES, Tokens
from tablebridge.web.server import listen

_log: Final = logging.getLogger(__name__)
_STOP_S: Final = 6.0
_WATCH_S: Final = 0.2
_BY: Final = "run"
"""Who gives out the tokens of a run, as the record of tokens has it."""
_PAGES: Final = "Pages: "


class Child:
    """One process, started again for ever with growing waits. Its output goes to its own log file."""

    def __init__(self, arguments: list[str], log: Path) -> None:
        self.arguments = arguments
        self.log = log
        self.ended = 0
        self.process: subprocess.Popen[bytes] | None = None
        self._again = Backoff(random.random)

    def watch(self, now: float) -> None:
        """Start it if it does not run and its wait is over."""
        if self.process is not None:
            if self.process.poll() is None:
                return
            self.ended += 1
            self._again.ended(now)
            _log.warning(
                "%s ended with status %s and is started again; see %s",
                " ".join(self.arguments[:2]),
                self.process.returncode,
                self.log,
            )
            self.process = None
        if self._again.is_due(now):
            self._again.began(now)
            with private.appending(self.log) as output:
                # In a session of its own, so that Ctrl-C reaches us alone and we end everything in order.
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "tablebridge", *self.arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    preexec_fn=die_with_parent(),
                    start_new_session=True,
                )


class Runner:
    """A site's processes. A context manager; `start`, then `wait_ready`. Raises ConfigError, BrokerError,
    LinkError.

    A device whose driver is broken is tried again as any process that ends; all others run.

    `tokens`: one of each role, made for this run and revoked at its end. `broker`: the embedded one, None
    if the site names another.
    """

    def __init__(self, site_path: Path, log_dir: Path) -> None:
        self.site = check_site(site_path, broken=_log.error)
        self.log_dir = log_dir
        self.tokens: dict[str, str] = {}
        self.broker: EmbeddedBroker | None = None
        self.children: dict[str, Child] = {}
        self._site_path = site_path
        self._broker_runs = False
        self._broker_again = Backoff(random.random)
        self._broker_lock = threading.Lock()
        self._stopping = threading.Event()
        self._ids: list[str] = []
        self._thread = threading.Thread(target=self._watch, name="children", daemon=True)

    def start(self) -> None:
        """Start the broker and every process. It does not wait until they are ready."""
        try:
            private.own_folder(self.log_dir)
            for part in PARTS:
                if (folder := part.folder(self.site.state_dir)).exists():
                    private.own_folder(folder)
        except OSError as error:
            raise ConfigError(
                f"{self.log_dir} cannot be made ({error.strerror}): set state_dir to a folder that may be "
                "written."
            ) from None
        # Found out here and now: the web process would be started again for ever.
        listen(self.site.web).close()
        if self.site.broker.embedded:
            self.broker = EmbeddedBroker.of(self.site)
            self.broker.start()
            self._broker_runs = True
            self._broker_again.began(time.monotonic())
        tokens = Tokens(self.site.state_dir)
        # A run that was killed could not take its tokens back.
        for token in [known for known in tokens.all() if known.name == _token_name(known.role)]:
            tokens.revoke(token.id, by=_BY)
        for role in ROLES:
            for table in [known.name for known in self.site.tables] if role == "dealer" else [None]:
                token, secret = tokens.add(role, _token_name(role), table, by=_BY)
                self._ids.append(token.id)
                self.tokens[f"{role} {table}" if table else role] = secret
        site = ["--site", str(self._site_path)]
        self._add("web", ["web", *site])
        self._add("engine", ["engine", *site])
        if self.site.people is not None:
            self._add("notify", ["notify", *site])
        if self.site.tournament:
            self._add("room", ["room", *site])
        for group in self.site.groups:
            self._add(f"drive-{group.name}", ["drive", group.name, *site])
        self._thread.start()

    def wait_ready(self, deadline_s: float) -> None:
        """Until the pages answer. Raises LinkError with the log to read if they do not in time."""
        deadline = time.monotonic() + deadline_s
        while time.monotonic() < deadline:
            try:
                with urlopen(f"{self.web_url}/health", timeout=2):
                    return
            except (URLError, OSError, LinkError):
                time.sleep(0.05)
        raise LinkError(
            f"The pages do not answer within {deadline_s:.0f} s; {self.log_dir / 'web.log'} says why."
        )

    @property
    def web_url(self) -> str:
        """The address of the pages. Raises LinkError before they listen."""
        if self.site.web.port:
            return f"http://{self.site.web.listen}:{self.site.web.port}"
        log = self.log_dir / "web.log"
        for line in reversed(log.read_text(errors="replace").splitlines() if log.exists() else []):
            if line.startswith(_PAGES):
                return line.removeprefix(_PAGES)
        raise LinkError("The pages do not listen yet.")

    @property
    def processes(self) -> dict[str, int]:
        """Process ids by name, of those that run."""
        return {
            name: child.process.pid
            for name, child in self.children.items()
            if child.process is not None and child.process.poll() is None
        }

    @property
    def ended(self) -> dict[str, int]:
        """How often each process ended by itself, of those that did."""
        return {name: child.ended for name, child in self.children.items() if child.ended}

    def restart_broker(self) -> None:
        """End the embedded broker as a crash would, and start it again. Raises BrokerError."""
        if self.broker is None:
            raise BrokerError("This site has no embedded broker.")
        with self._broker_lock:
            self.broker.kill()
            self.broker.start()

    def stop(self) -> None:
        """End every process in order, the broker last, and revoke the tokens of this run."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()
        with ExitStack() as closing:
            if self.broker is not None:
                closing.callback(self.broker.stop)
            tokens = Tokens(self.site.state_dir)
            for token in self._ids:
                tokens.revoke(token, by=_BY)
            self._ids.clear()

    def wait(self) -> None:
        """Until SIGTERM or SIGINT."""
        stopped = threading.Event()
        before = {
            number: signal.signal(number, lambda _number, _frame: stopped.set())
            for number in (signal.SIGTERM, signal.SIGINT)
        }
        try:
            while not stopped.wait(1.0):
                pass
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _add(self, name: str, arguments: list[str]) -> None:
        self.children[name] = Child(arguments, self.log_dir / f"{name}.log")

    def _watch_broker(self, broker: EmbeddedBroker, now: float) -> None:
        """Start the broker again if it ended, with its old port and passwords: all who were connected come
        back.
        """
        with self._broker_lock:
            if broker.pid is not None:
                return
            if self._broker_runs:
                self._broker_runs = False
                self._broker_again.ended(now)
                _log.warning(
                    "the broker ended and is started again; see %s",
                    BROKER_LOG.path(self.site.state_dir),
                )
            if self._broker_again.is_due(now):
                self._broker_again.began(now)
                try:
                    broker.start()
                    self._broker_runs = True
                except (BrokerError, ConfigError) as error:
                    self._broker_again.ended(time.monotonic())
                    _log.error("%s", error)

    def _watch(self) -> None:
        """Start, start again, and end the children. They die with the thread that started them, so it is all
        done in one.
        """
        while not self._stopping.is_set():
            now = time.monotonic()
            if self.broker is not None:
                self._watch_broker(self.broker, now)
            for child in self.children.values():
                child.watch(now)
            self._stopping.wait(_WATCH_S)
        # The engine goes before the drivers: that these end is no finding of the table's.
        for names in ({"web", "engine"}, set(self.children) - {"web", "engine"}):
            _end(
                [
                    child.process
                    for name, child in self.children.items()
                    if name in names and child.process is not None
                ]
            )


def _token_name(role: str) -> str:
    return f"{role} of this run"


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + _STOP_S
    for process in processes:
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
