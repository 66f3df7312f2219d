"""Masks secrets in texts before they are stored."""

from __future__ import annotations

from collections import Counter

from graphpalace.ingest.transcripts.secret_forms import secret_forms


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
            parts += [text[done:start], f"[masked: {kind}]"]
            counts[kind] += 1
        done = end  # two that overlap are masked as one
    return "".join([*parts, text[done:]]), counts
