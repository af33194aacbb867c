"""A TCP relay before a server on this machine, which keeps what the server sent."""

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self


class Relay:
    """Listens on `port` of this machine while it is entered. `received`: all that clients got through it."""

    def __init__(self, server_port: int) -> None:
        self.received = b""
        self._server_port = server_port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._sockets: list[socket.socket] = [self._listener]
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for end in self._sockets:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        for thread in self._threads:
            thread.join()

    def _start(self, target: object, *arguments: object) -> None:
        self._threads.append(threading.Thread(target=target, args=arguments))  # type: ignore[arg-type]
        self._threads[-1].start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._server_port))
            self._sockets += [client, server]
            self._start(self._pass_on, client, server, False)
            self._start(self._pass_on, server, client, True)

    def _pass_on(self, source: socket.socket, sink: socket.socket, kept: bool) -> None:
        try:
            while data := source.recv(65_536):
                if kept:
                    self.received += data
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass
