"""A whole room on this machine: three nats-servers, PostgreSQL, archive workers, and boxes with tables that
are dealt at. Each box joins as real boxes do, with a token.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Engine, text

from tablebridge import private
from tablebridge.archive.admitting import Admission
from tablebridge.archive.authority import Authority
from tablebridge.archive.database import migrate, open_database
from tablebridge.hall.people import People
from tablebridge.journal.reader import ChainReader
from tablebridge.model.errors import ConfigError
from tablebridge.settings.state import JOURNAL_FILE
from tablebridge.sim.room.dealt import DealtTable
from tablebridge.sim.room.links import Links
from tablebridge.sim.room.postgres import Postgres
from tablebridge.sim.room.servers import Cluster, end, free_ports
from tablebridge.sim.room.shown import ShownBox, ShownTable
from tablebridge.stream.connection import Credentials, connect
from tablebridge.stream.joining import PAGES, read_token, rights_of_archive, rights_of_pages
from tablebridge.stream.layout import make_stream
from tablebridge.uplink.join import join

SITE: Final = "main"
_COUNTED: Final = (
    "SELECT count(*), count(DISTINCT (table_id, number)), (SELECT count(*) FROM hand), "
    "(SELECT count(*) FROM site_finding) FROM record"
)
_CAUGHT_UP_S: Final = 120.0
_LISTENING_S: Final = 0.5
_PAGES_S: Final = 120.0


class Count(NamedTuple):
    """How far the room is. `recorded`: in the journals; `archived`: in the database; `doubled`: of these,
    more than once; `findings`: about the records.
    """

    recorded: int
    archived: int
    doubled: int
    hands: int
    findings: int


class WholeRoom:
    """The room, with its files in `folder`. `cut`: the boxes whose links can be cut; `settings`: more of
    PostgreSQL's; `pages`: how many processes of its pages: with any, the boxes have brokers, and the tables
    are shown live. To be used with `with`. Raises ConfigError.
    """

    def __init__(
        self,
        folder: Path,
        *,
        tables: int = 20,
        boxes: int = 2,
        workers: int = 4,
        cut: Sequence[str] = (),
        settings: Sequence[str] = (),
        pages: int = 0,
    ) -> None:
        self._folder = folder
        self.authority = Authority(folder / "authority", SITE)
        self._archive = folder / "archive.creds"
        self._archive.write_text(self.authority.credentials("archive", rights_of_archive()))
        self._pages_key = folder / "pages.creds"
        self._pages_key.write_text(self.authority.credentials(PAGES, rights_of_pages(SITE)))
        self.cluster = Cluster(
            folder / "servers",
            more=lambda node: self.authority.server_lines(json.dumps(str(folder / f"jwt-{node}"))),
        )
        self.postgres = Postgres(settings)
        self._cut = cut
        self.links: dict[str, Links] = {}
        """By box its link, which can be cut."""
        self.tables = tuple(f"table-{number}" for number in range(1, tables + 1))
        self._boxes = {f"box-{number + 1}": self.tables[number::boxes] for number in range(boxes)}
        self._workers = workers
        self._ports = free_ports(pages)
        self._shown = {box: ShownBox(folder / box, box, names) for box, names in self._boxes.items() if pages}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._dealt: list[DealtTable] = []

    def __enter__(self) -> "WholeRoom":
        try:
            self.cluster.start()
            self.postgres.start()
            self.engine: Engine = open_database(self.postgres.address)
            migrate(self.engine)
            asyncio.run(self._join())
            for number in range(self._workers):
                self.start_worker(number)
            for box in self._boxes:
                self.start_uplink(box)
            for port in self._ports:
                self._start_pages(port)
            self._await_pages()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            end(process)
        for box in self._shown.values():
            box.stop()
        for table in self._dealt:
            table.close()
        for links in self.links.values():
            links.close()
        if hasattr(self, "engine"):
            self.engine.dispose()
        self.cluster.stop()
        self.postgres.stop()

    @property
    def logs(self) -> Path:
        """Where the processes log."""
        return self._folder

    def page_processes(self) -> list[str]:
        """The names of the processes of the pages."""
        return [f"pages-{port}" for port in self._ports]

    def page_links(self) -> list[str]:
        """For each process of the pages a link to sign in with, once and as one person."""
        people = People(self.engine)
        secrets = [
            people.add("floor", f"Floor {at}", once=True, by="demo")[1] for at, _ in enumerate(self._ports, 1)
        ]
        return [
            f"http://127.0.0.1:{port}/login?token={secret}"
            for port, secret in zip(self._ports, secrets, strict=True)
        ]

    def start_worker(self, number: int) -> None:
        """Start an archive worker (again)."""
        servers = [word for address in self.cluster.addresses for word in ("--server", address)]
        own = ["--credentials", str(self._archive)]
        self._start(
            f"archive-{number}",
            ["archive", "--site-name", SITE, *servers, *own],
            {"TABLEBRIDGE_DATABASE": self.postgres.address},
        )

    def start_uplink(self, box: str) -> None:
        """Start the uplink of a box (again)."""
        self._start(f"uplink-{box}", ["uplink", "--site", str(self._folder / box / "site.toml")], {})

    def _start_pages(self, port: int) -> None:
        servers = [word for address in self.cluster.addresses for word in ("--server", address)]
        own = ["--credentials", str(self._pages_key), "--port", str(port)]
        self._start(
            f"pages-{port}",
            ["site", "web", "--site-name", SITE, *servers, *own],
            {"TABLEBRIDGE_DATABASE": self.postgres.address},
        )

    def _await_pages(self) -> None:
        """Return when all processes of the pages answer. Raises ConfigError if they do not in two minutes."""
        until = time.monotonic() + _PAGES_S
        for port in self._ports:
            while True:
                self.check()
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1.0).close()
                    break
                except OSError:
                    if time.monotonic() > until:
                        raise ConfigError(f"no pages at port {port}: see {self._folder}/*.log") from None
                    time.sleep(0.1)

    def kill(self, process: str) -> None:
        """Kill a process as a power cut does: `archive-NUMBER`, `uplink-BOX`."""
        self._processes[process].kill()
        self._processes[process].wait()

    def deal(self) -> Iterator[ShownTable | None]:
        """Deal at all tables in turn, for ever; a step of one table between two yields, which give how that
        table is shown, None if there are no pages.
        """
        if not self._dealt:
            self._dealt = [
                DealtTable(self.journal(table), table, seed) for seed, table in enumerate(self.tables, 1)
            ]
        shown = self._show()
        by_name = {its.table.name: its for _, its in shown}
        under_way = [table.hand() for table in self._dealt]
        while True:
            for at, table in enumerate(self._dealt):
                events = next(under_way[at], None)
                if events is None:
                    if shown:
                        shown[at][1].between_hands()
                    under_way[at] = table.hand()
                else:
                    table.enter(*events)
                if shown:
                    box, its = shown[at]
                    box.answer(by_name)
                    box.show(its)
                yield shown[at][1] if shown else None

    def _show(self) -> list[tuple[ShownBox, ShownTable]]:
        """By table its box and how it is shown; nothing if there are no pages."""
        boxes = {name: self._shown.get(box) for box, names in self._boxes.items() for name in names}
        return [
            (box, ShownTable(table, seed))
            for seed, table in enumerate(self._dealt)
            if (box := boxes[table.name]) is not None
        ]

    def count(self) -> Count:
        """How far it is."""
        with self.engine.connect() as db:
            ((archived, different, hands, findings),) = db.execute(text(_COUNTED))
        recorded = sum(self._recorded(name) for name in self.tables)
        return Count(recorded, archived, archived - different, hands, findings)

    def catch_up(self, seconds: float = _CAUGHT_UP_S) -> Count:
        """Wait until the database has all that the journals have; how far it is then, or in the end."""
        until = time.monotonic() + seconds
        while (count := self.count()).archived < count.recorded and time.monotonic() < until:
            time.sleep(0.2)
        return count

    def _recorded(self, table: str) -> int:
        path = self.journal(table)
        if not path.exists():
            return 0
        reader = ChainReader(path)
        try:
            return reader.count
        finally:
            reader.close()

    def journal(self, table: str) -> Path:
        """The journal of a table."""
        (box,) = (box for box, tables in self._boxes.items() if table in tables)
        return JOURNAL_FILE.path(self._folder / box, table)

    async def _join(self) -> None:
        own = Credentials("archive", self._archive)
        await self.cluster.ready(own)
        client = await connect(self.cluster.addresses, own)
        await make_stream(client.jetstream(timeout=10), SITE)
        await client.close()
        for box, tables in self._boxes.items():
            folder = self._folder / box
            private.folder(folder)
            broker = ""
            if box in self._shown:
                self._shown[box].start()
                broker = self._shown[box].settings
            named = "".join(f'[[table]]\nname = "{table}"\n' for table in tables)
            (folder / "site.toml").write_text(f'name = "{box}"\nstate_dir = "{folder}"\n{broker}{named}')
            if box in self._cut:
                self.links[box] = Links(self.cluster.addresses)
            addresses = self.links[box].addresses if box in self.links else self.cluster.addresses
            admission = Admission(self.authority, addresses, box)
            waiting = asyncio.create_task(admission.wait())
            await asyncio.sleep(_LISTENING_S)
            await join(read_token(admission.token), folder, tables)
            await waiting

    def _start(self, name: str, command: list[str], more: Mapping[str, str]) -> None:
        with (self._folder / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                [sys.executable, "-m", "tablebridge", *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=os.environ | more,
            )

    def pid(self, process: str) -> int:
        """The process `archive-NUMBER` or `uplink-BOX`."""
        return self._processes[process].pid

    @property
    def processes(self) -> tuple[str, ...]:
        """The names of the processes of archive and boxes."""
        return tuple(self._processes)

    def check(self) -> None:
        """Raises ConfigError if a process has ended."""
        for name, process in self._processes.items():
            if process.poll() is not None:
                raise ConfigError(f"{name} has ended: see {self._folder}/{name}.log")
