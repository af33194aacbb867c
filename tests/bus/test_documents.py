"""What is written about the bus is what the code says."""

import os
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rig.documents import ROOT

from tablebridge.bus import asyncapi
from tablebridge.bus.messages import MESSAGES
from tablebridge.bus.topics import TOPICS, Topic, parse

DOCS = ROOT / "docs"


def test_the_committed_asyncapi_document_is_the_code() -> None:
    committed = (DOCS / "asyncapi.json").read_text()
    assert committed == asyncapi.text(), "run: python -m tablebridge.bus.asyncapi > docs/asyncapi.json"


def test_asyncapis_own_parser_accepts_the_document() -> None:
    packages = ROOT / ".make" / "packages" / "node_modules"
    assert packages.is_dir(), "the parser is not installed: make .make/npm"
    done = subprocess.run(
        ["node", ROOT / "tests" / "npm" / "asyncapi.cjs", DOCS / "asyncapi.json"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "NODE_PATH": str(packages)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split(", ") == [f"{len(TOPICS)} channels", f"{2 * len(TOPICS)} operations\n"]


def test_every_reference_of_the_document_leads_somewhere() -> None:
    document, references = asyncapi.document(), []

    def walk(node: object) -> None:
        if isinstance(node, dict):
            references.extend(value for key, value in node.items() if key == "$ref")
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(document)
    assert len(references) > 50
    for reference in references:
        node = document
        for step in reference.removeprefix("#/").split("/"):
            node = node[step]


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_every_topic_is_a_row_of_the_page(topic: Topic) -> None:
    retained = "yes" if topic.retained else ("**never**" if topic.name == "command" else "no")
    name, readers = (
        f"`{topic.plane}/{topic.tail.replace('+', topic.named.upper())}`",
        ", ".join(topic.readers),
    )
    row = f"| {name} | {topic.writer} | {readers} | {retained} |"
    assert f"{row} {topic.message}" in (DOCS / "mqtt.md").read_text()


def test_every_message_has_a_topic_and_a_meaning() -> None:
    assert {topic.message for topic in TOPICS} == set(MESSAGES)
    assert [name for name, kind in MESSAGES.items() if not (kind.__doc__ or "").strip()] == []


@given(
    st.sampled_from(TOPICS),
    st.lists(st.from_regex(r"[a-z0-9_-]{1,8}", fullmatch=True), min_size=3, max_size=3),
)
def test_a_topic_is_taken_apart_as_it_was_put_together(topic: Topic, words: list[str]) -> None:
    site, table, name = words
    names = (name,) * topic.tail.count("+")
    parsed = parse(topic.of(site, table, *names))
    assert parsed is not None
    assert (parsed.topic, parsed.site, parsed.table, parsed.names) == (topic, site, table, names)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "tb/v1",
        "tb/v2/s/t/floor/state",
        "tb/v1/s/t/floor",
        "tb/v1/s/t/floor/none",
        "tb/v1/s/t/floor/state/x",
        "a/b/c/d/e/f",
    ],
)
def test_what_is_no_topic_of_ours_is_none(name: str) -> None:
    assert parse(name) is None
