"""The text of a site file from what the set-up found, and what it changes in the file that is there. Pure."""

import difflib
import json
import re
from collections.abc import Iterable

import msgspec

from tablebridge import __version__
from tablebridge.model.contacts import Contact
from tablebridge.model.places import Place
from tablebridge.sdk.driver import Options


class Part(msgspec.Struct):
    """One device as it was found."""

    name: str
    driver: str
    port: str
    options: Options = {}
    antennas: dict[int, Place] = {}
    contacts: dict[int, Contact] = {}


def site_text(
    site: str, state_dir: str, table: str, seats: str, parts: Iterable[Part], broker_port: int | None = None
) -> str:
    """The file. `seats` as in the site file, such as 1-9; `broker_port`: of the broker that runs on the box,
    None if tablebridge starts its own.
    """
    return f"{head_text(site, state_dir, broker_port)}\n{table_text(table, seats, parts)}"


def head_text(site: str, state_dir: str, broker_port: int | None = None) -> str:
    """What stands before the tables."""
    lines = [
        "# Written by `tablebridge setup`. All keys: /etc/tablebridge/site.example.toml.",
        f"written_for = {quoted(__version__)}",
        f"name = {quoted(site)}",
        f"state_dir = {quoted(state_dir)}",
    ]
    if broker_port:
        lines += ["", "[broker]", "embedded = false", f"port = {broker_port}"]
    return "\n".join(lines) + "\n"


def table_text(table: str, seats: str, parts: Iterable[Part]) -> str:
    """The section of a table and its devices."""
    lines = ["[[table]]", f"name = {quoted(table)}", f"seats = {quoted(seats)}"]
    for part in parts:
        lines += [
            "",
            "[[table.device]]",
            f"name = {quoted(part.name)}",
            f"driver = {quoted(part.driver)}",
            f"port = {quoted(part.port)}",
        ]
        for key, section in (("antennas", part.antennas), ("contacts", part.contacts)):
            if section:
                lines.append(
                    f"{key} = {{ "
                    + ", ".join(f"{n} = {quoted(what)}" for n, what in sorted(section.items()))
                    + " }"
                )
        if part.options:
            lines.append(
                "options = { "
                + ", ".join(f"{key} = {_value(value)}" for key, value in part.options.items())
                + " }"
            )
    return "\n".join(lines) + "\n"


def without_tables(text: str) -> str:
    """What stands in a site file before its first table; all of it if it has none."""
    head = text.partition("\n[[table]]\n")[0]
    return head.rstrip("\n") + "\n" if head.strip() else ""


def with_people(head: str, path: str) -> str:
    """What stands before the tables, with the file of people named in it, before the first section."""
    if re.search(r"(?m)^people\s*=", head):
        return head
    top, bracket, sections = head.partition("\n[")
    return f"{top.rstrip(chr(10))}\npeople = {quoted(path)}\n" + (f"\n[{sections}" if bracket else "")


def changes(before: str, after: str) -> tuple[str, ...]:
    """The lines that go, `-`, that come, `+`, and up to two beside them that stay, each with its mark before
    it.
    """
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=2, lineterm="")
    return tuple(line for line in lines if not line.startswith(("---", "+++", "@@")))


def _value(value: bool | int | float | str) -> str:
    return quoted(value) if isinstance(value, str) else str(value).lower()


def quoted(text: str) -> str:
    """A TOML basic string: JSON's escapes are among TOML's, but for DEL, which must be escaped in TOML."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


__all__ = [
    "Part",
    "changes",
    "head_text",
    "quoted",
    "site_text",
    "table_text",
    "with_people",
    "without_tables",
]
