"""Options of a driver as a person types them on a command line."""

import tomllib

import click


def parse_option(text: str) -> tuple[str, bool | int | float | str]:
    """The name and value of an option as a person types it: a text needs no quotation marks."""
    from tablebridge.model.toml_text import parse_toml

    name, sign, value = text.partition("=")
    if not sign:
        raise click.UsageError(f"--option {text}: write NAME=VALUE, such as antennas=4.")
    try:
        parsed: bool | int | float | str = parse_toml(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value
    return name.strip(), parsed
