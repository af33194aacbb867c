"""The process `tablebridge uplink`: every table of the box on one connection to the room.

The box never needs the room: nothing of the box waits for this process, and this process waits for ever.
"""

import asyncio
import contextlib
import logging
import random
import signal
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import Final

import nats.errors
from nats.aio.client import Client

from tablebridge import private
from tablebridge.backoff import Backoff
from tablebridge.bus.access import UPLINK as UPLINK_ACCOUNT
from tablebridge.bus.link import ThreadedLink
from tablebridge.model.errors import ConfigError, JournalError
from tablebridge.settings.site import Site
from tablebridge.settings.state import JOURNAL_FILE, UPLINK, UPLINK_POSITION
from tablebridge.stream.connection import close, connect
from tablebridge.stream.message import Address
from tablebridge.stream.pictures import PICTURES
from tablebridge.stream.sealing import Seal
from tablebridge.uplink.box_bus import BoxBus
from tablebridge.uplink.commands import FarActs
from tablebridge.uplink.configuration import Check, Configurations
from tablebridge.uplink.joined import credentials_of, load_joined, takes_commands
from tablebridge.uplink.live import LivePictures
from tablebridge.uplink.metrics import UplinkMetrics
from tablebridge.uplink.stream import JetStream
from tablebridge.uplink.table import TableUplink
from tablebridge.watchdog import Watchdog

LOOK_S: Final = 0.25
"""How often a journal that was sent to its end is looked into."""
_WATCH_S: Final = 1.0
_CONFIGURED_S: Final = 5.0
_PICTURE_S: Final = 5.0
"""How long the room's answer to a picture is waited for, and how long what failed rests."""
_log: Final = logging.getLogger(__name__)


class UplinkProcess:
    """Sends the records of the tables of this site and their live pictures until `stop`, and has done there
    what the room asks. `site_file`: its file; `check`: whether another one is right in its place. `again`:
    all of the records, also those that were sent. Raises ConfigError.
    """

    def __init__(self, site: Site, site_file: Path, check: Check, *, again: bool = False) -> None:
        self._site = site
        self._state_dir = state_dir = site.state_dir
        self._tables = tuple(table.name for table in site.tables)
        self._joined = load_joined(state_dir)
        self._credentials = credentials_of(state_dir, self._joined)
        self._seal = Seal(self._joined.seal)
        self._again = again
        self._acts = FarActs(site.name, self._tables, lambda: takes_commands(state_dir))
        self._pictures = LivePictures(site.name, self._joined.box, self._tables)
        self._box_bus = BoxBus(self._pictures, self._acts)
        self._configurations = Configurations(self._joined, state_dir, site_file, check)
        self.metrics = UplinkMetrics()
        self._watchdog = Watchdog()
        self._stopping = asyncio.Event()

    def run(self) -> None:
        """Until SIGTERM or SIGINT."""
        asyncio.run(self._run())

    def stop(self) -> None:
        """End `run` soon."""
        self._stopping.set()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop)
        private.own_folder(UPLINK.folder(self._state_dir))
        self._watchdog.ready(f"{len(self._tables)} tables")
        client = await self._connected()
        if client is None:
            return
        stream = JetStream(client.jetstream())
        uplinks = [self._uplink(table, stream) for table in self._tables]
        following = [asyncio.create_task(self._follow(client, uplink)) for uplink in uplinks]
        following.append(asyncio.create_task(self._show(client)))
        following.append(asyncio.create_task(self._configured(client)))
        await self._acts.listen(client, self._joined.site, self._joined.box)
        try:
            while not self._stopping.is_set():
                self.metrics.connected(client.is_connected)
                self._watchdog.worked()
                for task in following:
                    if task.done():
                        task.result()
                await self._wait(_WATCH_S)
        finally:
            self._watchdog.stopping()
            for task in following:
                task.cancel()
            await asyncio.gather(*following, return_exceptions=True)
            await close(client)

    def _uplink(self, table: str, stream: JetStream) -> TableUplink:
        uplink = TableUplink(
            Address(self._joined.site, self._joined.box, table),
            JOURNAL_FILE.path(self._state_dir, table),
            UPLINK_POSITION.path(self._state_dir, table),
            self._seal,
            stream,
            lambda records, size: self.metrics.sent(table, records, size),
        )
        if self._again:
            uplink.forget()
        return uplink

    async def _connected(self) -> Client | None:
        """The connection, as soon as it can be had; None if the process is to stop before that."""
        backoff = Backoff(random.random)
        while not self._stopping.is_set():
            self._watchdog.worked()
            self.metrics.connected(False)
            try:
                return await connect(self._joined.servers, self._credentials)
            except ConfigError:
                raise
            except (OSError, nats.errors.Error, TimeoutError) as error:
                _log.warning(
                    "the room cannot be reached (%s): it is tried again", error or type(error).__name__
                )
                backoff.failed(time.monotonic())
                await self._wait(backoff.due_s - time.monotonic())
        return None

    async def _follow(self, client: Client, uplink: TableUplink) -> None:
        """Send what the journal of a table has, and what comes."""
        backoff = Backoff(random.random)
        table = uplink.address.table
        while True:
            more, wait_s = False, LOOK_S
            try:
                if client.is_connected:
                    more = await uplink.step()
                    backoff.worked()
                    self.metrics.worked(table)
            except (nats.errors.Error, TimeoutError, JournalError, OSError) as error:
                _log.warning(
                    "records of table %s wait in its journal: %s", table, str(error) or type(error).__name__
                )
                uplink.close()
                self.metrics.failed(table)
                backoff.failed(time.monotonic())
                wait_s = backoff.due_s - time.monotonic()
            self.metrics.behind(table, uplink.behind)
            if not more:
                await asyncio.sleep(max(0.0, wait_s))

    async def _configured(self, client: Client) -> None:
        """Look now and then whether the room has another configuration."""
        js = client.jetstream()
        while True:
            try:
                if client.is_connected:
                    await self._configurations.step(js)
            except (nats.errors.Error, TimeoutError, OSError) as error:
                _log.info("the room's configuration: %s", str(error) or type(error).__name__)
            except Exception:  # the records go on, whatever the room has put there
                _log.exception("the room's configuration met an unforeseen error and is looked at again")
            await asyncio.sleep(_CONFIGURED_S)

    async def _show(self, client: Client) -> None:
        """Write the pictures of the tables, as long as the broker of the box lets them be read. Records never
        wait for it.
        """
        link = await self._link()
        pictures, js, failing = self._pictures, client.jetstream(timeout=_PICTURE_S), False

        def write(subject: str, value: bytes) -> Awaitable[object]:
            return js.publish(subject, value, timeout=_PICTURE_S, stream=PICTURES)

        try:
            while True:
                try:
                    if client.is_connected:
                        await pictures.step(write)
                        failing = False
                except (nats.errors.Error, TimeoutError, OSError) as error:
                    if not failing:
                        _log.warning(
                            "live pictures of the tables do not reach the room (%s): does it run its pages, "
                            "and has this box joined with this version? They are tried again",
                            str(error) or type(error).__name__,
                        )
                    failing = True
                    self.metrics.no_picture()
                    await asyncio.sleep(_PICTURE_S)
                await pictures.wait()
        finally:
            link.stop()

    async def _link(self) -> ThreadedLink:
        """The link to the broker of the box, as soon as its password can be read."""
        said = False
        while True:
            try:
                link = ThreadedLink(
                    self._site, UPLINK_ACCOUNT, self._box_bus, asyncio.get_running_loop(), clean=True
                )
            except ConfigError as error:
                if not said:
                    _log.warning(
                        "the room sees no live pictures of this box, and can do nothing there: %s", error
                    )
                said = True
                await asyncio.sleep(_PICTURE_S)
                continue
            link.start()
            return link

    async def _wait(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), max(0.0, seconds))
