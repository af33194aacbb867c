"""Configuration that the room makes for a box: a site file, and the rulebooks and games that it names.

| bucket | key | what |
| --- | --- | --- |
| `CONFIG` | the box | its versions, the newest one last; signed with the key of the room's account |
| `RUNS` | the box | what the box says of the newest version: refused and why, waiting, or running |

A version has a number that only grows, which is signed with it and with the name of the box: an old version
that somebody puts there again, or that of another box, is not taken. Going back is a new version with the
contents of an old one.
"""

from base64 import b32decode
from typing import Annotated, Final, Literal

import msgspec
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from tablebridge.model.bounds import Nanoseconds
from tablebridge.model.errors import ConfigError
from tablebridge.stream.claims import Key

VERSIONS: Final = "CONFIG"
RUNS: Final = "RUNS"
SITE_FILE: Final = "site.toml"
KEPT: Final = 32
"""Versions of a box that the room keeps."""
LARGEST: Final = 900_000
_SIGNED_AS: Final = b"tablebridge configuration\0"
_MOST_TEXT: Final = 200_000

Number = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
VersionName = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9_.-]{0,31}\Z")]
BoxName = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}\Z")]
FileName = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}\.toml\Z")]
Text = Annotated[str, msgspec.Meta(max_length=_MOST_TEXT)]
Fault = Annotated[str, msgspec.Meta(max_length=500)]


class Version(msgspec.Struct, frozen=True):
    """A configuration of `box`. `site_file`: its text; `files`: those that it names, by name, which lie
    beside it.
    """

    box: BoxName
    number: Number
    name: VersionName
    made_wall_ns: Nanoseconds
    site_file: Text
    files: Annotated[dict[FileName, Text], msgspec.Meta(max_length=16)] = {}


class Signed(msgspec.Struct, frozen=True):
    """A version with the signature of the room's account."""

    version: msgspec.Raw
    signature: Annotated[bytes, msgspec.Meta(min_length=64, max_length=64)]


class Running(msgspec.Struct, frozen=True):
    """What a box says of the version with this number and name. `faults`: why it is refused, with file and
    line.
    """

    number: Annotated[int, msgspec.Meta(ge=0, le=2**53)]
    name: Annotated[str, msgspec.Meta(max_length=32)]
    state: Literal["refused", "waits", "runs"]
    at_wall_ns: Nanoseconds
    faults: Annotated[tuple[Fault, ...], msgspec.Meta(max_length=50)] = ()


_ENCODER: Final = msgspec.json.Encoder(order="deterministic")
_SIGNED: Final = msgspec.json.Decoder(Signed)
_VERSION: Final = msgspec.json.Decoder(Version)
_RUNNING: Final = msgspec.json.Decoder(Running)


def sign(version: Version, key: Key) -> bytes:
    """The signed version as bytes. Raises ConfigError if it is beyond a bound."""
    body = _ENCODER.encode(version)
    try:
        _VERSION.decode(body)
    except msgspec.ValidationError as error:
        raise ConfigError(f"this cannot be sent to a box: {error}") from None
    signed = _ENCODER.encode(Signed(msgspec.Raw(body), key.sign(_SIGNED_AS + body)))
    if len(signed) > LARGEST:
        raise ConfigError(f"site file and rulebooks have {len(signed)} bytes; at most {LARGEST} are sent")
    return signed


def verified(payload: bytes, box: str, authority: str) -> Version:
    """The version in these bytes, if `authority`, a public key as text, has signed it for this box. Raises
    ValueError.
    """
    if len(payload) > LARGEST:
        raise ValueError(f"it has {len(payload)} bytes")
    signed = _SIGNED.decode(payload)
    try:
        VerifyKey(b32decode(authority)[1:33]).verify(_SIGNED_AS + bytes(signed.version), signed.signature)
    except (BadSignatureError, ValueError, TypeError):
        raise ValueError("the room that this box has joined has not signed it") from None
    version = _VERSION.decode(signed.version)
    if version.box != box:
        raise ValueError(f"it is made for box {version.box}")
    return version


def encode_running(running: Running) -> bytes:
    """The bytes of a report."""
    return _ENCODER.encode(running)


def read_running(payload: bytes) -> Running:
    """The report in these bytes. Raises ValueError if there is none."""
    return _RUNNING.decode(payload)


def key_of(bucket: str, box: str) -> str:
    """The subject of a box's key in a bucket."""
    return f"$KV.{bucket}.{box}"


def stream_of(bucket: str) -> str:
    """The stream behind a bucket."""
    return f"KV_{bucket}"
