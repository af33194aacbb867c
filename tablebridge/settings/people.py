"""The file of people: who is notified, about which tables, in which language and by which ways.

It holds addresses and keys of other services, so the process that notifies opens it and no other.
"""

import re
import sys
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from tablebridge.settings.load import explained
from tablebridge.settings.schema import schema_of, written
from tablebridge.settings.site import Name, Shown
from tablebridge.settings.toml import Fault, read_toml

TOPIC: Final = re.compile(r"ntfy:[-_A-Za-z0-9]{1,64}")
Language = Literal["en", "ru", "es", "zh"]


def _address(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("this is no address; write http://HOST:PORT or https://HOST")
    return value.rstrip("/")


def _way(value: str) -> str:
    if TOPIC.fullmatch(value) or (not value.startswith("ntfy:") and re.match(r"[a-z0-9]+s?://.", value)):
        return value
    raise ValueError(
        "this is no way to reach anybody; write ntfy:TOPIC for the ntfy server above, or an address of "
        "Apprise such as mailtos://USER:PASSWORD@HOST"
    )


def _some(value: tuple[str, ...]) -> tuple[str, ...]:
    if not value:
        raise ValueError("a person without a way is notified of nothing; write one, such as ntfy:TOPIC")
    return value


Address = Annotated[str, Field(max_length=200), AfterValidator(_address)]
Way = Annotated[str, Field(max_length=500), AfterValidator(_way)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Ntfy(_Section):
    """The ntfy server of the house. `token`: an access token that may publish; empty if it wants none."""

    url: Address = "http://127.0.0.1:2586"
    token: Annotated[str, Field(pattern=r"^[-_.A-Za-z0-9]*$", max_length=200)] = ""


class Person(_Section):
    """One person. `name`: as in the person's token of the pages. `duty`: managers are notified last.
    `tables`: the section; all if none is named. `ways`: how the person is reached, the first that works.
    """

    name: Shown
    duty: Literal["floor", "manager"] = "floor"
    tables: tuple[Name, ...] = ()
    language: Language = "en"
    ways: Annotated[tuple[Way, ...], Field(max_length=4), AfterValidator(_some)]


class People(_Section):
    """The whole file. `pages`: the address under which phones open the pages; without it a notification has
    neither link nor button.
    """

    pages: Address | None = None
    ntfy: Ntfy = Ntfy()
    people: Annotated[tuple[Person, ...], Field(max_length=64)] = Field(default=(), alias="person")


SECTIONS: Final[dict[tuple[str, ...], type[BaseModel]]] = {
    (): People,
    ("ntfy",): Ntfy,
    ("person",): Person,
}


def load_people(path: Path, tables: tuple[str, ...]) -> People:
    """The file of people of a site with these tables. Raises ConfigError with one line per fault."""
    document = read_toml(path)
    faults = [
        Fault(document.line(("person", number)), f"person[{number + 1}]: {text}")
        for number, text in _across(document.data.get("person"), tables)
    ]
    try:
        people = People.model_validate(document.data)
    except ValidationError as invalid:
        faults += explained(document, invalid, SECTIONS)
    if faults:
        raise document.refuse(faults)
    return people


def _across(people: Any, tables: tuple[str, ...]) -> list[tuple[int, str]]:
    """Persons of the same name, and tables that are not there. Works on data of any types."""
    found: list[tuple[int, str]] = []
    names: set[str] = set()
    for number, person in enumerate(people if isinstance(people, list) else ()):
        if not isinstance(person, dict):
            continue
        name, own = person.get("name"), person.get("tables")
        if isinstance(name, str) and name in names:
            found.append((number, f"two persons are called {name!r}; a name is used once"))
        names |= {name} if isinstance(name, str) else set()
        for table in own if isinstance(own, list) else ():
            if isinstance(table, str) and table not in tables:
                found.append((number, f"there is no table {table!r}"))
    return found


if __name__ == "__main__":
    sys.stdout.write(written(schema_of(People, "The file of people of tablebridge")))
