"""What the boxes have signed of the chains, as records are stored.

The first key with which a box signs is the box's from then on; another one is its key when somebody has said
so (`site settle --is-right`). From the first signature of a segment on no two hands in it may end without
one; what an older tablebridge wrote has none, and what begins another segment is a finding already.

| a record comes | then |
| --- | --- |
| with a signature of the box's key over its place | the segment is signed up to it |
| with one that does not fit | `false-signature` |
| with one of another key | `other-key`: it counts as not signed |
| and is the end of a hand, and the end before it was not signed either | `not-signed` |

A chain that somebody rewrites with all its hashes has no signatures that fit, unless he has the box's key.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from nacl.exceptions import CryptoError
from nacl.signing import VerifyKey
from sqlalchemy import Connection, bindparam, insert, select, text, update

from tablebridge.archive.rows import Stored
from tablebridge.archive.schema import BOX_KEY, SEGMENT
from tablebridge.journal.checkpoints import statement

MOST_KEYS: Final = 16
"""Of one box: whoever has its credentials could make any number of them."""
_NUMBER_BYTES: Final = 6
_LOCK: Final = 0x626F786B6579
"""The advisory lock under which keys are noted."""


class SignedRecord(NamedTuple):
    """A record that is stored. `event`: of its entry, if it is one."""

    site: str
    stored: Stored
    event: str | None


@dataclass
class _Signed:
    """How far a segment is signed."""

    number: int
    hash: bytes | None
    key: bytes | None
    signature: bytes | None
    unsigned_end: int | None


_NEW_END: Final = (
    update(SEGMENT)
    .where(SEGMENT.c.id == bindparam("segment"))
    .values(
        signed_number=bindparam("now_number"),
        signed_hash=bindparam("now_hash"),
        signed_by=bindparam("now_key"),
        signature=bindparam("now_signature"),
        unsigned_end=bindparam("now_unsigned_end"),
    )
)
"""How far a segment is signed now."""

Notice = Callable[[SignedRecord, str, int, str], None]
"""A finding about a record: its name, number and what else is said."""


def number_of(key: bytes) -> int:
    """The number by which findings name a key."""
    return int.from_bytes(key[:_NUMBER_BYTES], "big")


def is_signed(table: str, number: int, hash: bytes, key: bytes, signature: bytes) -> bool:
    """Whether the signature is that of this key over the record's place."""
    try:
        VerifyKey(key).verify(statement(table, number, hash), signature)
    except (CryptoError, ValueError, TypeError):
        return False
    return True


def take(db: Connection, records: Sequence[SignedRecord], notice: Notice) -> None:
    """Note how far these records, in the order of their chains, are signed."""
    concerned = [one for one in records if one.event == "end" or one.stored.message.signature]
    if not concerned:
        return
    signed = _signed(db, {one.stored.segment for one in concerned})
    before = {segment: _Signed(**vars(one)) for segment, one in signed.items()}
    keys = _Keys(db, concerned)
    for one in concerned:
        _take(signed[one.stored.segment], keys, one, notice)
    changed = [
        {"segment": segment} | {f"now_{name}": value for name, value in vars(now).items()}
        for segment, now in signed.items()
        if now != before[segment]
    ]
    if changed:
        db.execute(_NEW_END, changed)


def _take(signed: _Signed, keys: "_Keys", one: SignedRecord, notice: Notice) -> None:
    message, box = one.stored.message, (one.site, one.stored.box)
    if message.signature:
        place = message.table, message.number, message.hash
        if not is_signed(*place, message.signer, message.signature):
            notice(one, "false-signature", message.number, "")
        elif keys.is_of(box, message.signer):
            signed.number, signed.hash = message.number, message.hash
            signed.key, signed.signature = message.signer, message.signature
            signed.unsigned_end = None
            return
        else:
            notice(one, "other-key", keys.note(box, message.signer), message.signer.hex())
    if one.event == "end":
        if signed.unsigned_end is not None and signed.number:
            notice(one, "not-signed", signed.unsigned_end, "")
        signed.unsigned_end = signed.unsigned_end or message.number


class _Keys:
    """The keys of the boxes of these records."""

    def __init__(self, db: Connection, records: Iterable[SignedRecord]) -> None:
        self._db = db
        self._known: dict[tuple[str, str], dict[bytes, bool]] = defaultdict(dict)
        self._boxes = {one.stored.box for one in records}
        self._locked = False
        self._look()

    def is_of(self, box: tuple[str, str], key: bytes) -> bool:
        """Whether it is the key of the box: the first one is."""
        if not self._known[box]:
            self._lock()
            if not self._known[box]:
                self._add(box, key, trusted=True)
        return self._known[box].get(key, False)

    def note(self, box: tuple[str, str], key: bytes) -> int:
        """Note another key of the box; the number by which a finding names it, 0 if there are too many."""
        if key not in self._known[box]:
            self._lock()
        if key not in self._known[box]:
            if len(self._known[box]) >= MOST_KEYS:
                return 0
            self._add(box, key, trusted=False)
        return number_of(key)

    def _look(self) -> None:
        wanted = select(BOX_KEY.c.site, BOX_KEY.c.box, BOX_KEY.c.key, BOX_KEY.c.trusted)
        for site, box, key, trusted in self._db.execute(wanted.where(BOX_KEY.c.box.in_(self._boxes))):
            self._known[site, box][bytes(key)] = trusted

    def _lock(self) -> None:
        """Wait until no other worker notes a key, and see what it has noted: a box has one first key."""
        if not self._locked:
            self._db.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            self._locked = True
            self._look()

    def _add(self, box: tuple[str, str], key: bytes, *, trusted: bool) -> None:
        site, name = box
        self._db.execute(insert(BOX_KEY).values(site=site, box=name, key=key, trusted=trusted))
        self._known[box][key] = trusted


def _signed(db: Connection, segments: Iterable[int]) -> dict[int, _Signed]:
    wanted = select(
        SEGMENT.c.id,
        SEGMENT.c.signed_number,
        SEGMENT.c.signed_hash,
        SEGMENT.c.signed_by,
        SEGMENT.c.signature,
        SEGMENT.c.unsigned_end,
    ).where(SEGMENT.c.id.in_(segments))
    return {
        id: _Signed(number, _bytes(hash_), _bytes(key), _bytes(signature), end)
        for id, number, hash_, key, signature, end in db.execute(wanted)
    }


def _bytes(found: bytes | None) -> bytes | None:
    return None if found is None else bytes(found)


def trust(db: Connection, site: str, box: str, number: int) -> bool:
    """Have the key that findings name by this number be one of the box's; whether there is such."""
    wanted = select(BOX_KEY.c.key).where(BOX_KEY.c.site == site, BOX_KEY.c.box == box)
    keys = [bytes(key) for key in db.execute(wanted).scalars() if number_of(bytes(key)) == number]
    for key in keys:
        db.execute(
            update(BOX_KEY)
            .where(BOX_KEY.c.site == site, BOX_KEY.c.box == box, BOX_KEY.c.key == key)
            .values(trusted=True)
        )
    return bool(keys)
