"""A room by its own documents and files, every connection encrypted: records arrive, and whoever comes
without encryption, with another authority's certificate or without the right is refused with a sentence.
"""

import asyncio
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from rig.encrypted import Database, Servers, make_authority
from rig.room import SITE, journal_of
from rig.wait import wait_for
from sqlalchemy import text
from sqlalchemy.exc import OperationalError, ProgrammingError

from tablebridge.archive.admitting import Admission
from tablebridge.archive.authority import Authority
from tablebridge.archive.database import migrate, open_database
from tablebridge.hall.people import People
from tablebridge.model.errors import BrokerError, ConfigError
from tablebridge.settings.state import JOURNAL_FILE
from tablebridge.sim.room.dealt import DealtTable
from tablebridge.sim.room.servers import Cluster, end, free_ports
from tablebridge.stream.connection import Credentials, close, connect
from tablebridge.stream.joining import Token, read_token, rights_of_archive
from tablebridge.uplink.join import join

pytestmark = pytest.mark.timeout(300)


class Encrypted:
    """A room whose files are in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ca = make_authority(folder / "ca")
        self.other = make_authority(folder / "other")
        self.authority = Authority(folder / "authority", SITE)
        self.credentials = folder / "archive.creds"
        self.credentials.write_text(self.authority.credentials("archive", rights_of_archive()))
        self.servers = Servers(folder, self.authority, self.ca)
        self.database = Database(folder / "db", self.ca)
        self._processes: list[subprocess.Popen[bytes]] = []

    @property
    def archive(self) -> Credentials:
        return Credentials("archive", self.credentials, self.ca)

    def start(self) -> None:
        self.servers.start()
        self.database.start()
        os.environ["PGPASSFILE"] = str(self.database.passwords)
        engine = open_database(self.database.address())
        migrate(engine)
        engine.dispose()
        wait_for(lambda: asyncio.run(self.reached()), "the servers have a leader")

    async def reached(self) -> bool:
        try:
            client = await connect(self.servers.addresses, self.archive)
        except OSError:
            return False
        await client.close()
        return all(
            "Routed" in self.servers.log(node) or "route" in self.servers.log(node) for node in range(3)
        )

    def run(self, name: str, *command: str) -> int:
        """Start a process with metrics and health; at which port."""
        (port,) = free_ports(1)
        with (self.folder / f"{name}.log").open("ab") as log:
            self._processes.append(
                subprocess.Popen(
                    [sys.executable, "-m", "tablebridge", *command, "--metrics", str(port)],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    env=os.environ | {"TABLEBRIDGE_DATABASE": self.database.address()},
                )
            )
        return port

    def stop(self) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            end(process)
        self.servers.stop()
        self.database.server.stop()


@pytest.fixture(scope="module")
def room() -> Iterator[Encrypted]:
    folder = Path(tempfile.mkdtemp(prefix="tb-tls-"))
    folder.chmod(0o755)
    passwords = os.environ.get("PGPASSFILE")
    room = Encrypted(folder)
    try:
        room.start()
        yield room
    finally:
        room.stop()
        os.environ.pop("PGPASSFILE", None)
        if passwords is not None:
            os.environ["PGPASSFILE"] = passwords
        shutil.rmtree(folder, ignore_errors=True)


def ready(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/health/ready", timeout=10).json()["ready"]
    except httpx.TransportError:
        return False


def test_a_box_joins_and_its_records_are_archived_over_tls_alone(room: Encrypted, tmp_path: Path) -> None:
    worker = room.run(
        "archive",
        *("archive", "--site-name", SITE, "--credentials", str(room.credentials), "--ca", str(room.ca)),
        *(word for address in room.servers.addresses for word in ("--server", address)),
    )
    wait_for(lambda: ready(worker), "the worker is ready")

    async def joined() -> None:
        admission = Admission(room.authority, room.servers.addresses, "box", room.ca)
        waiting = asyncio.create_task(admission.wait(60))
        await asyncio.sleep(0.3)
        await join(read_token(admission.token), tmp_path, ["t1"])
        await waiting

    asyncio.run(joined())
    site = tmp_path / "site.toml"
    site.write_text(f'name = "box"\nstate_dir = "{tmp_path}"\n[[table]]\nname = "t1"\n')
    table = DealtTable(JOURNAL_FILE.path(tmp_path, "t1"), "t1")
    table.deal(2)
    table.close()
    uplink = room.run("uplink", "uplink", "--site", str(site))
    wait_for(lambda: ready(uplink), "the uplink is ready")
    wanted = len(journal_of(JOURNAL_FILE.path(tmp_path, "t1")))
    engine = open_database(room.database.address())

    def archived() -> int:
        with engine.connect() as db:
            return int(db.execute(text("SELECT count(*) FROM record")).scalar_one())

    wait_for(lambda: archived() == wanted, f"{wanted} records are archived")
    with engine.connect() as db:
        ways = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) "
        way = ways + "WHERE usename = 'archive'"
        assert db.execute(text(way)).scalar_one() is True
    engine.dispose()
    shown = httpx.get(f"http://127.0.0.1:{worker}/metrics", timeout=10).text
    assert f'tablebridge_archive_records_total{{became="stored"}} {wanted}.0' in shown
    assert "tablebridge_archive_ready 1.0" in shown
    assert "secret" not in shown and "tls://" not in shown


def refused(servers: tuple[str, ...], ca: Path | None) -> str:
    """Why no connection can be had."""

    async def tried() -> None:
        await (await connect(servers, Credentials("box", None, ca))).close()

    with pytest.raises(OSError) as error:
        asyncio.run(asyncio.wait_for(tried(), 30))
    return str(error.value)


def test_a_server_with_another_authority_or_name_is_refused_with_a_sentence(room: Encrypted) -> None:
    assert re.search(
        r"certificate of a nats-server is not accepted \(.*\): it must be of the authority in .*/other/",
        refused(room.servers.addresses, room.other),
    )
    assert "the authorities of this machine" in refused(room.servers.addresses, None)
    by_name = tuple(address.replace("127.0.0.1", "localhost") for address in room.servers.addresses)
    assert "name the host of the address" in refused(by_name, room.ca)


def test_a_server_that_begins_without_encryption_is_sent_nothing(room: Encrypted, tmp_path: Path) -> None:
    """Neither a plain nats-server, nor one that would begin TLS after its first word."""
    said: list[bytes] = []

    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"server_id":"x","version":"2.15.1","headers":true,"max_payload":1048576}\r\n')
        while data := await reader.read(4096):
            said.append(data)
        writer.close()

    async def tried() -> None:
        async with await asyncio.start_server(plain, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(ConnectionError, match=r"does not begin with TLS.* handshake_first: true"):
                await connect((f"tls://127.0.0.1:{port}",), Credentials("box", None, room.ca))

    asyncio.run(tried())
    assert b"CONNECT" not in b"".join(said)
    cluster = Cluster(tmp_path / "plain")
    (tmp_path / "plain").mkdir()
    cluster.start_node(0)
    try:
        address = cluster.addresses[0].replace("nats://", "tls://")
        wait_for(lambda: reached(address), "the plain server listens")
        assert "nothing is sent to it" in refused((address,), room.ca)
    finally:
        cluster.stop()


def reached(address: str) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", int(address.rpartition(":")[2]))) == 0


def test_a_connection_outlives_a_server_whose_handshake_fails_and_can_be_closed_meanwhile(
    room: Encrypted,
) -> None:
    """As a server with a wrong certificate, or one that is killed in the middle of it."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(room.folder / "nats-1" / "nats-1.pem", room.folder / "nats-1" / "nats-1.key")

    async def speaking(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"server_id":"x","version":"2.15.1","headers":true,"max_payload":1048576}\r\n')
        while line := await reader.readline():
            if line.startswith(b"PING"):
                writer.write(b"PONG\r\n")
        writer.close()

    async def dying(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.transport.abort()

    async def served(port: int, tls: ssl.SSLContext | None) -> asyncio.Server:
        handler = speaking if tls else dying
        return await asyncio.start_server(handler, "127.0.0.1", port, ssl=tls, reuse_address=True)

    async def until(condition: Callable[[], bool]) -> None:
        while not condition():
            await asyncio.sleep(0.02)

    async def tried() -> None:
        server = await served(0, context)
        port = server.sockets[0].getsockname()[1]
        own = Credentials("box", None, room.ca)
        first, second = [await connect((f"tls://127.0.0.1:{port}",), own, wait_s=0.05) for _ in range(2)]
        server.close()
        for client in (first, second):
            assert client._transport is not None
            client._transport._io_writer.transport.abort()
        server = await served(port, None)
        await asyncio.wait_for(until(lambda: first._server_pool[0].reconnects > 2), 30)
        await asyncio.wait_for(close(second), 10)
        server.close()
        server = await served(port, context)
        await asyncio.wait_for(until(lambda: first.is_connected), 30)
        await close(first)
        server.close()

    asyncio.run(tried())


def test_the_servers_themselves_refuse_whoever_comes_without_encryption_or_certificate(
    room: Encrypted,
) -> None:
    port = int(room.servers.addresses[0].rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), 10) as client:
        client.sendall(b'CONNECT {"verbose":false}\r\nPING\r\n')
        client.settimeout(10)
        with pytest.raises((ConnectionError, TimeoutError)):
            while True:
                answer = client.recv(4096)
                assert b"PONG" not in answer and b"INFO" not in answer
                if not answer:
                    raise ConnectionError
    context = ssl.create_default_context(cafile=str(room.ca))
    before = room.servers.log(0).count("TLS route handshake error")
    with socket.create_connection(("127.0.0.1", room.servers.routes[0]), 10) as raw:
        raw.recv(4096)
        try:
            with context.wrap_socket(raw, server_hostname="127.0.0.1") as route:
                route.recv(4096)
        except OSError:
            pass
    wait_for(lambda: room.servers.log(0).count("TLS route handshake error") > before, "the route is refused")


def test_a_box_that_joins_with_another_authority_reads_why(room: Encrypted, tmp_path: Path) -> None:
    good = read_token(Admission(room.authority, room.servers.addresses, "late", room.ca).token)
    wrong = Token(good.servers, good.site, good.box, good.credentials, room.other.read_text())
    with pytest.raises(BrokerError, match="certificate of a nats-server is not accepted"):
        asyncio.run(join(wrong, tmp_path, ["t1"]))


def asked(address: str) -> str:
    """What the database says to one question, or why nothing."""
    engine = open_database(address)
    try:
        with engine.connect() as db:
            return str(db.execute(text("SELECT current_user")).scalar_one())
    except OperationalError as error:
        return str(error)
    finally:
        engine.dispose()


def test_the_database_wants_encryption_and_a_password_and_is_proved(room: Encrypted) -> None:
    address = room.database.address
    assert asked(address()) == "archive"
    assert "no encryption" in asked(address(more="sslmode=disable"))
    assert "certificate verify failed" in asked(address().replace(str(room.ca), str(room.other)))
    assert "does not match host name" in asked(address().replace("@127.0.0.1", "@localhost"))
    assert "no pg_hba.conf entry" in asked(address("postgres"))
    with pytest.raises(ConfigError, match=r"database at db: records would cross .*sslmode=verify-full"):
        open_database("postgresql://archive@db/archive?sslmode=require")
    with pytest.raises(ConfigError, match="records would cross"):
        open_database("postgresql://archive@/archive?host=10.0.0.1")
    open_database("postgresql://archive@db/archive?sslmode=verify-full").dispose()


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO played_table (site, name, box) VALUES ('a', 'b', 'c')",
        "UPDATE record SET body = NULL",
        "DELETE FROM site_finding",
        "SELECT sealed FROM record",
        "SELECT count(*) FROM segment",
        "INSERT INTO person (id, hash, role, name) VALUES ('a', 'b', 'floor', 'Mallory')",
        "UPDATE person SET role = 'floor'",
        "DELETE FROM given",
        "SELECT name FROM given",
        "TRUNCATE hand",
        "DROP TABLE hand",
        "CREATE TABLE mine (id integer)",
        "CREATE ROLE mine",
        "SET ROLE archive",
        "COPY record TO PROGRAM 'true'",
        "SELECT pg_read_file('/etc/passwd')",
    ],
)
def test_the_pages_read_what_they_show_and_do_nothing_else(room: Encrypted, statement: str) -> None:
    engine = open_database(room.database.address("pages"))
    try:
        with engine.begin() as db:
            for table in ("hand", "finding", "alert", "site_finding", "played_table"):
                db.execute(text(f"SELECT count(*) FROM {table}"))
        with engine.connect() as db, pytest.raises(ProgrammingError, match="InsufficientPrivilege"):
            db.execute(text(statement))
    finally:
        engine.dispose()


def test_the_pages_let_somebody_in_by_a_link_once_and_write_it_down(room: Encrypted) -> None:
    owner, pages = (open_database(room.database.address(role)) for role in ("archive", "pages"))
    try:
        _, secret = People(owner).add("floor", "Anna", once=True, by="test")
        first, second = (People(pages).exchange(secret) for _ in range(2))
        assert first is not None and first[0].name == "Anna" and second is None
        assert People(pages).find(first[1]) == first[0]
        with owner.connect() as db:
            assert db.execute(text("SELECT what FROM given ORDER BY number")).scalars().all() == [
                "given",
                "opened",
            ]
    finally:
        owner.dispose()
        pages.dispose()


def test_the_role_of_the_workers_is_no_superuser(room: Encrypted) -> None:
    engine = open_database(room.database.address())
    try:
        with engine.connect() as db:
            rights = "SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolbypassrls FROM pg_roles "
            found = db.execute(text(rights + "WHERE rolname IN ('archive', 'pages')")).scalars().all()
        assert found == [False, False]
    finally:
        engine.dispose()
