"""Chains that boxes have signed: rewritten with all their hashes, before or after they were archived, by
somebody without the key; signed with another key; not signed any more.
"""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from nacl.signing import SigningKey
from rig.records import Kept, messages_of
from sqlalchemy import text

from tablebridge.app.signing import Signer
from tablebridge.archive.settling import SiteFindings
from tablebridge.archive.signatures import MOST_KEYS
from tablebridge.archive.verifying import verified
from tablebridge.cli.site import command
from tablebridge.journal import chain
from tablebridge.journal.checkpoints import statement
from tablebridge.journal.store import Journal
from tablebridge.sim.room.dealt import DealtTable
from tablebridge.sim.room.postgres import Postgres
from tablebridge.stream.message import RecordMessage

pytestmark = pytest.mark.timeout(300)


class Played:
    """A journal with four hands that was archived up to the end of the second."""

    def __init__(self, folder: Path, kept: Kept, *, signed: bool = True) -> None:
        self.path = folder / "t1.sqlite"
        table = DealtTable(self.path, "t1", signed=signed)
        self.then = table.deal(2)
        self.last = table.deal(2)
        table.close()
        self.kept = kept
        self.key = Signer(folder).public()
        self.put(lambda one: one.number <= self.then)

    def put(self, wanted: Callable[[RecordMessage], bool] = lambda _one: True) -> None:
        """Archive what the journal holds now."""
        self.kept.put([one for one in messages_of(self.path, "t1") if wanted(one)])

    def rewrite(self, number: int) -> None:
        """Write another body of the entry from this number on, and all hashes after it, as whoever owns the
        disk can, without the key beside the journal.
        """
        with sqlite3.connect(self.path) as db:
            rows = list(chain.rows(db, number))
            at = next(at for at, row in enumerate(rows) if row.kind == "entry")
            last, before = chain.before(db, "t1", rows[at].number)
            assert last < rows[at].number
            for row in rows[at:]:
                body = row.body.replace(b'"basis":"dealer"', b'"basis":"script"')
                new = chain.new_row(before, row.number, row.kind, body)
                db.execute(
                    "UPDATE record SET body = ?, hash = ?, proof = ? WHERE number = ?",
                    (new.body, new.hash, new.proof, row.number),
                )
                before = new.hash
        db.close()
        Journal(self.path, "t1", readonly=True).close()

    def found(self) -> set[str]:
        return {finding for finding, _ in self.kept.found("t1")}


@pytest.fixture
def played(tmp_path: Path, kept: Kept) -> Played:
    return Played(tmp_path, kept)


def test_a_signed_chain_is_verified_up_to_its_last_record_with_the_key_of_its_box(
    played: Played, postgres: Postgres
) -> None:
    played.put()
    assert played.found() == set()
    (one,) = verified(played.kept.engine)
    assert (one.box, one.head, one.signed, one.key, one.forged) == (
        "box",
        played.last,
        played.last,
        played.key,
        False,
    )
    said = CliRunner().invoke(command, ["verify"], env={"TABLEBRIDGE_DATABASE": postgres.address})
    assert said.exit_code == 0, said.output
    assert (
        f"signed up to record {played.last} of {played.last} by box box with the key {played.key}"
        in said.stdout
    )


def test_a_chain_that_was_never_signed_is_said_to_be_so(
    tmp_path: Path, kept: Kept, postgres: Postgres
) -> None:
    played = Played(tmp_path, kept, signed=False)
    played.put()
    assert played.found() == set()
    said = CliRunner().invoke(command, ["verify"], env={"TABLEBRIDGE_DATABASE": postgres.address})
    assert said.exit_code == 0 and f"up to record {played.last}, is not signed by box box" in said.stdout


def test_what_was_rewritten_with_all_hashes_before_it_was_archived_is_found(played: Played) -> None:
    played.rewrite(played.then + 3)
    played.put()
    assert played.found() == {"false-signature", "not-signed"}
    (one,) = verified(played.kept.engine)
    assert (one.unsound, one.missing, one.signed) == (0, False, played.then), "the chain itself is sound"


def test_what_was_rewritten_and_lost_its_signatures_is_found(played: Played) -> None:
    played.rewrite(played.then + 3)
    with sqlite3.connect(played.path) as db:
        db.execute("DELETE FROM checkpoint WHERE number > ?", (played.then,))
    db.close()
    played.put()
    assert played.found() == {"not-signed"}


def test_what_was_rewritten_after_it_was_archived_is_found(played: Played) -> None:
    played.rewrite(3)
    played.put()
    assert "false-signature" in played.found() and len(played.found()) > 1
    segments = {one.segment: one for one in verified(played.kept.engine)}
    assert segments[min(segments)].signed == played.then
    assert {one.signed for one in segments.values()} == {played.then, 0}


def signed_with(key: SigningKey, message: RecordMessage) -> RecordMessage:
    place = statement(message.table, message.number, message.hash)
    return replace(message, signer=bytes(key.verify_key), signature=key.sign(place).signature)


def test_another_key_is_found_until_somebody_says_that_it_is_the_boxs(played: Played) -> None:
    other = SigningKey.generate()
    fresh = [signed_with(other, one) for one in messages_of(played.path, "t1") if one.number > played.then]
    half = len(fresh) // 2
    played.kept.put(fresh[:half])
    findings = SiteFindings(played.kept.engine)
    (found,) = (one for one in findings.listed() if one.finding == "other-key")
    assert bytes(other.verify_key).hex() in found.sentence
    (one,) = verified(played.kept.engine)
    assert (one.signed, one.key) == (played.then, played.key)
    findings.settle(found.id, "Anna", "the box was set up anew", is_right=True)
    played.kept.put(fresh[half:])
    (one,) = verified(played.kept.engine)
    assert (one.signed, one.key) == (played.last, bytes(other.verify_key).hex())


def test_any_number_of_keys_is_bounded(played: Played) -> None:
    fresh = [one for one in messages_of(played.path, "t1") if one.number > played.then]
    assert len(fresh) > 2 * MOST_KEYS
    played.kept.put([signed_with(SigningKey.generate(), one) for one in fresh])
    assert len(played.kept.rows("SELECT 1 FROM box_key")) == MOST_KEYS
    assert len([1 for finding, _ in played.kept.found("t1") if finding == "other-key"]) == MOST_KEYS


@pytest.mark.parametrize(
    ("signer", "signature"),
    [(b"", b"\0" * 64), (b"\0" * 32, b"\0" * 64), (b"\xff" * 32, b"x"), (b"\x01" * 31, b"\x01" * 63)],
)
def test_bytes_that_are_no_signature_are_one(played: Played, signer: bytes, signature: bytes) -> None:
    (message,) = (one for one in messages_of(played.path, "t1") if one.after == played.then)
    outcome = played.kept.put([replace(message, signer=signer, signature=signature)])
    assert outcome.stored == [0] and played.found() == {"false-signature"}


def test_a_signature_is_of_its_table_and_record_alone(played: Played) -> None:
    messages = messages_of(played.path, "t1")
    signed = next(one for one in messages if one.signature and one.number <= played.then)
    after = next(one for one in messages if one.after == played.then)
    played.kept.put([replace(after, signer=signed.signer, signature=signed.signature)])
    assert played.found() == {"false-signature"}
    assert statement("t1", 12, b"3") != statement("t", 112, b"3") != statement("t1", 1, b"23")
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"signature": b"x" * 65}, type=RecordMessage, strict=False)


def test_a_signature_that_was_changed_in_the_database_is_found(played: Played, postgres: Postgres) -> None:
    with played.kept.engine.begin() as db:
        db.execute(text("UPDATE segment SET signature = sha512('x')"))
    said = CliRunner().invoke(command, ["verify"], env={"TABLEBRIDGE_DATABASE": postgres.address})
    assert said.exit_code == 1 and "is not that of its key" in said.stdout


def test_a_night_that_is_replayed_is_known_and_takes_no_signature_back(played: Played) -> None:
    played.put()
    messages = messages_of(played.path, "t1")
    for replayed in (messages, messages[: len(messages) // 2], list(reversed(messages))):
        outcome = played.kept.put(replayed)
        assert (outcome.stored, len(outcome.doubles)) == ([], len(replayed))
    assert played.found() == set()
    (one,) = verified(played.kept.engine)
    assert (one.records, one.signed) == (len(messages), played.last)


def test_a_box_that_was_restored_from_a_backup_is_a_fork_that_it_has_signed(
    tmp_path: Path, kept: Kept
) -> None:
    saved = tmp_path / "saved"
    path = tmp_path / "t1.sqlite"
    table = DealtTable(path, "t1", signed=True)
    table.deal(2)
    table.close()
    shutil.copy(path, saved)
    table = DealtTable(path, "t1", signed=True)
    table.deal(1)
    table.close()
    kept.put(messages_of(path, "t1"))
    shutil.copy(saved, path)
    table = DealtTable(path, "t1", seed=9, signed=True)
    last = table.deal(2)
    table.close()
    kept.put(messages_of(path, "t1"))
    assert {finding for finding, _ in kept.found("t1")} == {"forked-chain"}
    assert [one.signed for one in verified(kept.engine)][1] == last
