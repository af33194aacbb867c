"""The documents and the code use the same words: what the code has is written down, what is written down the
code has.
"""

import re
import runpy
import subprocess
import sys
from typing import get_args

import msgspec
import pytest
from click import Context, Group
from click.testing import CliRunner
from rig.documents import DOCS, ROOT, files, name

from tablebridge.cli import COMMANDS, cli
from tablebridge.engine.games import FORMS
from tablebridge.journal.store import Kind
from tablebridge.model.events import Basis, TableEvent
from tablebridge.model.findings import KINDS, REMEDIES
from tablebridge.rulebooks import BOOKS, parse
from tablebridge.rulebooks.house_sections import SECTIONS
from tablebridge.sim.irregular import BROKER_RESTART, IRREGULAR

README = (ROOT / "README.md").read_text()


def page(title: str) -> str:
    return (DOCS / title).read_text()


def commands() -> list[tuple[str, ...]]:
    """All commands and those below them, as they are typed."""
    found: list[tuple[str, ...]] = []
    for word in COMMANDS:
        command = cli.get_command(Context(cli), word)
        assert command is not None
        found.append((word,))
        if isinstance(command, Group):
            found += [(word, below) for below in command.commands]
    return found


def test_the_page_of_findings_is_the_code() -> None:
    made = runpy.run_path(str(DOCS / "findings.py"))["text"]()
    assert page("findings.md") == made, "run: python docs/findings.py > docs/findings.md"


def test_the_comparison_of_the_rulebooks_is_the_code() -> None:
    made = runpy.run_path(str(DOCS / "comparison.py"))["text"]()
    assert page("comparison.md") == made, "run: python docs/comparison.py > docs/comparison.md"


def test_the_page_of_states_is_made_from_the_tables() -> None:
    made = runpy.run_path(str(DOCS / "states.py"))["text"]()
    assert page("states.md") == made, "run: python docs/states.py > docs/states.md"


def test_the_page_of_rulebooks_has_every_section_of_a_house_and_an_example_that_is_one() -> None:
    text = page("rulebooks.md")
    assert [section for section in SECTIONS if f"`{section}`" not in text] == []
    example = re.search(r"```toml\n(.*?)```", text, re.DOTALL)
    assert example is not None
    assert parse(example[1], "example").title == "River room, house rules"


def test_the_page_of_findings_has_every_word() -> None:
    text = page("findings.md")
    words = {*KINDS, *REMEDIES, *(word for kind in KINDS.values() for word in (*kind.causes, *kind.cases))}
    assert [word for word in sorted(words) if f"`{word}`" not in text] == []


def test_every_event_is_a_line_of_the_script_or_a_row_of_the_journal() -> None:
    text = page("table-script.md") + page("journal.md")
    tags = {msgspec.inspect.type_info(kind).tag for kind in TableEvent.__args__}  # type: ignore[attr-defined]
    spans = " ".join(re.findall(r"`([^`\n]+)`", text))
    assert [tag for tag in sorted(map(str, tags)) if not re.search(rf"(?<![-\w]){tag}(?![-\w])", spans)] == []


def test_the_page_of_the_journal_has_every_kind_and_basis() -> None:
    text = page("journal.md")
    assert [word for word in (*get_args(Kind), *get_args(Basis)) if f"`{word}`" not in text] == []


@pytest.mark.parametrize("typed", commands(), ids=" ".join)
def test_every_command_explains_itself_by_an_example(typed: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(cli, [*typed, "--help"])
    assert shown.exit_code == 0, shown.output
    assert f"Example: tablebridge {typed[0]}" in shown.output


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_documents(command: str) -> None:
    written = "".join(path.read_text() for path in files(".md"))
    assert f"tablebridge {command}" in written


def test_every_command_that_is_written_down_exists() -> None:
    for path in files(".md"):
        code = re.findall(r"```.*?```|`[^`\n]+`|^ {4}[^\n]+", path.read_text(), re.DOTALL | re.MULTILINE)
        for word in re.findall(r"(?<![-\w./])tablebridge ([a-z]+(?:-[a-z]+)*)\b", "\n".join(code)):
            assert word in COMMANDS, f"{name(path)}: tablebridge {word}"


def test_every_option_that_is_written_down_is_one_of_its_command() -> None:
    for path in files(".md"):
        code = re.findall(r"```.*?```|`[^`\n]+`|^ {4}[^\n]+", path.read_text(), re.DOTALL | re.MULTILINE)
        for line in "\n".join(code).splitlines():
            typed = re.search(r"(?<![-\w.])tablebridge ([a-z]+(?:-[a-z]+)*)\b(.*)", line.partition("#")[0])
            command = cli.get_command(Context(cli), typed[1]) if typed and typed[1] in COMMANDS else None
            for word in typed[2].split() if typed is not None else ():
                if not isinstance(command, Group) or word not in command.commands:
                    break
                command = command.commands[word]
            if command is not None and typed is not None:
                known = {
                    option
                    for parameter in command.params
                    for option in (*parameter.opts, *parameter.secondary_opts)
                }
                said = set(re.findall(r"(?<!\S)--[a-z-]+", typed[2]))
                assert said <= {*known, "--help"}, f"{name(path)}: {line.strip()}"


def test_the_make_targets_of_the_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for path in files(".md"):
        for word in re.findall(r"(?:^ {4}|`)make ([a-z]+)", path.read_text(), re.MULTILINE):
            assert word in targets, f"{name(path)}: make {word}"
    assert {"demo", "test"} <= set(re.findall(r"^ {4}make ([a-z]+)", README, re.MULTILINE))


def test_the_demo_commands_of_the_readme_are_understood() -> None:
    command = cli.get_command(Context(cli), "demo")
    assert command is not None
    for arguments in re.findall(r'make demo ARGS="([^"]*)"', README):
        command.make_context("demo", arguments.split())


def test_the_readme_says_what_is_played_and_by_which_rules() -> None:
    said = README.partition("Not all of poker")[2].partition("- **")[0]
    assert set(re.findall(r"`([a-z0-9-]+)`", said)) == {*FORMS, *BOOKS}


def test_the_site_file_and_the_script_name_the_games_that_are_followed() -> None:
    comment = " ".join(
        (ROOT / "tablebridge/install/files/site.example.toml")
        .read_text()
        .partition("#game =")[0]
        .splitlines()[-3:]
    )
    assert [game for game in FORMS if not re.search(rf"\b{game}\b", comment)] == []
    assert f"The engine follows `{' '.join(FORMS)}`" in page("table-script.md")


def test_the_demo_page_has_every_irregularity() -> None:
    text = page("demo.md")
    assert [word for word in (*IRREGULAR, BROKER_RESTART) if f"`{word}`" not in text] == []


def test_a_file_that_is_not_there_is_one_sentence_and_no_traceback() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tablebridge", "site", "check", "no-such-file.toml"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert "no-such-file.toml" in done.stderr
    assert "Traceback" not in done.stderr
