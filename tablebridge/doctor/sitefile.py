"""The text of a site file from what setup found. Pure."""

import json
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
    lines = [
        "# Written by `tablebridge setup`. All keys: /etc/tablebridge/site.example.toml.",
        f"written_for = {_text(__version__)}",
        f"name = {_text(site)}",
        f"state_dir = {_text(state_dir)}",
        "",
        *(["[broker]", "embedded = false", f"port = {broker_port}", ""] if broker_port else []),
        "[[table]]",
        f"name = {_text(table)}",
        f"seats = {_text(seats)}",
    ]
    for part in parts:
        lines += [
            "",
            "[[table.device]]",
            f"name = {_text(part.name)}",
            f"driver = {_text(part.driver)}",
            f"port = {_text(part.port)}",
        ]
        for key, section in (("antennas", part.antennas), ("contacts", part.contacts)):
            if section:
                lines.append(
                    f"{key} = {{ "
                    + ", ".join(f"{n} = {_text(what)}" for n, what in sorted(section.items()))
                    + " }"
                )
        if part.options:
            lines.append(
                "options = { "
                + ", ".join(f"{key} = {_value(value)}" for key, value in part.options.items())
                + " }"
            )
    return "\n".join(lines) + "\n"


def _value(value: bool | int | float | str) -> str:
    return _text(value) if isinstance(value, str) else str(value).lower()


def _text(text: str) -> str:
    """A TOML basic string: JSON's escapes are among TOML's, but for DEL, which must be escaped in TOML."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


__all__ = ["Part", "site_text"]
