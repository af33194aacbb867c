"""Who may do what at the nats-servers of a room: keys (NKEY) and the certificates that say it (JWT).

An operator signs accounts, an account signs its users; the servers know the operator's certificate alone and
believe what it vouches for (https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/jwt).
So a box is added without a change at any server, and its private key never leaves it.

    BASE64URL(header) . BASE64URL(claims) . BASE64URL(signature)
"""

import hashlib
import time
from base64 import b32decode, b32encode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import nkeys
from nacl.signing import SigningKey

_HEADER: Final = b'{"typ":"JWT","alg":"ed25519-nkey"}'
_NO_LIMIT: Final = -1
_LIMITS: Final = ("subs", "data", "payload", "imports", "exports", "conn", "leaf")
_STORAGE: Final = ("mem_storage", "disk_storage", "streams", "consumer")
_PUBLIC_BYTES: Final = 35
"""A prefix, 32 bytes, a checksum."""
_ENCODER: Final = msgspec.json.Encoder(order="deterministic")
OPERATOR: Final = nkeys.PREFIX_BYTE_OPERATOR
ACCOUNT: Final = nkeys.PREFIX_BYTE_ACCOUNT
USER: Final = nkeys.PREFIX_BYTE_USER


class Key(NamedTuple):
    """A key pair. `seed`: the secret, as text."""

    seed: str

    @property
    def public(self) -> str:
        """The public key, as text."""
        return bytes(nkeys.from_seed(self.seed.encode()).public_key).decode()

    def sign(self, data: bytes) -> bytes:
        """The signature of these bytes."""
        return bytes(nkeys.from_seed(self.seed.encode()).sign(data))


class Rights(NamedTuple):
    """The subjects on which a user may publish, and those to which it may subscribe. `answers_s`: so many
    seconds after a request it may answer that, once; 0: never.
    """

    publish: Sequence[str]
    subscribe: Sequence[str]
    answers_s: int = 0


def new_key(kind: int) -> Key:
    """A new key pair of this kind."""
    return Key(bytes(nkeys.encode_seed(bytes(SigningKey.generate()), kind)).decode())


def is_user(public: str) -> bool:
    """Whether this is the public key of a user."""
    try:
        raw = bytearray(b32decode(public.encode("ascii")))
    except ValueError:
        return False
    if len(raw) != _PUBLIC_BYTES or raw[0] != USER:
        return False
    return bool(nkeys.crc16(raw[:-2]) == int.from_bytes(raw[-2:], "little"))


def operator(key: Key, system: Key) -> str:
    """The certificate of the operator of a room, whose system account has the other key."""
    return _signed(key, key.public, "tablebridge", {"type": "operator", "system_account": system.public})


def account(key: Key, name: str, signer: Key, revoked: Mapping[str, int], *, stores: bool) -> str:
    """The certificate of an account. `revoked`: by the public keys of users the time (seconds) up to which
    their certificates are no longer accepted. `stores`: it may have streams.
    """
    storage = _NO_LIMIT if stores else 0
    limits: dict[str, int | bool] = dict.fromkeys(_LIMITS, _NO_LIMIT)
    limits |= dict.fromkeys(_STORAGE, storage) | {"wildcards": True}
    said = {"type": "account", "limits": limits, "default_permissions": {"pub": {}, "sub": {}}}
    return _signed(signer, key.public, name, said | ({"revocations": dict(revoked)} if revoked else {}))


def user(public: str, name: str, signer: Key, rights: Rights, *, lasts_s: int = 0) -> str:
    """The certificate of a user. `lasts_s`: it ends after so many seconds; 0: it does not."""
    said: dict[str, Any] = {
        "type": "user",
        "pub": {"allow": list(rights.publish)},
        "sub": {"allow": list(rights.subscribe)},
        "subs": _NO_LIMIT,
        "data": _NO_LIMIT,
        "payload": _NO_LIMIT,
    }
    if rights.answers_s:
        said["resp"] = {"max": 1, "ttl": rights.answers_s * 1_000_000_000}
    return _signed(signer, public, name, said, lasts_s)


def credentials(certificate: str, key: Key) -> str:
    """Certificate and key of a user, as the file that clients read."""
    return (
        f"-----BEGIN NATS USER JWT-----\n{certificate}\n------END NATS USER JWT------\n\n"
        f"-----BEGIN USER NKEY SEED-----\n{key.seed}\n------END USER NKEY SEED------\n"
    )


def _signed(signer: Key, subject: str, name: str, said: dict[str, Any], lasts_s: int = 0) -> str:
    now = int(time.time())
    claims: dict[str, Any] = {
        "jti": "",
        "iat": now,
        "iss": signer.public,
        "name": name,
        "sub": subject,
        "nats": said | {"version": 2},
    }
    if lasts_s:
        claims["exp"] = now + lasts_s
    claims["jti"] = b32encode(hashlib.sha256(_ENCODER.encode(claims)).digest()).decode().rstrip("=")
    text = f"{_base64(_HEADER)}.{_base64(_ENCODER.encode(claims))}"
    return f"{text}.{_base64(signer.sign(text.encode()))}"


def _base64(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
