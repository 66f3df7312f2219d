"""What operators see of calls of models: their time and the number of texts, never a text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from graphpalace.telemetry import metrics
from graphpalace.telemetry.spans import span


@contextmanager
def model_call(model: str, kind: str, *, texts: int) -> Iterator[None]:
    """Time, count and trace a call of a model.

    Args:
        model: Its name.
        kind: What it is called for, such as `questions`.
        texts: How many it is given.
    """
    metrics.MODEL_TEXTS.labels(model, kind).inc(texts)
    errors = metrics.MODEL_ERRORS.labels(model, kind).count_exceptions()
    with span("model", model=model, kind=kind, texts=texts), metrics.MODEL_SECONDS.labels(model, kind).time(), errors:
        yield
