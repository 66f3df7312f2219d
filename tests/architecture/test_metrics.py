"""The page of metrics is what the code declares, and dashboards and alerts ask only for metrics that there are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from scripts.make_metrics_page import PAGE, every_metric, page

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
DASHBOARDS = sorted((DOCKER / "grafana" / "dashboards").glob("*.json"))
ALERTS: dict[str, Any] = yaml.safe_load((DOCKER / "prometheus" / "alerts.yml").read_text("utf-8"))
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]
SCRAPES: dict[str, Any] = yaml.safe_load((DOCKER / "prometheus" / "prometheus.yml").read_text("utf-8"))
COMPOSE: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yml").read_text("utf-8"))

SAMPLES = {name: labels for metric in every_metric() for name, labels in metric.samples.items()}
# What the client of Prometheus and Prometheus itself add.
SAMPLES |= dict.fromkeys(
    ("up", "process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds"), frozenset[str]()
)
OF_SCRAPE = {"instance", "job"}
UNITS = ("seconds", "bytes")
WORDS = {"by", "without", "on", "ignoring", "and", "or", "unless", "bool", "offset", "time"}
_NAME = r"[a-zA-Z_:][\w:]*"


def expressions() -> Iterator[tuple[str, str]]:
    """Yield where an expression is, and its text."""
    for board in DASHBOARDS:
        for panel in json.loads(board.read_text("utf-8"))["panels"]:
            for target in panel.get("targets", ()):
                yield f"{board.stem}: {panel['title']}", target["expr"]
    for rule in RULES:
        yield rule["alert"], rule["expr"]


def asked_for(expression: str) -> tuple[dict[str, set[str]], set[str]]:
    """Return the metrics of an expression, each with the labels that it is chosen by, and those it is grouped by."""
    plain = re.sub(r'"[^"]*"', '""', expression)
    groups = set(re.findall(_NAME, " ".join(re.findall(r"\b(?:by|without|on|ignoring)\s*\(([^)]*)\)", plain))))
    plain = re.sub(r"\b(?:by|without|on|ignoring)\s*\([^)]*\)|\[[^\]]*\]", "", plain)
    metrics: dict[str, set[str]] = {}
    for found in re.finditer(rf"(?<![\w.])({_NAME})\s*(\(|\{{([^}}]*)\}})?", plain):
        if found[2] != "(" and found[1] not in WORDS:
            metrics.setdefault(found[1], set()).update(re.findall(rf"({_NAME})\s*[=!]", found[3] or ""))
        elif found[2] == "(" and found[1] in SAMPLES:
            metrics.setdefault(found[1], set())
    return metrics, groups


def test_the_page_is_what_the_code_declares() -> None:
    assert PAGE.read_text("utf-8") == page(), "a metric has changed: run `make metrics-docs`"


@pytest.mark.parametrize("metric", list(every_metric()), ids=lambda metric: metric.name)
def test_a_metric_is_named_as_prometheus_demands(metric: Any) -> None:
    assert re.fullmatch(r"graphpalace_[a-z0-9_]+", metric.name)
    assert metric.help[0].isupper() and not metric.help.endswith(".")
    assert all(f"`{label}`" in page() for label in metric.labels)
    if metric.type in ("histogram", "summary"):
        assert metric.name.endswith(UNITS)
    assert not re.search(r"_(ms|milliseconds|minutes|kb|mb|mib)(_|$)", metric.name)


def test_every_metric_of_the_code_is_declared_with_the_others() -> None:
    made = r"\b(?:Counter|Gauge|Histogram|Summary|Info|Enum)\("
    for module in (ROOT / "src" / "graphpalace").rglob("*.py"):
        text = module.read_text("utf-8")
        if "prometheus_client" in text and module.parts[-2:] != ("telemetry", "metrics.py"):
            assert not re.search(made, text), module


def test_expressions_are_read_as_they_are_meant() -> None:
    text = 'histogram_quantile(0.95, sum by (le, stage) (rate(a_bucket{x=~"b{2}", y!="c"}[5m]))) / time() > 1e3 or b'
    assert asked_for(text) == ({"a_bucket": {"x", "y"}, "b": set()}, {"le", "stage"})
    assert asked_for("up == 0 and on (instance) c_total offset 5m")[0].keys() == {"up", "c_total", "5m"} - {"5m"}


@pytest.mark.parametrize(("place", "expression"), list(expressions()))
def test_every_metric_and_label_that_is_asked_for_is_there(place: str, expression: str) -> None:
    assert expression.count("(") == expression.count(")"), place
    metrics, groups = asked_for(expression)
    assert metrics, place
    for name, labels in metrics.items():
        assert name in SAMPLES, f"{place}: there is no metric {name}"
        assert labels <= SAMPLES[name] | OF_SCRAPE, f"{place}: {name} has the labels {sorted(SAMPLES[name])}"
    some = next(iter(metrics))
    assert groups <= set().union(*(SAMPLES[name] for name in metrics)) | OF_SCRAPE, f"{place}: {some} is not so divided"
    for name in re.findall(rf"\b(?:rate|increase)\(({_NAME})", expression):
        assert name.endswith(("_total", "_bucket", "_sum", "_count")), f"{place}: {name} is no counter"
    for inside in re.findall(r"histogram_quantile\((.*)", expression):
        assert "le" in groups and "_bucket" in inside, place


@pytest.mark.parametrize("board", DASHBOARDS, ids=lambda board: board.stem)
def test_a_dashboard_asks_the_source_that_is_provisioned(board: Path) -> None:
    provisioned = yaml.safe_load((DOCKER / "grafana/provisioning/datasources/prometheus.yml").read_text("utf-8"))
    (source,) = provisioned["datasources"]
    shown = json.loads(board.read_text("utf-8"))
    named = set(re.findall(r'"datasource": \{\s*"type": "prometheus",\s*"uid": "([^"]+)"', json.dumps(shown)))
    assert named == {source["uid"]}
    ids = [panel["id"] for panel in shown["panels"]]
    assert len(ids) == len(set(ids))
    cells = [
        (panel["gridPos"]["x"] + column, panel["gridPos"]["y"] + line)
        for panel in shown["panels"]
        for column in range(panel["gridPos"]["w"])
        for line in range(panel["gridPos"]["h"])
    ]
    assert len(cells) == len(set(cells)), "panels lie on each other"
    assert max(column for column, _ in cells) < 24


def test_dashboards_and_alerts_have_names_of_their_own() -> None:
    boards = [json.loads(board.read_text("utf-8")) for board in DASHBOARDS]
    assert {board["uid"] for board in boards} == {f"graphpalace-{path.stem}" for path in DASHBOARDS}
    assert sorted({rule["alert"] for rule in RULES}) == sorted(rule["alert"] for rule in RULES)


def test_every_alert_is_explained() -> None:
    text = (ROOT / "docs" / "how-to" / "watch-the-service.md").read_text("utf-8")
    assert set(re.findall(r"^\| `(GraphPalace\w+)` \|", text, re.MULTILINE)) == {rule["alert"] for rule in RULES}
    for rule in RULES:
        assert rule["labels"]["severity"] in ("critical", "warning")
        labels = set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]))
        metrics, groups = asked_for(rule["expr"])
        assert labels <= (groups or set().union(*(SAMPLES[name] for name in metrics)) | OF_SCRAPE), rule["alert"]


def test_prometheus_and_grafana_are_where_compose_says() -> None:
    services = COMPOSE["services"]
    (scrape,) = SCRAPES["scrape_configs"]
    (secret,) = services["prometheus"]["secrets"]
    assert scrape["authorization"]["credentials_file"] == f"/run/secrets/{secret}"
    assert COMPOSE["secrets"][secret]["environment"] == "GRAPHPALACE_API_KEY"
    assert scrape["static_configs"] == [{"targets": ["service:8600"]}]
    assert SCRAPES["rule_files"] == ["alerts.yml"]
    for name in ("prometheus", "grafana"):
        assert services[name]["profiles"] == ["observe"]
        assert re.fullmatch(r"[\w/]+:v?\d+\.\d+\.\d+", services[name]["image"])
        for volume in services[name]["volumes"]:
            source = volume.partition(":")[0]
            assert (DOCKER / source).is_dir() if source.startswith(".") else source in COMPOSE["volumes"]
    boards = yaml.safe_load((DOCKER / "grafana/provisioning/dashboards/graphpalace.yml").read_text("utf-8"))
    assert boards["providers"][0]["options"]["path"] in str(services["grafana"]["volumes"])
