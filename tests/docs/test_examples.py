"""The examples for other programs name topics, fields and events that there are."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from rig.documents import DOCS

from tablebridge.bus.messages import MESSAGES
from tablebridge.bus.topics import LISTENERS, Topic, parse
from tablebridge.model.site_event import EVENT_NAMES, SiteEvent
from tablebridge.settings.load import load_site

EXAMPLES = DOCS / "examples"
HOME: dict[str, Any] = yaml.safe_load((EXAMPLES / "home-assistant.yaml").read_text())
FLOW: list[dict[str, Any]] = json.loads((EXAMPLES / "node-red.json").read_text())


def topic_of(name: str) -> Topic:
    parsed = parse(name.replace("SITE", "site").replace("TABLE", "table"))
    assert parsed is not None, f"{name} is no topic"
    assert parsed.topic.plane in LISTENERS["listen-floor"], f"{name} may not be heard"
    return parsed.topic


def sections() -> Iterator[dict[str, Any]]:
    for kind in HOME["mqtt"].values():
        yield from kind


@pytest.mark.parametrize("sensor", list(sections()), ids=lambda sensor: sensor["name"])
def test_a_sensor_reads_a_field_of_a_retained_message(sensor: dict[str, Any]) -> None:
    topic = topic_of(sensor["state_topic"])
    assert topic.retained, "a sensor would know nothing after a restart"
    fields = re.findall(r"value_json\.(\w+)", sensor["value_template"])
    assert fields and set(fields) <= set(MESSAGES[topic.message].__struct_fields__)
    assert sensor["value_template"].count("{{") == sensor["value_template"].count("}}") == 1


def test_automations_wait_for_events_that_there_are() -> None:
    for automation in HOME["automation"]:
        (trigger,) = automation["triggers"]
        if trigger["trigger"] == "mqtt":
            assert topic_of(trigger["topic"]).message == "HandEvent" and trigger["payload"] in EVENT_NAMES
    text = (EXAMPLES / "home-assistant.yaml").read_text()
    fields = re.findall(r"trigger\.json\.(\w+)", text)
    assert len(fields) >= 5 and set(fields) <= set(SiteEvent.__struct_fields__)
    assert set(re.findall(r"json\.event == '([a-z-]+)'", text)) <= set(EVENT_NAMES)


def test_the_flow_is_wired_and_hears_topics_that_there_are() -> None:
    nodes = {node["id"]: node for node in FLOW}
    assert len(nodes) == len(FLOW)
    for node in FLOW:
        wires = node.get("wires", [])
        assert all(target in nodes for output in wires for target in output)
        assert len(wires) == node.get("outputs", len(wires))
        if node["type"] == "mqtt in":
            topic_of(node["topic"])
            assert nodes[node["broker"]]["type"] == "mqtt-broker"
    rules = [rule["v"] for node in FLOW if node["type"] == "switch" for rule in node["rules"]]
    assert rules and set(rules) <= set(EVENT_NAMES)
    (check,) = (node["func"] for node in FLOW if node["type"] == "function")
    assert "tablebridge-signature" in check and "timingSafeEqual" in check


def test_the_buttons_of_companion_are_a_site_file(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text((EXAMPLES / "companion.toml").read_text())
    webhooks = load_site(path).webhooks
    assert len(webhooks) == 3 and all(len(webhook.events) == 1 for webhook in webhooks)
    assert all(
        re.fullmatch(r"http://[\d.]+:8000/api/location/\d+/\d+/\d+/press", hook.url) for hook in webhooks
    )
