"""What a support bundle must not hold although the box has it: known secrets, tags and names of persons.

`scrub` knows secrets by their form; this knows those of this box by heart, whatever their form.
"""

import contextlib
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from tablebridge.bus.account import embedded_folder
from tablebridge.journal.connection import connect
from tablebridge.model.errors import ConfigError
from tablebridge.scrub import scrubbed
from tablebridge.settings.decks import chips_path, deck_paths, load_chips, load_deck
from tablebridge.settings.site import Site
from tablebridge.settings.state import JOURNAL_FILE, TOKENS_FILE, WEBHOOK_SECRET
from tablebridge.web.auth import Tokens

_LONG_ENOUGH: Final = 3
"""A part of a name that has fewer letters would take half of the bundle with it."""
_KEY: Final = 12
"""A part of an address that is as long may be a key."""
_RECORDS: Final = 200_000
"""The newest records of a journal in which names are looked for: thousands of hands."""
_NO_PERSON: Final = frozenset({"", "site file"})


class Redaction:
    """Takes out of texts what this box knows. `names`: of persons; `secrets`: passwords and tags."""

    def __init__(self, names: Iterable[str], secrets: Iterable[str]) -> None:
        self._secrets = sorted({secret for secret in secrets if secret}, key=len, reverse=True)
        parts = {part for name in names for part in (name.strip(), *_parts(name)) if part}
        spelled = "|".join(map(re.escape, sorted(parts, key=len, reverse=True)))
        self._names = re.compile(rf"(?<!\w)(?:{spelled})(?!\w)", re.IGNORECASE) if spelled else None

    def text(self, text: str) -> str:
        """The text without them, and without what `scrub` takes out."""
        for secret in self._secrets:
            text = text.replace(secret, "(secret)")
        if self._names is not None:
            text = self._names.sub("(name)", text)
        return scrubbed(text)

    def json(self, text: str) -> str:
        """The same for a JSON text, which stays one: numbers are left as they are."""
        return json.dumps(self._value(json.loads(text)), indent=1, ensure_ascii=False)

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self._value(member) for member in value]
        if isinstance(value, dict):
            return {self.text(key): self._value(member) for key, member in value.items()}
        return value


def _parts(name: str) -> Iterator[str]:
    """First and last name, but no word between them, such as `the`."""
    yield from (part for part in name.split() if len(part) >= _LONG_ENOUGH and not part[0].islower())


def redaction(site: Site, site_file: Path) -> Redaction:
    """What the files of this site give away, as far as they can be read here."""
    names = {name for table in site.tables for name in table.names.values()}
    with contextlib.suppress(ConfigError):
        names |= {
            token.name for token in Tokens(site.state_dir).all() if not token.name.endswith(" of this run")
        }
    for table in site.tables:
        names |= set(_recorded(JOURNAL_FILE.path(site.state_dir, table.name)))
    return Redaction(names, {*_passwords(site, site_file), *_tags(site), *_addresses(site)})


def _recorded(path: Path) -> Iterator[str]:
    """The names of players, and of those who wrote and ruled, in the record of a table."""
    with (
        contextlib.suppress(sqlite3.Error, ValueError),
        contextlib.closing(connect(path)) as db,
    ):
        rows = db.execute(
            "SELECT body FROM record WHERE kind IN ('setup', 'entry', 'alert', 'command') "
            "ORDER BY number DESC LIMIT ?",
            (_RECORDS,),
        )
        for (body,) in rows:
            yield from _persons(json.loads(body))


def _persons(value: object) -> Iterator[str]:
    """The values of `by` and `by_seat`, at any depth. Devices stand in `by`, too; they keep their names."""
    if isinstance(value, list):
        for member in value:
            yield from _persons(member)
    if not isinstance(value, dict):
        return
    for key, member in value.items():
        if key == "by_seat" and isinstance(member, dict):
            yield from (name for name in member.values() if isinstance(name, str))
        elif (
            key == "by"
            and isinstance(member, str)
            and (value.get("basis") in (None, "operator", "dealer", "script"))
        ):
            yield from {member.partition(" (")[0]} - _NO_PERSON
        elif key == "section" and isinstance(member, str):
            yield from _names_of(member)
        else:
            yield from _persons(member)


def _names_of(section: str) -> Iterator[str]:
    """The names in a section of the site file as it was entered: JSON, and maybe a rulebook behind it."""
    settings, _ = json.JSONDecoder().raw_decode(section)
    yield from settings.get("names", {}).values()


def _passwords(site: Site, site_file: Path) -> Iterator[str]:
    kept = (*embedded_folder(site.state_dir).glob("*.password"), *WEBHOOK_SECRET.paths(site.state_dir))
    for path in (*site_file.parent.glob("*.password"), *kept):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            yield path.read_text().strip()
    with contextlib.suppress(OSError, ValueError):
        tokens = msgspec.json.decode(TOKENS_FILE.path(site.state_dir).read_bytes())
        yield from (token["hash"] for token in tokens["tokens"])


def _addresses(site: Site) -> Iterator[str]:
    """What of the addresses of webhooks may be a key."""
    for webhook in site.webhooks:
        parts = urlsplit(webhook.url)
        yield from (part for part in (*parts.path.split("/"), parts.query) if len(part) >= _KEY)


def _tags(site: Site) -> Iterator[str]:
    paths = {path for table in site.tables for path in deck_paths(site, table)}
    for path in paths:
        with contextlib.suppress(ConfigError):
            yield from load_deck(path).cards
    with contextlib.suppress(ConfigError):
        yield from load_chips(chips_path(site))


__all__ = ["Redaction", "redaction"]
