"""One record on its way from a box to the room.

The room checks the chain of a table from these messages alone, also over records whose faces it cannot read:

| the record | `body` | `salt` | `digest` | `sealed` |
| --- | --- | --- | --- | --- |
| holds no hidden face | its bytes, unchanged | its salt | | |
| holds hidden faces | the same without them | | its digest | salt and body for who has the site's key |
| was redacted, or is too large to travel | what stands in its place | | its digest | |

A body is JSON and travels verbatim within the JSON of the message, so its digest can be calculated.

The id of a message has the record's hash in it. A broker drops a message whose id it knows: by table and
number alone it would drop a forked record unseen, and one box could have the records of another dropped.
"""

import hashlib
import re
from typing import Annotated, Final

import msgspec

from tablebridge.journal.chain import link
from tablebridge.model.bounds import Nanoseconds, Word

STREAM: Final = "RECORDS"
CONSUMER: Final = "archive"
_PREFIX: Final = "tb.v1"
_HASH_BYTES: Final = 32
LARGEST: Final = 900_000
"""Bytes of a message; a nats-server takes 1 MiB with the headers."""
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")

Hash = Annotated[bytes, msgspec.Meta(min_length=_HASH_BYTES, max_length=_HASH_BYTES)]
Proof = Annotated[bytes, msgspec.Meta(max_length=_HASH_BYTES)]
Signature = Annotated[bytes, msgspec.Meta(max_length=64)]
Number = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Before = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class RecordMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A record of the chain of `table`. `after`, `before`: number and hash of the record before it, 0 and the
    first link if there is none. `at_wall_ns`: when it happened by the box's clock, 0 if nobody knows.
    `sent_wall_ns`: that clock when it was sent. `signer`, `signature`: public key of the box and what it has
    signed of the chain up to this record, empty if this is no checkpoint. `redacted`: the box has deleted
    what it said. `begins`: records before it do not leave the box. The rest: see above.
    """

    table: Word
    number: Number
    kind: Word
    after: Before
    before: Hash
    hash: Hash
    body: msgspec.Raw = msgspec.Raw(b"null")
    salt: Proof = b""
    digest: Proof = b""
    sealed: bytes = b""
    redacted: bool = False
    begins: bool = False
    at_wall_ns: Nanoseconds = 0
    sent_wall_ns: Nanoseconds = 0
    signer: Proof = b""
    signature: Signature = b""

    @property
    def follows(self) -> bool:
        """Whether its hash is that of a record with this number, kind and body after the one before it."""
        digest = self.digest or hashlib.sha256(self.salt + bytes(self.body)).digest()
        return self.hash == link(self.before, self.number, self.kind, digest, b"digest")


class Address(msgspec.Struct, frozen=True):
    """Whose record a message is, by the subject on which only that box may publish."""

    site: str
    box: str
    table: str


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(RecordMessage)


def encode(message: RecordMessage) -> bytes:
    """The bytes of a message."""
    return _ENCODER.encode(message)


def decode(payload: bytes) -> RecordMessage:
    """The message in these bytes. Raises ValueError if there is none."""
    return _DECODER.decode(payload)


def is_name(text: str) -> bool:
    """Whether a site, box or table may be called this."""
    return _NAME.fullmatch(text) is not None


def subject_of(address: Address) -> str:
    """The subject of the records of a table."""
    return f"{_PREFIX}.{address.site}.{address.box}.{address.table}.record"


def subjects_of_box(site: str, box: str) -> str:
    """The subjects of all tables of a box."""
    return f"{_PREFIX}.{site}.{box}.*.record"


def subjects_of_site(site: str) -> str:
    """The subjects of all tables of a site."""
    return f"{_PREFIX}.{site}.*.*.record"


def address_of(subject: str) -> Address | None:
    """The table of which a subject has the records; None if it has none."""
    parts = subject.split(".")
    if len(parts) != 6 or ".".join(parts[:2]) != _PREFIX or parts[5] != "record":
        return None
    return Address(*parts[2:5]) if all(map(is_name, parts[2:5])) else None


def message_id(address: Address, message: RecordMessage) -> str:
    """The id by which the broker knows a message that it has already."""
    return f"{address.box}/{message.table}/{message.number}/{message.hash.hex()[:16]}"
