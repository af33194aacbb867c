"""Boxes join a room with certificates of their own, can write their own records alone, and are put out."""

import asyncio
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nats.errors
import pytest
from nats.aio.client import Client
from rig.room import SITE

from tablebridge.archive.admitting import Admission, publish_account
from tablebridge.archive.authority import Authority
from tablebridge.model.errors import BrokerError, Refused
from tablebridge.sim.room.servers import Cluster
from tablebridge.stream.claims import USER, is_user, new_key
from tablebridge.stream.connection import Credentials, connect, inbox_of
from tablebridge.stream.joining import PAGES, read_token, rights_of_archive, rights_of_pages
from tablebridge.stream.layout import make_stream
from tablebridge.stream.message import CONSUMER, STREAM, Address, subject_of
from tablebridge.stream.pictures import PICTURES, Place, make_bucket, picture_subject
from tablebridge.uplink.join import join
from tablebridge.uplink.joined import credentials_of, load_joined

pytestmark = pytest.mark.timeout(300)


class Guarded:
    """Servers that know an authority, with a stream."""

    def __init__(self, folder: Path) -> None:
        self.authority = Authority(folder / "authority", SITE)
        self.archive = folder / "archive.creds"
        self.archive.write_text(self.authority.credentials("archive", rights_of_archive()))
        self.cluster = Cluster(
            folder / "servers",
            more=lambda node: self.authority.server_lines(json.dumps(str(folder / f"jwt-{node}"))),
        )

    async def start(self) -> None:
        self.cluster.start()
        await self.cluster.ready(Credentials("archive", self.archive))
        client = await connect(self.cluster.addresses, Credentials("archive", self.archive))
        await make_stream(client.jetstream(timeout=10), SITE)
        await client.close()

    async def join(self, box: str, folder: Path) -> Client:
        admission = Admission(self.authority, self.cluster.addresses, box)
        waiting = asyncio.create_task(admission.wait(60))
        await asyncio.sleep(0.3)
        joined = await join(read_token(admission.token), folder, ["t1"])
        await waiting
        return await connect(joined.servers, credentials_of(folder, load_joined(folder)))


@pytest.fixture(scope="module")
def room() -> Iterator[Guarded]:
    folder = Path(tempfile.mkdtemp(prefix="tb-join-"))
    room = Guarded(folder)
    try:
        asyncio.run(room.start())
        yield room
    finally:
        room.cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def test_a_box_writes_its_own_records_and_nothing_else(room: Guarded, tmp_path: Path) -> None:
    async def probed() -> None:
        client = await room.join("first", tmp_path / "first")
        js = client.jetstream(timeout=5)
        own = subject_of(Address(SITE, "first", "t1"))
        assert (await js.publish(own, b"{}")).stream == STREAM
        assert (await js.get_last_msg(STREAM, own, direct=True)).data == b"{}"
        forbidden = [
            subject_of(Address(SITE, "second", "t1")),
            f"tb.v1.{SITE}.first.t1.cmd",
            f"tb.v1.{SITE}.join.first",
            f"$JS.API.STREAM.DELETE.{STREAM}",
            f"$JS.API.STREAM.PURGE.{STREAM}",
            f"$JS.API.STREAM.INFO.{STREAM}",
            f"$JS.API.CONSUMER.MSG.NEXT.{STREAM}.{CONSUMER}",
            f"$JS.API.DIRECT.GET.{STREAM}",
            f"$JS.API.DIRECT.GET.{STREAM}.{subject_of(Address(SITE, 'second', 't1'))}",
            f"$JS.ACK.{STREAM}.{CONSUMER}.1.1.1.1.1",
            "$SYS.REQ.CLAIMS.UPDATE",
        ]
        for subject in forbidden:
            with pytest.raises((nats.errors.Error, TimeoutError)):
                await client.request(subject, b"{}", timeout=0.5)
        for subject in (">", "tb.>", f"{inbox_of('second')}.>", "$SYS.>"):
            heard = await client.subscribe(subject)
            await client.flush()
            await js.publish(own, b"{}")
            with pytest.raises((nats.errors.Error, TimeoutError)):
                await heard.next_msg(timeout=0.3)
        await client.close()
        client = await connect(room.cluster.addresses, Credentials("archive", room.archive))
        state = (await client.jetstream(timeout=5).stream_info(STREAM)).state
        assert state.messages == 5
        with pytest.raises((nats.errors.Error, TimeoutError)):
            await client.request(own, b"{}", timeout=0.5)
        await client.close()

    asyncio.run(probed())


def test_a_box_writes_pictures_of_its_own_tables_and_clears_no_others(room: Guarded, tmp_path: Path) -> None:
    async def probed() -> None:
        own, other = picture_subject(Place("painter", "t1")), picture_subject(Place("neighbour", "t1"))
        key = tmp_path / "pages.creds"
        key.write_text(room.authority.credentials(PAGES, rights_of_pages()))
        pages = await connect(room.cluster.addresses, Credentials(PAGES, key))
        await make_bucket(pages.jetstream(timeout=10))
        neighbour = await room.join("neighbour", tmp_path / "neighbour")
        await neighbour.jetstream(timeout=10).publish(other, b"{}")
        painter = await room.join("painter", tmp_path / "painter")
        js = painter.jetstream(timeout=5)
        assert (await js.publish(own, b"{}")).stream == PICTURES
        for subject in (
            other,
            picture_subject(Place("painter", "t1")) + ".more",
            f"$JS.API.STREAM.INFO.{PICTURES}",
            f"$JS.API.STREAM.PURGE.{PICTURES}",
            f"$JS.API.STREAM.DELETE.{PICTURES}",
            f"$JS.API.DIRECT.GET.{PICTURES}.{other}",
            f"$JS.API.CONSUMER.CREATE.{PICTURES}.spy",
        ):
            with pytest.raises((nats.errors.Error, TimeoutError)):
                await painter.request(subject, b"{}", timeout=0.5)
        for which in ("all", "sub"):
            with pytest.raises((nats.errors.Error, TimeoutError)):
                await js.publish(own, b"{}", timeout=2, headers={"Nats-Rollup": which})
        with pytest.raises((nats.errors.Error, TimeoutError)):
            await pages.request(own, b"{}", timeout=0.5)
        state = (await pages.jetstream(timeout=5).stream_info(PICTURES)).state
        assert state.messages == 2
        for client in (pages, neighbour, painter):
            await client.close()

    asyncio.run(probed())


def test_a_token_is_for_one_use_and_a_revoked_box_is_out_at_once(room: Guarded, tmp_path: Path) -> None:
    async def tried() -> None:
        admission = Admission(room.authority, room.cluster.addresses, "second")
        waiting = asyncio.create_task(admission.wait(60))
        await asyncio.sleep(0.3)
        token = read_token(admission.token)
        await join(token, tmp_path / "second", ["t1"])
        await waiting
        with pytest.raises(BrokerError, match="for one use and ten minutes"):
            await join(token, tmp_path / "thief", ["t1"])
        with pytest.raises(Refused, match="has joined: revoke it first"):
            Admission(room.authority, room.cluster.addresses, "second")
        own = credentials_of(tmp_path / "second", load_joined(tmp_path / "second"))
        client = await connect(room.cluster.addresses, own, lasting=False)
        room.authority.revoke("second")
        await publish_account(room.authority, room.cluster.addresses)
        await asyncio.wait_for(_closed(client), 30)
        with pytest.raises(nats.errors.Error):
            await connect(room.cluster.addresses, own, lasting=False)
        with pytest.raises(Refused, match="no box 'nobody' has joined"):
            room.authority.revoke("nobody")

    asyncio.run(tried())


def test_a_token_that_nobody_uses_is_void_in_time(room: Guarded) -> None:
    async def waited() -> None:
        with pytest.raises(Refused, match="has not joined in time"):
            await Admission(room.authority, room.cluster.addresses, "late").wait(0.2)

    asyncio.run(waited())


def test_only_the_public_key_of_a_user_is_one() -> None:
    public = new_key(USER).public
    assert is_user(public)
    for wrong in (
        public[:-1] + ("A" if public[-1] != "A" else "B"),
        "A" + public[1:],
        "",
        "ü" * 56,
        public + "=",
    ):
        assert not is_user(wrong)


async def _closed(client: Client) -> None:
    while not client.is_closed:
        await asyncio.sleep(0.05)
