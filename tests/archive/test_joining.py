"""Boxes join a room with certificates of their own, can write their own records alone, and are put out."""

import asyncio
import logging
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import nats.errors
import pytest
from click.testing import CliRunner, Result
from nats.aio.client import Client, RawCredentials
from rig.guarded import Guarded
from rig.room import SITE

from tablebridge.archive.admitting import Admission, publish_account
from tablebridge.cli.join import command
from tablebridge.model.errors import BrokerError, Refused
from tablebridge.settings.state import UPLINK_JOINED
from tablebridge.stream.claims import USER, is_user, new_key
from tablebridge.stream.commands import command_subject, commands_of_box, rights_of_asker
from tablebridge.stream.configuration import RUNS, VERSIONS, key_of, stream_of
from tablebridge.stream.connection import Credentials, connect, inbox_of
from tablebridge.stream.joining import PAGES, join_subject, joiner_name, read_token, rights_of_pages
from tablebridge.stream.message import CONSUMER, STREAM, Address, subject_of
from tablebridge.stream.pictures import PICTURES, Place, make_bucket, picture_subject
from tablebridge.uplink.join import join
from tablebridge.uplink.joined import credentials_of, load_joined, takes_commands

pytestmark = pytest.mark.timeout(300)


FORBIDDEN = (
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
    key_of(VERSIONS, "first"),
    key_of(RUNS, "second"),
    f"$JS.API.DIRECT.GET.{stream_of(VERSIONS)}.{key_of(VERSIONS, 'second')}",
    f"$JS.API.STREAM.CREATE.{stream_of(VERSIONS)}",
)
DEAF_TO = (
    ">",
    "tb.>",
    f"tb.v1.{SITE}.*.*.cmd",
    commands_of_box(SITE, "second"),
    f"{inbox_of('second')}.>",
    "$SYS.>",
)


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


@pytest.fixture
def refusals(caplog: pytest.LogCaptureFixture) -> Callable[[], set[str]]:
    """The subjects that servers have forbidden, by what the connections log: an answer that does not come
    could also be one that nobody gives.
    """
    caplog.set_level(logging.INFO, "tablebridge.stream.connection")

    def found() -> set[str]:
        return set(re.findall(r'permissions violation for \w+ to "([^"]+)"', caplog.text.lower()))

    return found


def test_a_box_writes_its_own_records_and_nothing_else(
    room: Guarded, tmp_path: Path, refusals: Callable[[], set[str]]
) -> None:
    async def probed() -> None:
        client = await room.join("first", tmp_path / "first")
        js = client.jetstream(timeout=5)
        own = subject_of(Address(SITE, "first", "t1"))
        assert (await js.publish(own, b"{}")).stream == STREAM
        assert (await js.get_last_msg(STREAM, own, direct=True)).data == b"{}"
        for subject in FORBIDDEN:
            # That nobody answers, which would be NoRespondersError, is not enough.
            with pytest.raises(TimeoutError):
                await client.request(subject, b"{}", timeout=0.5)
        assert refusals() == {subject.lower() for subject in FORBIDDEN}
        for subject in DEAF_TO:
            heard = await client.subscribe(subject)
            await client.flush()
            await js.publish(own, b"{}")
            with pytest.raises((nats.errors.Error, TimeoutError)):
                await heard.next_msg(timeout=0.3)
        await client.close()
        client = await connect(room.cluster.addresses, Credentials("archive", room.archive))
        state = (await client.jetstream(timeout=5).stream_info(STREAM)).state
        assert state.messages == 7
        with pytest.raises((nats.errors.Error, TimeoutError)):
            await client.request(own, b"{}", timeout=0.5)
        await client.close()

    asyncio.run(probed())


def test_a_box_hears_what_is_asked_of_it_and_may_answer_that_once(room: Guarded, tmp_path: Path) -> None:
    async def probed() -> None:
        client = await room.join("asked", tmp_path / "asked")
        heard = await client.subscribe(commands_of_box(SITE, "asked"))
        await client.flush()
        pages = RawCredentials(room.authority.credentials("pages", rights_of_asker(SITE, "pages")))
        asking = await connect(room.cluster.addresses, Credentials("pages", pages))
        answers = await asking.subscribe(f"{inbox_of('pages')}.one")
        await asking.publish(command_subject(Address(SITE, "asked", "t1")), b"?", reply=answers.subject)
        question = await heard.next_msg(timeout=10)
        for _ in range(2):
            await question.respond(b"!")
        assert (await answers.next_msg(timeout=10)).data == b"!"
        await client.publish(answers.subject, b"forged")
        with pytest.raises(TimeoutError):
            await answers.next_msg(timeout=0.5)
        for subject in (subject_of(Address(SITE, "asked", "t1")), key_of(VERSIONS, "asked")):
            with pytest.raises(TimeoutError):
                await asking.request(subject, b"{}", timeout=0.5)
        await asking.close()
        await client.close()

    asyncio.run(probed())


def test_an_archive_worker_takes_records_and_can_neither_make_nor_delete_any(
    room: Guarded, tmp_path: Path, refusals: Callable[[], set[str]]
) -> None:
    own = f"$JS.ACK.{STREAM}.{CONSUMER}.1.1.1.1.1"

    async def probed() -> None:
        box = await room.join("third", tmp_path / "third")
        record = subject_of(Address(SITE, "third", "t1"))
        await box.jetstream(timeout=5).publish(record, b"{}")
        client = await connect(room.cluster.addresses, Credentials("archive", room.archive))
        js = client.jetstream(timeout=5)
        before = (await js.stream_info(STREAM)).state
        forbidden = [
            record,
            f"tb.v1.{SITE}.third.t1.cmd",
            f"tb.v1.{SITE}.join.third",
            f"$JS.API.STREAM.DELETE.{STREAM}",
            f"$JS.API.STREAM.PURGE.{STREAM}",
            f"$JS.API.STREAM.UPDATE.{STREAM}",
            f"$JS.API.STREAM.MSG.DELETE.{STREAM}",
            f"$JS.API.STREAM.SNAPSHOT.{STREAM}",
            "$JS.API.STREAM.CREATE.OTHER",
            "$JS.API.STREAM.NAMES",
            f"$JS.API.CONSUMER.DELETE.{STREAM}.{CONSUMER}",
            f"$JS.API.CONSUMER.CREATE.{STREAM}.other",
            f"$JS.API.CONSUMER.PAUSE.{STREAM}.{CONSUMER}",
            "$SYS.REQ.CLAIMS.UPDATE",
            f"{inbox_of('third')}.1",
        ]
        for subject in forbidden:
            with pytest.raises((nats.errors.Error, TimeoutError)):
                await client.request(subject, b"{}", timeout=0.5)
        assert refusals() == {subject.lower() for subject in forbidden}
        await client.publish(own, b"")
        for subject in (">", f"tb.v1.{SITE}.>", f"{inbox_of('third')}.>", "$SYS.>"):
            heard = await client.subscribe(subject)
            await client.flush()
            await box.jetstream(timeout=5).publish(record, b"{}")
            with pytest.raises((nats.errors.Error, TimeoutError)):
                await heard.next_msg(timeout=0.3)
        after = (await js.stream_info(STREAM)).state
        assert after.messages == before.messages + 4 and after.first_seq == before.first_seq
        assert (await js.consumer_info(STREAM, CONSUMER)).name == CONSUMER
        await client.close()
        await box.close()

    asyncio.run(probed())


def test_whoever_has_a_token_may_ask_for_its_box_and_nothing_else(
    room: Guarded, refusals: Callable[[], set[str]]
) -> None:
    async def probed() -> None:
        token = read_token(Admission(room.authority, room.cluster.addresses, "fourth").token)
        own = Credentials(joiner_name("fourth"), RawCredentials(token.credentials))
        client = await connect(room.cluster.addresses, own)
        forbidden = (
            join_subject(SITE, "fifth"),
            subject_of(Address(SITE, "fourth", "t1")),
            f"$JS.API.STREAM.INFO.{STREAM}",
            f"$JS.API.DIRECT.GET.{STREAM}.{subject_of(Address(SITE, 'first', 't1'))}",
        )
        for subject in forbidden:
            with pytest.raises((nats.errors.Error, TimeoutError)):
                await client.request(subject, b"{}", timeout=0.5)
        assert refusals() == {subject.lower() for subject in forbidden}
        heard = await client.subscribe(join_subject(SITE, "fourth"))
        await client.flush()
        await client.publish(join_subject(SITE, "fourth"), b"{}")
        with pytest.raises((nats.errors.Error, TimeoutError)):
            await heard.next_msg(timeout=0.3)
        await client.close()


def test_a_box_writes_pictures_of_its_own_tables_and_clears_no_others(room: Guarded, tmp_path: Path) -> None:
    async def probed() -> None:
        own, other = picture_subject(Place("painter", "t1")), picture_subject(Place("neighbour", "t1"))
        key = tmp_path / "pages.creds"
        key.write_text(room.authority.credentials(PAGES, rights_of_pages(SITE)))
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
        reports = f"$JS.API.DIRECT.GET.{stream_of(RUNS)}.{key_of(RUNS, 'painter')}"
        with pytest.raises(nats.errors.NoRespondersError):
            await pages.request(reports, b"", timeout=5)
        of_boxes = f"$JS.API.DIRECT.GET.{stream_of(VERSIONS)}.{key_of(VERSIONS, 'painter')}"
        for subject in (own, key_of(RUNS, "painter"), of_boxes):
            with pytest.raises(TimeoutError):
                await pages.request(subject, b"{}", timeout=0.5)
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


def test_a_token_is_pasted_and_the_owner_decides_what_the_room_may_do(room: Guarded, tmp_path: Path) -> None:
    site = tmp_path / "site.toml"
    state = tmp_path / "state"
    site.write_text(f'name = "box"\nstate_dir = "{state}"\n[[table]]\nname = "t1"\n')

    async def joined(name: str, *words: str) -> Result:
        admission = Admission(room.authority, room.cluster.addresses, name)
        waiting = asyncio.create_task(admission.wait(60))
        await asyncio.sleep(0.3)
        run = partial(CliRunner().invoke, command, ["--site", str(site), *words, "-"], input=admission.token)
        done = await asyncio.to_thread(run)
        await waiting
        return done

    done = asyncio.run(joined("pasted"))
    assert done.exit_code == 0 and "Box pasted has joined the site main" in done.output
    assert takes_commands(state) and load_joined(state).authority == room.authority.public
    assert CliRunner().invoke(command, ["--site", str(site), "--commands", "off"]).exit_code == 0
    assert not takes_commands(state)
    assert asyncio.run(joined("again")).exit_code == 0
    assert not takes_commands(state), "who joins another time has decided before"
    assert CliRunner().invoke(command, ["--site", str(site)]).exit_code == 2
    UPLINK_JOINED.path(state).write_text("{")
    assert not takes_commands(state)


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
