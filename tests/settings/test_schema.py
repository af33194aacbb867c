"""The JSON Schema of the site file: an editor accepts what the loader accepts, and marks what it refuses."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from rig.documents import ROOT

from tablebridge.cli.schema import command
from tablebridge.model.errors import ConfigError
from tablebridge.settings.load import load_site
from tablebridge.settings.schema import site_schema, text

EXAMPLE = ROOT / "tablebridge" / "install" / "files" / "site.example.toml"
SCHEMA = EXAMPLE.with_name("site.schema.json")
CHECK = Draft202012Validator(site_schema())


def everything() -> str:
    """The example with each key that it shows switched on, but for the files that are not there."""
    return re.sub(r"^(\s*)#(?=\[\[|[a-z_]+ = )", r"\1", EXAMPLE.read_text(), flags=re.MULTILINE)


def test_the_committed_schema_is_the_code() -> None:
    assert SCHEMA.read_text() == text(), "python -m tablebridge.settings.schema prints it"
    committed = SCHEMA.read_text()
    assert CliRunner().invoke(command, ["site"]).output == committed


def test_the_schema_is_one_and_the_example_names_it() -> None:
    Draft202012Validator.check_schema(site_schema())
    line = EXAMPLE.read_text().splitlines()[0]
    assert (EXAMPLE.parent / line.removeprefix("#:schema ")).resolve() == SCHEMA


@pytest.mark.parametrize("file", [EXAMPLE.read_text(), everything()], ids=["example", "every key"])
def test_what_the_loader_accepts_is_accepted(file: str, tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(file)
    load_site(path)
    assert [error.message for error in CHECK.iter_errors(tomllib.loads(file))] == []


@pytest.mark.parametrize(
    "file",
    [
        'log_levle = "info"',
        "[web]\nport = 70000",
        '[[table]]\nname = "Main Table"',
        '[[table]]\nname = "a"\nbetting = "maybe"',
        '[[table]]\nname = "a"\n[[table.device]]\nname = "b"\ndriver = "line"',
    ],
)
def test_what_a_single_key_shows_is_marked_as_the_loader_refuses_it(file: str, tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(file)
    with pytest.raises(ConfigError):
        load_site(path)
    assert list(CHECK.iter_errors(tomllib.loads(file)))


def test_every_section_says_what_it_is() -> None:
    sections: dict[str, Any] = json.loads(text())["$defs"]
    assert {name for name, section in sections.items() if section["type"] == "object"} == {
        "Broker",
        "Retention",
        "Ringing",
        "Web",
        "Webhook",
        "Device",
        "Table",
        "Video",
    }
    assert all(section.get("description") for section in sections.values())
