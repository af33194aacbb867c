"""What the page for operations and its files say is what there is."""

import json
import re
from collections.abc import Iterator

import promql_parser
import pytest
import yaml
from rig.documents import DOCS

from tablebridge.web.metrics import METRICS, table

PAGE = DOCS / "operations.md"
RULES = DOCS / "monitoring" / "alerts.yml"
DASHBOARD = DOCS / "monitoring" / "grafana.json"
NAMES = {
    name
    for metric in METRICS.values()
    for name in (
        [f"{metric.full_name}_{part}" for part in ("bucket", "sum", "count")]
        if metric.kind == "histogram"
        else [metric.full_name]
    )
}
LABELS = {label for metric in METRICS.values() for label in metric.labels} | {"le", "job", "instance"}


def rules() -> Iterator[dict[str, object]]:
    for group in yaml.safe_load(RULES.read_text())["groups"]:
        yield from group["rules"]


def panels() -> Iterator[dict[str, object]]:
    yield from json.loads(DASHBOARD.read_text())["panels"]


def expressions() -> list[str]:
    found = [str(rule["expr"]) for rule in rules()]
    return found + [target["expr"] for panel in panels() for target in panel["targets"]]  # type: ignore[attr-defined]


def selectors(node: object) -> Iterator[promql_parser.VectorSelector]:
    """All vectors that an expression selects."""
    if isinstance(node, promql_parser.VectorSelector):
        yield node
        return
    for name in ("expr", "lhs", "rhs", "vector_selector", "args"):
        child = getattr(node, name, None)
        for part in child if isinstance(child, list) else [child]:
            if part is not None:
                yield from selectors(part)


def test_the_table_of_metrics_is_the_code() -> None:
    assert table() in PAGE.read_text(), "python -m tablebridge.web.metrics prints it"
    assert len(re.findall(r"^\| `tablebridge_", PAGE.read_text(), re.MULTILINE)) == len(METRICS)


@pytest.mark.parametrize("expression", expressions())
def test_an_expression_is_promql_over_metrics_that_exist(expression: str) -> None:
    found = list(selectors(promql_parser.parse(expression.replace('"$table"', '".*"'))))
    assert found, "it selects nothing"
    for selector in found:
        assert selector.name in NAMES | {"up"}
        assert {matcher.name for matcher in selector.matchers.matchers} <= LABELS


def test_a_rule_says_what_is_wrong_and_what_to_do() -> None:
    names = [rule["alert"] for rule in rules()]
    assert len(names) == len(set(names)) >= 10
    for rule in rules():
        assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}, rule
        assert re.fullmatch(r"\d+[sm]", str(rule.get("for", "1m")))
        assert rule["labels"]["severity"] in ("warning", "critical")  # type: ignore[index]
        texts = rule["annotations"]
        assert set(texts) == {"summary", "do"} and all(text.endswith(".") for text in [texts["summary"]])  # type: ignore
        labels = set(re.findall(r"\$labels\.([a-z]+)", texts["summary"]))  # type: ignore[index]
        assert labels <= LABELS


def test_the_dashboard_has_its_panels_apart() -> None:
    board = json.loads(DASHBOARD.read_text())
    assert board["title"] and board["schemaVersion"] >= 36
    assert len({panel["id"] for panel in panels()}) == len(board["panels"])
    cells: set[tuple[int, int]] = set()
    for panel in panels():
        place: dict[str, int] = panel["gridPos"]  # type: ignore[assignment]
        own = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert place["x"] + place["w"] <= 24 and not own & cells, panel["title"]
        cells |= own
        assert panel["type"] in ("stat", "timeseries")


def test_every_metric_of_work_is_on_the_dashboard() -> None:
    shown = " ".join(expressions())
    missing = {
        metric.full_name
        for metric in METRICS.values()
        if metric.full_name not in shown and metric.name not in SEEN_ELSEWHERE
    }
    assert missing == set()


SEEN_ELSEWHERE = {
    "build",
    "alerts_more",
    "engine_away_seconds",
    "messages_refused",
    "device_process_up",
    "device_silence_seconds",
    "device_reconnects",
    "webhook_sent",
}
"""Metrics for a closer look, which no rule and no panel needs."""
