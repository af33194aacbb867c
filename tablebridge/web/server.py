"""The web server of one site: uvicorn in this process, the bus beside it, streams that end when the server
does.
"""

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import uvicorn
from fastapi import FastAPI

from tablebridge.bus import topics
from tablebridge.bus.access import WEB
from tablebridge.bus.link import ThreadedLink
from tablebridge.bus.messages import BookmarkMessage, encode
from tablebridge.model.errors import ConfigError
from tablebridge.settings.site import Site, Web
from tablebridge.watchdog import Watchdog
from tablebridge.web.app import create_app
from tablebridge.web.bookmarks.bookmarks import Bookmarks
from tablebridge.web.connections import protocol
from tablebridge.web.hub import Hub
from tablebridge.web.naming import Naming
from tablebridge.web.recall import Recall
from tablebridge.web.webhooks.webhooks import webhooks_of

log = logging.getLogger(__name__)

_GRACE_S = 3
_BACKLOG = 128
_GONE_MS = 20_000


class Tended(NamedTuple):
    """What the server tends. `check` is called a few times per second; `close` ends all streams."""

    check: Callable[[], None]
    close: Callable[[], None]


class _Server(uvicorn.Server):
    """uvicorn's server, which would wait for open streams: all of them are ended first."""

    def __init__(
        self, config: uvicorn.Config, tended: Tended, ready: Callable[[], None], watchdog: Watchdog
    ) -> None:
        super().__init__(config)
        self._tended = tended
        self._ready = ready
        self._watchdog = watchdog

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let signals end the server in order and the process with status 0; uvicorn's own way raises them
        again at the end.
        """
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop)
        try:
            yield
        finally:
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(number)

    def _stop(self) -> None:
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def on_tick(self, counter: int) -> bool:
        self._tended.check()
        self._watchdog.worked()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._watchdog.stopping()
        self._tended.close()
        await super().shutdown(sockets)


def listen(web: Web) -> socket.socket:
    """The socket that the pages listen on. Raises ConfigError if it cannot be opened."""
    address = f"{web.listen}:{web.port}"
    family = socket.AF_INET6 if ":" in web.listen else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Connections inherit it; asyncio would set it only on a socket that names its protocol.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Likewise: a client that vanished holds its streams no longer than this.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _GONE_MS)
        listener.bind((web.listen, web.port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise ConfigError(
            f"The pages cannot listen on {address} ({error.strerror}): is another program there? "
            "Set listen and port in [web]."
        ) from None
    return listener


def url_of(web: Web, listener: socket.socket) -> str:
    """The address of the pages, with the port that is really used."""
    host = f"[{web.listen}]" if ":" in web.listen else web.listen
    return f"http://{host}:{listener.getsockname()[1]}"


def serve(site: Site, started: Callable[[str], None] = lambda url: None) -> None:
    """Serve the pages until SIGTERM or SIGINT. `started` is called with the address once it answers. Raises
    ConfigError.
    """
    listener = listen(site.web)
    asyncio.run(_serve(site, listener, started))


def publish_bookmark(hub: Hub, bookmark: BookmarkMessage) -> None:
    """Publish a bookmark on the bus, if there is a broker; the record has its reason in any case."""
    if hub.send is not None and not hub.bus_away:
        hub.send(topics.BOOKMARK.of(hub.site, bookmark.table), encode(bookmark))


async def _serve(site: Site, listener: socket.socket, started: Callable[[str], None]) -> None:
    watchdog = Watchdog()
    hub = Hub(site, webhooks=webhooks_of(site), bookmarks=Bookmarks.of(site))
    link = ThreadedLink(site, WEB, hub, asyncio.get_running_loop())
    app = create_app(site, hub)

    def ready() -> None:
        url = url_of(site.web, listener)
        log.info("the pages are at %s", url)
        watchdog.ready(url)
        started(url)

    hub.webhooks.start()
    hub.bookmarks.publish = partial(publish_bookmark, hub)
    hub.bookmarks.start()
    link.start()
    desk = app.state.desk
    beside = [asyncio.create_task(work) for work in (Recall(hub).run(), desk.setup.run(), Naming(desk).run())]
    try:
        await serve_application(app, Tended(hub.check_engines, hub.close), listener, ready, watchdog)
    finally:
        for task in beside:
            task.cancel()
        hub.webhooks.stop()
        hub.bookmarks.stop()
        link.stop()


async def serve_application(
    app: FastAPI,
    tended: Tended,
    listener: socket.socket,
    ready: Callable[[], None],
    watchdog: Watchdog | None = None,
) -> None:
    """Serve an application on a socket until SIGTERM or SIGINT. `ready` is called once it answers."""
    config = uvicorn.Config(
        app,
        http=protocol(),
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=_GRACE_S,
        timeout_keep_alive=15,
        proxy_headers=True,
        backlog=_BACKLOG,
    )
    await _Server(config, tended, ready, watchdog or Watchdog({})).serve([listener])
