"""What the page for operations and its files say is what there is."""

import json
import re
import runpy
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client import CollectorRegistry, Counter, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from rig.documents import DOCS

from tablebridge.archive.metrics import ArchiveMetrics
from tablebridge.uplink.metrics import UplinkMetrics

PAGE = DOCS / "operations.md"
MONITORING = DOCS / "monitoring"
MADE = runpy.run_path(str(DOCS / "metrics.py"))
METRICS = [*MADE["box"](), *MADE["uplink"](), *MADE["archive"]()]
NAMES = {
    name
    for metric in METRICS
    for name in (
        [f"{metric.name}_{part}" for part in ("bucket", "sum", "count")]
        if metric.kind == "histogram"
        else [metric.name]
    )
}
LABELS = {label for metric in METRICS for label in metric.labels} | {"le", "job", "instance"}
UNITS = {"short", "s", "Bps"}
"""Units of Grafana that are in use: a number, seconds, bytes per second."""


def rules() -> Iterator[dict[str, Any]]:
    for path in MONITORING.glob("*.yml"):
        for group in yaml.safe_load(path.read_text())["groups"]:
            yield from group["rules"]


def boards() -> dict[str, dict[str, Any]]:
    return {path.name: json.loads(path.read_text()) for path in sorted(MONITORING.glob("*.json"))}


def panels() -> Iterator[dict[str, Any]]:
    for board in boards().values():
        yield from board["panels"]


def expressions() -> list[str]:
    found = [str(rule["expr"]) for rule in rules()]
    return found + [target["expr"] for panel in panels() for target in panel["targets"]]


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


def test_the_page_of_metrics_is_the_code() -> None:
    assert (DOCS / "metrics.md").read_text() == MADE["text"](), (
        "run: python docs/metrics.py > docs/metrics.md"
    )
    assert len({metric.name for metric in METRICS}) == len(METRICS)
    assert all(metric.meaning and not metric.meaning.endswith(".") for metric in METRICS)


@pytest.mark.parametrize("registry", [UplinkMetrics().registry, ArchiveMetrics().registry])
def test_what_a_process_shows_has_its_row(registry: CollectorRegistry) -> None:
    """In the text that Prometheus reads, so that nothing is added to the names on the way."""
    shown = {family.name for family in text_string_to_metric_families(generate_latest(registry).decode())}
    assert shown and shown <= {metric.name.removesuffix("_total") for metric in METRICS}


def test_a_metric_without_a_sample_is_refused_since_its_labels_are_not_known() -> None:
    registry = CollectorRegistry()
    Counter("tablebridge_forgotten", "nothing", ["table"], registry=registry)
    with pytest.raises(ValueError, match="tablebridge_forgotten has no sample"):
        list(MADE["registered"](registry))


@pytest.mark.parametrize("expression", expressions())
def test_an_expression_is_promql_over_metrics_that_exist(expression: str) -> None:
    found = list(selectors(promql_parser.parse(expression.replace('"$table"', '".*"'))))
    assert found, "it selects nothing"
    for selector in found:
        assert selector.name in NAMES | {"up"}
        assert {matcher.name for matcher in selector.matchers.matchers} <= LABELS


def test_a_rule_says_what_is_wrong_and_what_to_do() -> None:
    names = [rule["alert"] for rule in rules()]
    assert len(names) == len(set(names)) >= 20
    for rule in rules():
        assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}, rule
        assert re.fullmatch(r"\d+[sm]", str(rule.get("for", "1m")))
        assert rule["labels"]["severity"] in ("warning", "critical")
        texts = rule["annotations"]
        assert set(texts) == {"summary", "do"} and texts["summary"].endswith(".") and len(texts["do"]) > 10
        labels = set(re.findall(r"\$labels\.([a-z]+)", texts["summary"]))
        assert labels <= LABELS


def test_the_rules_go_by_the_jobs_of_the_page() -> None:
    named = set(re.findall(r"job_name: (\S+)", PAGE.read_text()))
    asked = {job for expression in expressions() for job in re.findall(r'job="([^"]+)"', expression)}
    assert asked == named


@pytest.mark.parametrize("file", boards())
def test_a_dashboard_has_its_panels_apart_with_titles_and_units(file: str) -> None:
    board = boards()[file]
    assert board["title"] and board["schemaVersion"] >= 36
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    assert len({panel["title"] for panel in board["panels"]}) == len(board["panels"])
    cells: set[tuple[int, int]] = set()
    for panel in board["panels"]:
        place = panel["gridPos"]
        own = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert place["x"] + place["w"] <= 24 and not own & cells, panel["title"]
        cells |= own
        assert panel["type"] in ("stat", "timeseries")
        assert panel["title"] and panel["fieldConfig"]["defaults"]["unit"] in UNITS
        assert panel["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
        refs = [target["refId"] for target in panel["targets"]]
        assert refs and len(set(refs)) == len(refs)
        assert ('"$table"' not in str(panel)) or any(one["name"] == "table" for one in variables(board))


def variables(board: dict[str, Any]) -> list[dict[str, Any]]:
    return board["templating"]["list"]  # type: ignore[no-any-return]


def test_dashboards_are_known_apart_and_every_file_is_on_the_page() -> None:
    found = boards().values()
    assert len({board["uid"] for board in found}) == len({board["title"] for board in found}) == 3
    linked = set(re.findall(r"\(monitoring/(\S+)\)", PAGE.read_text()))
    assert linked == {path.name for path in MONITORING.iterdir()}


def test_every_metric_of_work_is_on_a_dashboard_or_in_a_rule() -> None:
    shown = " ".join(expressions())
    missing = {metric.name for metric in METRICS if metric.name not in shown}
    assert missing == SEEN_ELSEWHERE


SEEN_ELSEWHERE = {
    "tablebridge_build_info",
    "tablebridge_alerts_more",
    "tablebridge_engine_away_seconds",
    "tablebridge_messages_refused_total",
    "tablebridge_device_process_up",
    "tablebridge_device_silence_seconds",
    "tablebridge_device_reconnects_total",
    "tablebridge_webhook_sent_total",
}
"""Metrics for a closer look, which no rule and no panel needs."""

RAISED = {
    "TablebridgeDown": ('up{job="tablebridge"}', "0x60", "1x60"),
    "TablebridgeBrokerAway": ("tablebridge_broker_connected", "0x60", "1x60"),
    "TablebridgeEngineAway": ('tablebridge_engine_up{table="t"}', "0x60", "1x60"),
    "TablebridgeDeviceAway": ('tablebridge_device_live{device="d"}', "0x60", "1x60"),
    "TablebridgeReadingsLost": ("tablebridge_readings_lost_total", "0+1x60", "5x60"),
    "TablebridgeOutboxGrows": ("tablebridge_device_outbox_waiting", "1001x60", "1000x60"),
    "TablebridgeRejects": ("tablebridge_device_rejects_total", "0+61x60", "0+59x60"),
    "TablebridgeSlowCommits": ("tablebridge_journal_commit_seconds_bucket", "0.25 0.5", "0.1 0.25"),
    "TablebridgeEngineBehind": ("tablebridge_readings_waiting", "201x60", "200x60"),
    "TablebridgeAlertUnseen": ('tablebridge_alert_oldest_seconds{severity="critical"}', "121x60", "120x60"),
    "TablebridgeWebhookLoses": ("tablebridge_webhook_lost_total", "0+1x60", "5x60"),
    "TablebridgeNotificationsAway": ("tablebridge_notifications_up", "0x60", "1x60"),
    "TablebridgeNotificationsFail": ("tablebridge_notifications_failing", "1x60", "0x60"),
    "TablebridgeUplinkDown": ('up{job="tablebridge-uplink"}', "0x60", "1x60"),
    "TablebridgeUplinkAway": ("tablebridge_uplink_connected", "0x60", "1x60"),
    "TablebridgeUplinkBehind": ("tablebridge_uplink_behind", "5001x60", "5000x60"),
    "TablebridgeUplinkFails": ("tablebridge_uplink_failures_total", "0+1x60", "5x60"),
    "TablebridgeArchiveGone": ('up{job="tablebridge-archive"}', "0x60", "1x60"),
    "TablebridgeArchiveDown": ('up{job="tablebridge-archive"}', "0x60", "1x60"),
    "TablebridgeArchiveAway": ("tablebridge_archive_ready", "0x60", "1x60"),
    "TablebridgeArchiveBehind": ("tablebridge_archive_pending", "50001x60", "50000x60"),
    "TablebridgeArchiveForgets": ("tablebridge_archive_age_seconds", "432001x60", "432000x60"),
    "TablebridgeArchiveFinds": ("tablebridge_archive_findings_total", "0+1x60", "5x60"),
    "TablebridgeArchiveRefuses": (
        'tablebridge_archive_records_total{became="refused"}',
        "0+1x60",
        "5x60",
    ),
    "TablebridgeArchiveSlow": ("tablebridge_archive_batch_seconds_bucket", "5 10", "2.5 5"),
}
"""By alert a series, its values by the minute that raise it, and those that do not. Of a histogram: between
which bounds all of its commits are.
"""


def test_every_rule_is_tried() -> None:
    assert RAISED.keys() == {rule["alert"] for rule in rules()}


@pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool is not installed: apt install prometheus"
)
def test_prometheus_raises_each_alert_by_what_it_is_about_and_by_nothing_else(tmp_path: Path) -> None:
    files = sorted(str(path) for path in MONITORING.glob("*.yml"))
    subprocess.run(["promtool", "check", "rules", *files], check=True, capture_output=True)
    tests = [
        {
            "interval": "1m",
            "input_series": series(name, values),
            "promql_expr_test": [
                {
                    "expr": f'count(ALERTS{{alertname="{alert}", alertstate="firing"}})',
                    "eval_time": "40m",
                    "exp_samples": [{"value": 1}] if is_raised else [],
                }
            ],
        }
        for alert, (name, wrong, right) in RAISED.items()
        for values, is_raised in ((wrong, True), (right, False))
    ]
    path = tmp_path / "rules.test.yml"
    path.write_text(yaml.safe_dump({"rule_files": files, "evaluation_interval": "1m", "tests": tests}))
    done = subprocess.run(
        ["promtool", "test", "rules", str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def series(name: str, values: str) -> list[dict[str, str]]:
    """Series as promtool's tests have them."""
    if not name.endswith("_bucket"):
        return [{"series": name, "values": values}]
    below, within = values.split()
    return [
        {"series": f'{name}{{le="{bound}"}}', "values": counts}
        for bound, counts in ((below, "0x60"), (within, "0+10x60"), ("+Inf", "0+10x60"))
    ]
