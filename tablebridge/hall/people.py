"""Who may open the pages of the room: persons and their tokens in the database, shared by all processes.

A token is 32 random bytes, shown once; the database has its SHA-256. A link that is good once has a secret of
its own, for which the first browser that shows it gets the token's. What is given out, opened or revoked is
written into the table `given` in the same transaction.

A process looks at the table every second and keeps what it found, so that live pages go on while the database
is away: nobody new comes in then, and nobody can be put out.
"""

import contextlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, Literal

from sqlalchemy import Connection, Engine, delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from tablebridge.archive.schema import GIVEN, PERSON
from tablebridge.model.errors import ConfigError
from tablebridge.web.auth import PREFIX, Role, Token, hash_of_secret

ROLES: Final[tuple[Role, ...]] = ("floor", "surveillance")
"""The roles whose pages the room has."""
LINK_S: Final = 24 * 3600
_LOOKS: Final = 10.0
"""An unknown secret has the table looked at again, but no more often in a second than this."""


class People:
    """The persons of a room. `wall_s`: the clock by which tokens expire."""

    def __init__(self, engine: Engine, wall_s: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._wall_s = wall_s
        self._known: dict[str, Token] = {}
        self._looks, self._counted_s = _LOOKS, time.monotonic()
        self._lock = threading.Lock()

    def all(self) -> list[Token]:
        """All persons, by name, as the database has them now. Raises SQLAlchemyError."""
        with self._engine.connect() as db:
            rows = db.execute(select(PERSON).order_by(PERSON.c.name, PERSON.c.id)).mappings()
            return [_token(row) for row in rows]

    def look(self) -> None:
        """Find out who there is. Raises SQLAlchemyError: then those stay who were known."""
        found = self.all()
        self._known = {token.hash: token for token in found}

    def find(self, secret: str) -> Token | None:
        """The token with this secret, unless it has expired; the database is asked if nobody known has it."""
        presented = hash_of_secret(secret)
        found = self._known.get(presented)
        if found is None:
            with self._lock:
                if self._may_look():
                    with contextlib.suppress(SQLAlchemyError):
                        self.look()
            found = self._known.get(presented)
        if found is None or not hmac.compare_digest(found.hash, presented) or self.expired(found):
            return None
        return found

    def _may_look(self) -> bool:
        """Whether this unknown secret is worth a look: whoever has just been let in by another process comes
        at any moment, and so do strangers, as often as they like.
        """
        now_s = time.monotonic()
        self._looks = min(_LOOKS, self._looks + _LOOKS * (now_s - self._counted_s))
        self._counted_s = now_s
        if self._looks < 1:
            return False
        self._looks -= 1
        return True

    def known(self, secret: str) -> Token | None:
        """The same of those who are known already: the database is not asked."""
        found = self._known.get(hash_of_secret(secret))
        return None if found is None or self.expired(found) else found

    def exchange(self, secret: str) -> tuple[Token, str] | None:
        """The token that a person shows when signing in, and the secret that the browser is to show from then
        on: another one after a link that is good once. Raises ConfigError if the database is away.
        """
        token = self.find(secret)
        if token is not None:
            return token, secret
        try:
            return self._opened(hash_of_secret(secret))
        except SQLAlchemyError as error:
            raise _away(error) from None

    def expired(self, token: Token) -> bool:
        """Whether the token has expired."""
        return token.expires_wall_s is not None and self._wall_s() >= token.expires_wall_s

    def is_valid(self, token: Token) -> bool:
        """Whether a token that was found before is still valid, as far as is known."""
        return self._known.get(token.hash) == token and not self.expired(token)

    def add(
        self, role: Role, name: str, expires_wall_s: int | None = None, *, once: bool = False, by: str
    ) -> tuple[Token, str]:
        """Make a token and return it with its secret, which is kept nowhere else. `once`: that of a link that
        one browser can open within a day. `by`: who gives it out. Raises ConfigError.
        """
        name = name.strip()
        if role not in ROLES:
            raise ConfigError(f"the room has no pages for {role}: give one of {', '.join(ROLES)}")
        if not name or len(name) > 60 or not name.isprintable():
            raise ConfigError("a token is a person's: give a name of 1 to 60 letters, such as Anna")
        if expires_wall_s is not None and expires_wall_s <= self._wall_s():
            raise ConfigError("a token that has expired is useless: give a time of expiry that lies ahead")
        secret = PREFIX + secrets.token_urlsafe(32)
        shown = hash_of_secret(secret)
        now = int(self._wall_s())
        token = Token(
            secrets.token_hex(4),
            # Nobody knows the token of a link before the link is opened.
            hash_of_secret(secrets.token_urlsafe(32)) if once else shown,
            role,
            name,
            made_wall_s=now,
            expires_wall_s=expires_wall_s,
            link=shown if once else "",
            link_until_wall_s=now + LINK_S if once else 0,
        )
        try:
            with self._engine.begin() as db:
                _record(db, "given", token, by)
                db.execute(insert(PERSON).values(_row(token)))
        except SQLAlchemyError as error:
            raise _away(error) from None
        return token, secret

    def revoke(self, id: str, by: str) -> Token:
        """Revoke a token, by its id, and return it. Raises ConfigError if there is none."""
        try:
            with self._engine.begin() as db:
                row = db.execute(select(PERSON).where(PERSON.c.id == id)).mappings().first()
                if row is None:
                    raise ConfigError(f"nobody has the id {id!r}; `tablebridge site people list` shows them")
                token = _token(row)
                _record(db, "revoked", token, by)
                db.execute(delete(PERSON).where(PERSON.c.id == id))
        except SQLAlchemyError as error:
            raise _away(error) from None
        return token

    def _opened(self, link: str) -> tuple[Token, str] | None:
        """The token whose link has this hash, and its new secret; None if no link is open with it."""
        with self._engine.begin() as db:
            row = db.execute(select(PERSON).where(PERSON.c.link == link).with_for_update()).mappings().first()
            if row is None:
                return None
            waiting = _token(row)
            if self._wall_s() >= waiting.link_until_wall_s or self.expired(waiting):
                return None
            secret = PREFIX + secrets.token_urlsafe(32)
            values = {"hash": hash_of_secret(secret), "link": None, "link_until": None}
            _record(db, "opened", waiting, waiting.name)
            opened = db.execute(
                update(PERSON).where(PERSON.c.id == waiting.id).values(values).returning(PERSON)
            )
            token = _token(opened.mappings().one())
        self._known = {**self._known, token.hash: token}
        return token, secret


def _record(db: Connection, what: Literal["given", "opened", "revoked"], token: Token, by: str) -> None:
    """Write down what is about to happen to a token."""
    db.execute(insert(GIVEN).values(what=what, by=by, person=token.id, role=token.role, name=token.name))


def _row(token: Token) -> dict[str, Any]:
    return {
        "id": token.id,
        "hash": token.hash,
        "role": token.role,
        "name": token.name,
        "made": _moment(token.made_wall_s),
        "expires": None if token.expires_wall_s is None else _moment(token.expires_wall_s),
        "link": token.link or None,
        "link_until": _moment(token.link_until_wall_s) if token.link else None,
    }


def _token(row: Any) -> Token:
    return Token(
        row["id"],
        row["hash"],
        row["role"],
        row["name"],
        made_wall_s=int(row["made"].timestamp()),
        expires_wall_s=None if row["expires"] is None else int(row["expires"].timestamp()),
        link=row["link"] or "",
        link_until_wall_s=int(row["link_until"].timestamp()) if row["link_until"] else 0,
    )


def _moment(wall_s: int) -> datetime:
    return datetime.fromtimestamp(wall_s, UTC)


def _away(error: SQLAlchemyError) -> ConfigError:
    said = (str(error) or type(error).__name__).splitlines()[0][:200]
    return ConfigError(f"The database of the room does not answer ({said}): try again in a moment.")
