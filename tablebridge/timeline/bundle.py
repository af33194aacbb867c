"""A hand as a bundle that leaves the box: a zip archive that anybody can check.

| file | what it is |
| --- | --- |
| `chain.jsonl` | the records of the hand, a `Link` per line; without body if they name hidden cards |
| `seal.json` | what the engine of the box signed of them |
| `timeline.json` | the hand as the page shows it, readings included |
| `findings.json`, `rulings.json` | what was found, and what people did |
| `hand.phh` | the hand as PHH, unless PHH cannot hold it |
| `manifest.json` | SHA-256 of each file |

The hashes of the chain are calculated from the digests alone (`journal/chain.py`), so a record without its
body proves its place; a body that is there is proved by its salt. The seal covers the first and the last
hash, and by them all records between. What is derived of them (all other files) is not signed: it can be
derived again.
"""

import hashlib
import io
import zipfile
import zlib
from collections.abc import Sequence
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tablebridge.journal.chain import link
from tablebridge.model.timeline import Link, Seal
from tablebridge.timeline.hand import HandTimeline

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The time of all members: a bundle says in the seal when it was made."""
MOST_BYTES: Final = 256 << 20
_CHAIN: Final = msgspec.json.Decoder(Link)


class Checked(msgspec.Struct, frozen=True):
    """A bundle that is sound. `records`: how many, `whole` of them with their bodies; `key`: who signed;
    `statement`: what was signed.
    """

    records: int
    whole: int
    key: str
    statement: str


class UnsoundBundle(ValueError):
    """A bundle does not prove what it says; the text says why."""


def bundle_of(hand: HandTimeline, links: Sequence[Link], seal: Seal, phh: str) -> bytes:
    """The archive of a hand."""
    files = {
        "chain.jsonl": b"".join(msgspec.json.encode(one) + b"\n" for one in links),
        "seal.json": msgspec.json.encode(seal),
        "timeline.json": msgspec.json.encode(hand),
        "findings.json": msgspec.json.encode(hand.findings),
        "rulings.json": msgspec.json.encode(
            {
                "rulings": [event for event in hand.events if event.word == "ruling"],
                "alerts": hand.acts,
                "reviews": hand.reviews,
            }
        ),
    }
    if phh:
        files["hand.phh"] = phh.encode()
    files["manifest.json"] = msgspec.json.encode(
        {name: hashlib.sha256(body).hexdigest() for name, body in files.items()}
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), body, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def checked(archive: bytes) -> Checked:
    """What a bundle proves. Raises UnsoundBundle."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            if sum(info.file_size for info in opened.infolist()) > MOST_BYTES:
                raise UnsoundBundle(f"it unpacks to more than {MOST_BYTES >> 20} MiB")
            files = {info.filename: opened.read(info) for info in opened.infolist()}
        manifest = msgspec.json.decode(files["manifest.json"], type=dict[str, str])
        seal = msgspec.json.decode(files["seal.json"], type=Seal)
        links = [_CHAIN.decode(line) for line in files["chain.jsonl"].splitlines()]
        said = msgspec.json.decode(seal.statement, type=_Statement)
    except (zipfile.BadZipFile, KeyError, msgspec.MsgspecError, zlib.error) as error:
        raise UnsoundBundle(f"it is no bundle of a hand ({error})") from None
    for name, digest in manifest.items():
        if hashlib.sha256(files.get(name, b"")).hexdigest() != digest:
            raise UnsoundBundle(f"{name} is not the file of the manifest")
    if set(files) - {"manifest.json"} != set(manifest):
        raise UnsoundBundle("it has files that the manifest does not name")
    _follow(links, said)
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(seal.key)).verify(
            bytes.fromhex(seal.signature), seal.statement.encode()
        )
    except (InvalidSignature, ValueError):
        raise UnsoundBundle("the seal was not signed with the key that it names") from None
    return Checked(len(links), sum(bool(one.body) for one in links), seal.key, seal.statement)


class _Statement(msgspec.Struct, frozen=True):
    after: int
    hash_before: str
    through: int
    hash: str


def _follow(links: Sequence[Link], said: _Statement) -> None:
    """The records follow from the hash before them to the last hash. Raises UnsoundBundle for the first that
    does not.
    """
    before, last = said.hash_before, said.after
    for one in links:
        if one.body and hashlib.sha256(bytes.fromhex(one.salt) + one.body.encode()).hexdigest() != one.digest:
            raise UnsoundBundle(f"the body of record {one.number} is not what was written")
        if not one.digest:
            raise UnsoundBundle(
                f"record {one.number} is of an older schema, whose records prove themselves only in the box"
            )
        made = link(bytes.fromhex(before), one.number, one.kind, bytes.fromhex(one.digest), b"digest")
        if one.number <= last or made.hex() != one.hash:
            raise UnsoundBundle(f"record {one.number} does not follow from the one before")
        before, last = one.hash, one.number
    if (before, last) != (said.hash, said.through):
        raise UnsoundBundle("the last record is not the one that was sealed")
