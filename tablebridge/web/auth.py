"""Who may see and do what: tokens of named persons, kept as hashes.

A token is 32 random bytes, shown once when it is made. `tokens.json` holds its SHA-256; the web process reads
it again when it changes, so that a revoked token is refused at once. A link that is good once has a secret of
its own, which the first browser that shows it exchanges for the token's. Each token that is given out, opened
or revoked is written to `given.jsonl` first. A token may expire, by the wall clock. Only the web process
knows when a token was last used: it keeps that in a file of its own, so that the two never write over each
other.
"""

import fcntl
import hashlib
import hmac
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, get_args

import msgspec

from tablebridge import private
from tablebridge.model.errors import ConfigError
from tablebridge.settings.state import TOKENS_FILE, TOKENS_GIVEN, TOKENS_USED
from tablebridge.web.pins import hash_of

Role = Literal[
    "floor",
    "dealer",
    "operator",
    "broadcast",
    "director",
    "technician",
    "surveillance",
    "investigator",
    "metrics",
    "tournament",
]
ROLES: Final[tuple[Role, ...]] = get_args(Role)

Right = Literal[
    "state",
    "floor",
    "dealer",
    "console",
    "devices",
    "alerts-write",
    "facts",
    "lines-write",
    "rule",
    "overlay",
    "direct",
    "timeline",
    "faces",
    "metrics",
    "setup",
    "room",
    "room-write",
    "room-names",
    "people",
]
RIGHTS: Final[dict[Role, frozenset[Right]]] = {
    "floor": frozenset(
        {"state", "floor", "devices", "alerts-write", "rule", "timeline", "room", "room-write", "room-names"}
    ),
    "dealer": frozenset({"dealer", "facts"}),
    "operator": frozenset({"state", "floor", "console", "devices", "lines-write", "rule"}),
    "broadcast": frozenset({"overlay"}),
    "director": frozenset({"direct"}),
    "technician": frozenset({"state", "floor", "console", "devices", "setup"}),
    "surveillance": frozenset({"state", "timeline"}),
    "investigator": frozenset({"state", "timeline", "faces"}),
    "metrics": frozenset({"metrics"}),
    "tournament": frozenset({"room", "room-write"}),
}
"""`overlay` and `direct` show hole cards, after the delay; `faces` those of one hand in its timeline, after
the delay and for a reason that is recorded. No other right gives access to a hidden face, `timeline` neither.
`rule` allows lines that are rulings; the engine sees to it that the floor sends no others. `facts` allows the
lines of a dealer (`engine/script/dealer.py`), which the engine sees to as well. `direct` is what the
broadcast shows of the delayed picture, that picture as it is on the air, and the preview, which has no face.
`metrics` is a program's: counters and ages, no card, no person. `setup` chooses devices, enrols decks and
calls the doctor, while the set-up process runs. `people` gives out tokens there; no role has it, only who
sits at the box at the first start. `room` shows who sits where, `room-write` seats players: the floor's, and
tournament software's; `room-names` brings the room's names and stakes to the tables.
"""

PREFIX: Final = "tb_"
"""How a secret begins, so that it is known for one."""
_USED_EVERY_S: Final = 60.0


class Token(msgspec.Struct, frozen=True):
    """A token as it is kept. `table`: the only table that it is valid for, None for all. `expires_wall_s`:
    the time from which it is invalid, in seconds since 1970, None for never. `pin`: the hash of a floor
    person's PIN, empty for none (`pins.py`). `link`: the hash of the secret of a link that is good once and
    was not opened yet, until `link_until_wall_s`; empty for none.
    """

    id: str
    hash: str
    role: Role
    name: str
    table: str | None = None
    made_wall_s: int = 0
    expires_wall_s: int | None = None
    pin: str = ""
    link: str = ""
    link_until_wall_s: int = 0

    def may(self, right: Right, table: str | None = None) -> bool:
        """Whether this person has the right, and has it at that table."""
        return right in RIGHTS[self.role] and (table is None or self.table in (None, table))


class _Given(msgspec.Struct, frozen=True):
    """A line of the record of what became of tokens."""

    at_wall_s: int
    what: str
    by: str
    id: str
    role: Role
    name: str
    table: str | None


class _File(msgspec.Struct):
    tokens: list[Token]
    schema: int = 1


def hash_of_secret(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Tokens:
    """The tokens of a site. `wall_s` is the clock for "made" and "last used"."""

    def __init__(self, state_dir: Path, wall_s: Callable[[], float] = time.time) -> None:
        self._path = TOKENS_FILE.path(state_dir)
        self._used_path = TOKENS_USED.path(state_dir)
        self._given_path = TOKENS_GIVEN.path(state_dir)
        self._wall_s = wall_s
        self._stamp: tuple[int, int] | None = None
        self._tokens: list[Token] = []
        self._used: dict[str, int] | None = None
        self._saved_at = 0.0

    def all(self) -> list[Token]:
        """All tokens that were not revoked, expired ones too. Raises ConfigError if the file cannot be
        read.
        """
        try:
            stat = self._path.stat()
        except FileNotFoundError:
            self._stamp, self._tokens = None, []
            return []
        except OSError as error:
            raise ConfigError(
                f"{self._path} cannot be read: {error.strerror}; give the service its owner"
            ) from None
        if (stat.st_mtime_ns, stat.st_ino) != self._stamp:
            try:
                self._tokens = msgspec.json.decode(self._path.read_bytes(), type=_File).tokens
            except (OSError, ValueError) as error:
                raise ConfigError(
                    f"{self._path} is not a token file ({error}); move it away and add the tokens again"
                ) from None
            self._stamp = (stat.st_mtime_ns, stat.st_ino)
        return self._tokens

    def find(self, secret: str) -> Token | None:
        """The token with this secret, unless it has expired. All hashes are compared, each in constant
        time.
        """
        presented = hash_of_secret(secret)
        found = None
        for token in self.all():
            if hmac.compare_digest(token.hash, presented):
                found = token
        if found is None or self.expired(found):
            return None
        self._note_use(found)
        return found

    def known(self, secret: str) -> Token | None:
        """The same: what is known of tokens is as new as their file."""
        return self.find(secret)

    def exchange(self, secret: str) -> tuple[Token, str] | None:
        """The token that a person shows when signing in, and the secret that the browser is to show from then
        on: another one after a link that is good once. Raises ConfigError if that cannot be written.
        """
        token = self.find(secret)
        return self._opened(hash_of_secret(secret)) if token is None else (token, secret)

    def expired(self, token: Token) -> bool:
        """Whether the token has expired."""
        return token.expires_wall_s is not None and self._wall_s() >= token.expires_wall_s

    def is_valid(self, token: Token) -> bool:
        """Whether a token that was found before is still valid: kept as it was, and not expired. It is not if
        the file cannot be read.
        """
        try:
            return token in self.all() and not self.expired(token)
        except ConfigError:
            return False

    def add(
        self,
        role: Role,
        name: str,
        table: str | None = None,
        expires_wall_s: int | None = None,
        *,
        link_s: int = 0,
        by: str = "command",
    ) -> tuple[Token, str]:
        """Make a token and return it with its secret, which is kept nowhere else. With `link_s` that is the
        secret of a link that one browser can open within that number of seconds. `by`: who gives it out.
        Raises ConfigError for a name that is empty, too long or not printable, for a dealer without a table,
        for a time of expiry that is past, and if the file cannot be written.
        """
        if not name.strip() or len(name) > 60 or not name.isprintable():
            raise ConfigError("a token is a person's: give a name of 1 to 60 letters, such as Anna")
        if role == "dealer" and table is None:
            raise ConfigError("a dealer's token is for one table: name it with --table")
        if expires_wall_s is not None and expires_wall_s <= self._wall_s():
            raise ConfigError("a token that has expired is useless: give a time of expiry that lies ahead")
        secret = PREFIX + secrets.token_urlsafe(32)
        token = Token(
            secrets.token_hex(4),
            # Nobody knows the token of a link before the link is opened.
            hash_of_secret(secrets.token_urlsafe(32) if link_s else secret),
            role,
            name.strip(),
            table,
            int(self._wall_s()),
            expires_wall_s,
            link=hash_of_secret(secret) if link_s else "",
            link_until_wall_s=int(self._wall_s()) + link_s if link_s else 0,
        )
        with self._locked():
            self._record("given", token, by)
            self._save([*self.all(), token])
        return token, secret

    def revoke(self, id: str, by: str = "command") -> Token:
        """Revoke a token, by its id, and return it. `by`: who does. Raises ConfigError if there is none."""
        with self._locked():
            tokens = self.all()
            revoked = next((token for token in tokens if token.id == id), None)
            if revoked is None:
                raise ConfigError(f"no token has the id {id!r}; `tablebridge token list` shows them")
            self._record("revoked", revoked, by)
            self._save([token for token in tokens if token.id != id])
        return revoked

    def set_pin(self, id: str, pin: str) -> Token:
        """Give the floor person whose token has this id a PIN, or none if it is empty, and return the token.
        Raises ConfigError if there is no such token, it is not a floor person's, or the PIN is too easy.
        """
        kept = hash_of(pin) if pin else ""
        with self._locked():
            tokens = self.all()
            person = next((token for token in tokens if token.id == id), None)
            if person is None or person.role != "floor":
                raise ConfigError(
                    f"no token of a floor person has the id {id!r}; `tablebridge token list` shows them"
                )
            changed = msgspec.structs.replace(person, pin=kept)
            self._save([changed if token.id == id else token for token in tokens])
        return changed

    def used(self) -> dict[str, int]:
        """When each token was last used, by id: seconds since 1970, accurate to a minute."""
        try:
            return msgspec.json.decode(self._used_path.read_bytes(), type=dict[str, int])
        except (OSError, ValueError):
            return {}

    def _save_used(self) -> None:
        """Write down when tokens were last used. A failure to write it is not worth stopping for."""
        if self._used is not None:
            known = {token.id for token in self._tokens}
            try:
                private.write(
                    self._used_path,
                    msgspec.json.encode({id: at for id, at in self._used.items() if id in known}),
                )
            except OSError:
                return

    def _note_use(self, token: Token) -> None:
        if self._used is None:
            self._used = self.used()
        now = self._wall_s()
        self._used[token.id] = int(now)
        if abs(now - self._saved_at) >= _USED_EVERY_S:
            self._saved_at = now
            self._save_used()

    def _opened(self, link: str) -> tuple[Token, str] | None:
        """The token whose link has this hash, and its new secret; None if no link is open with it."""
        if not any(hmac.compare_digest(token.link, link) for token in self.all()):
            return None
        with self._locked():
            tokens = self.all()
            waiting = next((token for token in tokens if hmac.compare_digest(token.link, link)), None)
            if waiting is None or self._wall_s() >= waiting.link_until_wall_s or self.expired(waiting):
                return None
            secret = PREFIX + secrets.token_urlsafe(32)
            token = msgspec.structs.replace(
                waiting, hash=hash_of_secret(secret), link="", link_until_wall_s=0
            )
            self._record("opened", token, token.name)
            self._save([token if other.id == token.id else other for other in tokens])
        return token, secret

    def _record(self, what: Literal["given", "opened", "revoked"], token: Token, by: str) -> None:
        """Write down what is about to happen to a token."""
        kept = _Given(int(self._wall_s()), what, by, token.id, token.role, token.name, token.table)
        private.append(self._given_path, msgspec.json.encode(kept) + b"\n")

    def _save(self, tokens: list[Token]) -> None:
        private.write(self._path, msgspec.json.encode(_File(tokens)))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold off other writers, of other processes too. Raises ConfigError if nothing can be written."""
        try:
            private.own_folder(self._path.parent)
            handle = private.lock(self._path.with_suffix(".lock"))
        except OSError as error:
            raise ConfigError(
                f"{self._path} cannot be written ({error.strerror}): set state_dir to a folder that may be "
                "written, or call this as the service's user"
            ) from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)
