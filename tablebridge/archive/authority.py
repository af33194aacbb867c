"""The authority of a room: the keys with which accounts and boxes are signed, and the boxes that have joined.

| file | what it is |
| --- | --- |
| `operator.seed`, `system.seed`, `account.seed` | the keys of operator, servers' account, room |
| `site.key` | the private key for which boxes seal hidden faces |
| `boxes.json` | the boxes by name with their public keys, and the keys that were revoked |

Whoever has this folder can add boxes and open what is sealed. It belongs on one machine of the room, to one
user, and in a backup.
"""

import time
from pathlib import Path
from typing import Final

import msgspec

from tablebridge import private
from tablebridge.model.errors import ConfigError, Refused
from tablebridge.stream.claims import (
    ACCOUNT,
    OPERATOR,
    USER,
    Key,
    Rights,
    account,
    credentials,
    new_key,
    operator,
    user,
)
from tablebridge.stream.configuration import Version, sign
from tablebridge.stream.joining import PAGES, TOKEN_S, joiner_name, rights_of_box, rights_of_joiner
from tablebridge.stream.message import is_name
from tablebridge.stream.sealing import SiteKey, site_key

_SYSTEM_RIGHTS: Final = Rights([">"], [">"])
_ROOM: Final = "room"


class Boxes(msgspec.Struct):
    """The boxes of a room. `joined`: public keys by name; `revoked`: by public key the time (seconds);
    `formerly`: the names of those that were revoked.
    """

    joined: dict[str, str] = {}
    revoked: dict[str, int] = {}
    formerly: list[str] = []


class Authority:
    """The authority whose files are in `folder`, for the site of this name. They are made if they are not
    there. Raises ConfigError.
    """

    def __init__(self, folder: Path, site: str) -> None:
        if not is_name(site):
            raise ConfigError(f"{site!r} is no name of a site: letters a to z, digits, - and _, at most 32")
        self.site = site
        self._folder = folder
        try:
            private.own_folder(folder)
            self._operator = self._key("operator", OPERATOR)
            self._system = self._key("system", ACCOUNT)
            self._account = self._key("account", ACCOUNT)
            self.sealing: SiteKey = site_key(folder / "site.key")
            self._boxes = self._read()
        except OSError as error:
            raise ConfigError(f"{folder}: {error.strerror}; run this as the user it belongs to") from None

    @property
    def boxes(self) -> dict[str, str]:
        """The public keys of the boxes that have joined, by name."""
        return dict(self._boxes.joined)

    @property
    def account_certificate(self) -> str:
        """The certificate of the room's account, with what was revoked."""
        return account(self._account, _ROOM, self._operator, self._boxes.revoked, stores=True)

    def server_lines(self, resolver: str) -> str:
        """What the configuration of each nats-server says of accounts. `resolver`: the server's own folder
        for certificates, quoted.
        """
        system = account(self._system, "system", self._operator, {}, stores=False)
        return (
            f"operator: {operator(self._operator, self._system)}\n"
            f"system_account: {self._system.public}\n"
            f'resolver {{ type: full, dir: {resolver}, allow_delete: false, interval: "2m" }}\n'
            f"resolver_preload {{\n  {self._system.public}: {system}\n"
            f"  {self._account.public}: {self.account_certificate}\n}}\n"
        )

    def credentials(self, name: str, rights: Rights) -> str:
        """Credentials of a new user of the room's account."""
        key = new_key(USER)
        return credentials(user(key.public, name, self._account, rights), key)

    def system_credentials(self) -> str:
        """Credentials of a new user of the servers' own account, for an hour."""
        key = new_key(USER)
        certificate = user(key.public, "authority", self._system, _SYSTEM_RIGHTS, lasts_s=3600)
        return credentials(certificate, key)

    def joiner(self, box: str) -> str:
        """Credentials with which this box may ask to join, for ten minutes. Raises Refused."""
        if not is_name(box) or box in ("join", _ROOM, "archive", PAGES):
            raise Refused(f"{box!r} is no name for a box: letters a to z, digits, - and _, at most 32")
        if box in self._boxes.joined:
            raise Refused(f"box {box} has joined: revoke it first (tablebridge site revoke-box {box})")
        key = new_key(USER)
        rights = rights_of_joiner(self.site, box)
        return credentials(user(key.public, joiner_name(box), self._account, rights, lasts_s=TOKEN_S), key)

    def admit(self, box: str, public: str) -> str:
        """The certificate of a box that has asked with this public key; it is noted first. Raises Refused,
        OSError.
        """
        if box in self._boxes.joined or public in self._boxes.revoked:
            raise Refused(f"box {box} has joined already, or its key was revoked")
        self._boxes.joined[box] = public
        self._save()
        return user(public, box, self._account, rights_of_box(self.site, box))

    def signed(self, version: Version) -> bytes:
        """A configuration, with the signature by which its box knows this room. Raises ConfigError."""
        return sign(version, self._account)

    @property
    def public(self) -> str:
        """The public key of the room's account, by which boxes know what the room has signed."""
        return self._account.public

    def revoke(self, box: str) -> None:
        """The key of this box is accepted no longer, as soon as the servers know it; that of one which was
        revoked before stays so. Raises Refused, OSError.
        """
        public = self._boxes.joined.pop(box, None)
        if public is None and box in self._boxes.formerly:
            return
        if public is None:
            known = ", ".join(sorted(self._boxes.joined)) or "none"
            raise Refused(f"no box {box!r} has joined; those that have: {known}")
        self._boxes.revoked[public] = int(time.time())
        self._boxes.formerly.append(box)
        self._save()

    def _key(self, name: str, kind: int) -> Key:
        path = self._folder / f"{name}.seed"
        if not path.exists():
            private.write(path, new_key(kind).seed.encode())
        return Key(path.read_text().strip())

    def _read(self) -> Boxes:
        path = self._folder / "boxes.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=Boxes)
        except FileNotFoundError:
            return Boxes()
        except ValueError as error:
            raise ConfigError(f"{path} cannot be read ({error}): restore it from a backup") from None

    def _save(self) -> None:
        private.write(self._folder / "boxes.json", msgspec.json.encode(self._boxes))
