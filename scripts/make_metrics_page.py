"""Write docs/reference/metrics.md from `graphpalace.telemetry.metrics`, which declares each metric once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from prometheus_client.metrics import MetricWrapperBase

from graphpalace.telemetry import metrics

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "metrics.md"
_HEAD = """# Metrics

`GET /metrics` answers with these metrics of one process, in the text format of Prometheus, beside those of Python and
of the process (`python_…`, `process_…`). [Watch the service](../how-to/watch-the-service.md) has dashboards and alerts
made of them. `make metrics-docs` writes this page; do not edit it.

A metric with labels is there once it has been counted for the first time. A histogram consists of `_bucket`, `_sum` and
`_count`, a summary of `_sum` and `_count`. All of them count from the start of the process. With several services, add
those of all up.

| metric | type | labels | what it tells |
|---|---|---|---|
"""
_SUFFIXES = {
    "counter": ("_total",),
    "gauge": ("",),
    "histogram": ("_bucket", "_sum", "_count"),
    "summary": ("_sum", "_count"),
    "info": ("_info",),
}


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric as it is shown.

    Attributes:
        name: As Prometheus has it, without the suffixes of a histogram or a summary.
        samples: The names of its values, each with its labels.
    """

    name: str
    type: str
    labels: tuple[str, ...]
    help: str
    samples: dict[str, frozenset[str]]


def every_metric() -> Iterator[Metric]:
    """Yield the metrics in the order in which they are declared."""
    for metric in vars(metrics).values():
        if isinstance(metric, MetricWrapperBase):
            (family,) = metric.describe()
            labels = ("version",) if family.type == "info" else tuple(metric._labelnames)  # not public
            suffixes = _SUFFIXES[family.type]
            more = {"_bucket": {"le"}}
            samples = {family.name + end: frozenset({*labels, *more.get(end, ())}) for end in suffixes}
            name = next(iter(samples)) if len(suffixes) == 1 else family.name
            yield Metric(name, family.type, labels, family.documentation, samples)


def page() -> str:
    """Return the text of the page."""
    return _HEAD + "".join(
        f"| `{one.name}` | {one.type} | {', '.join(f'`{label}`' for label in one.labels)} | {one.help} |\n"
        for one in every_metric()
    )


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
