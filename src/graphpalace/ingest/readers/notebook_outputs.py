"""The outputs of a notebook's cell as text, as they are shown on a page without pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from graphpalace.ingest.readers.html import html_text

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_STANDS_FOR = re.compile(r"\s*<[^<>\n]*>\s*")  # such as <Figure size 640x480 with 1 Axes>, which stands for a picture


def output_text(outputs: Any) -> str:
    """Return the text of a cell's outputs, one below the other: what was printed, results and errors.

    A result that has both HTML and plain text gives its plain text. Pictures and widgets give nothing.
    """
    texts = (_text(output) for output in (outputs if isinstance(outputs, list) else ()) if isinstance(output, dict))
    return "\n".join(text.strip("\n").rstrip() for text in texts if text.strip())


def text_of(value: Any) -> str:
    """Return a text that a notebook keeps as one string or as a list of lines.

    JSON can carry half a surrogate pair, which no encoding can store.
    """
    parts = value if isinstance(value, list) else [value]
    text = "".join(part for part in parts if isinstance(part, str))
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _text(output: dict[str, Any]) -> str:
    if output.get("output_type") in {"error", "pyerr"}:
        trace = output.get("traceback")
        lines = [text_of(line) for line in trace] if isinstance(trace, list) else []
        return _shown("\n".join(lines)) or f"{text_of(output.get('ename'))}: {text_of(output.get('evalue'))}"
    if output.get("output_type") == "stream":
        return _shown(text_of(output.get("text")))
    return next(_richest(output), "")


def _richest(output: dict[str, Any]) -> Iterator[str]:
    """Yield the texts of a result, the best first."""
    data = output.get("data")
    forms = data if isinstance(data, dict) else {}
    plain = _shown(text_of(forms.get("text/plain", output.get("text"))))
    if plain.strip() and not _STANDS_FOR.fullmatch(plain):
        yield plain
    for kind in ("text/markdown", "text/latex"):
        if (text := text_of(forms.get(kind, output.get(kind.removeprefix("text/"))))).strip():
            yield text
    if (page := text_of(forms.get("text/html", output.get("html")))).strip():
        yield html_text(page)
    if plain.strip() and not any("image/" in kind for kind in forms):
        yield plain


def _shown(text: str) -> str:
    """Return a text as a terminal leaves it: without colours and what was written over, such as a progress bar."""
    lines = _COLOURS.sub("", text).split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)
