"""Tells which texts stand in the transcript of a conversation already, whoever said them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from graphpalace.domain.quoting import quotation, quoted

_MOST_BYTES = 16 << 20  # of the end of a transcript
_PROBE_CHARS = 160


def said_already(transcript: Path, texts: Sequence[str]) -> list[bool]:
    """Return for each text whether its longest line, or the beginning of that, is in the transcript.

    A tool may have read the text from a file, for example. Without a transcript, nothing was said.
    """
    try:
        with transcript.open("rb") as file:
            file.seek(max(0, transcript.stat().st_size - _MOST_BYTES))
            data = file.read(_MOST_BYTES)
    except OSError:
        return [False] * len(texts)
    return [any(probe in data for probe in _probes(text)) for text in texts]


def _probes(text: str) -> set[bytes]:
    """Return a part of a text as JSON writes it, quoted and not, with and without escaped letters."""
    line = max(text.splitlines() or [""], key=len).strip()[:_PROBE_CHARS]
    return {
        json.dumps(shown, ensure_ascii=escaped)[1:-1].encode("utf-8", "replace")
        for shown in (line, quoted(line), quotation(line)[1:-1])
        for escaped in (True, False)
    }
