"""Masks secrets in texts before they are stored, and counts those that were masked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from graphpalace.ingest.transcripts.secret_forms import secret_forms

MARK = "[masked: "  # how a mark begins; the kind of the secret and a bracket follow


def masked(text: str) -> tuple[str, Counter[str]]:
    """Return a text with each secret replaced by what it was, and how many there were of each kind.

    >>> masked("postgres://ann:" + "hunter2" + "@db/main")
    ('postgres://ann:[masked: password in a URL]@db/main', Counter({'password in a URL': 1}))
    """
    found: list[tuple[int, int, str]] = []
    for form in secret_forms():
        found += [(start, end, form.kind) for start, end in form.spans(text)]
    counts: Counter[str] = Counter()
    parts: list[str] = []
    done = 0
    for start, end, kind in sorted(found, key=lambda one: (one[0], -one[1])):
        if end <= done:  # inside of one that is masked already
            continue
        if start >= done:
            parts += [text[done:start], f"{MARK}{kind}]"]
            counts[kind] += 1
        done = end  # two that overlap are masked as one
    return "".join([*parts, text[done:]]), counts


def count_marks(marks: Iterable[str]) -> Counter[str]:
    """Return how many marks there are of each kind of secret.

    Args:
        marks: What stands in each mark after its beginning. What only looks like a mark is not counted.

    >>> count_marks(["password in a URL", "my name"])
    Counter({'password in a URL': 1})
    """
    kinds = {form.kind for form in secret_forms()}
    return Counter(mark for mark in marks if mark in kinds)
