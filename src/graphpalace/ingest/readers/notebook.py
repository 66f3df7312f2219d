"""Reads Jupyter notebooks. A cell is a passage: Markdown, or code with what it printed. Pictures are left out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from graphpalace.domain.drawers.document import Document, Passage
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.html import html_text
from graphpalace.ingest.readers.markdown import headings
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.sections import cut, is_bare, sections_from
from graphpalace.ingest.split import Kind, LineIndex

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_STANDS_FOR = re.compile(r"\s*<[^<>\n]*>\s*")  # such as <Figure size 640x480 with 1 Axes>, which stands for a picture
MEDIA_TYPE = "application/x-ipynb+json"
_PICTURE = re.compile(r"\bdata:image/[^\s)>\"']*")


def read_notebook(source: Source) -> Iterator[Document]:
    """Yield the one document of a notebook; its title is the first heading.

    Lines are counted as if the cells were written one below the other, with a blank line after each. A cell that is
    nothing but a heading begins the passage of the next cell.

    Raises:
        UnreadableDocument: If the file is not a notebook.
    """
    content = source.text()
    notebook = _opened(source, content) if content.strip() else {}
    out = _Passages(source, _language(notebook))
    lead = ""
    for cell in _cells(notebook):
        text = _PICTURE.sub("", text_of(cell.get("source", cell.get("input")))).strip("\r\n")
        if cell.get("cell_type") == "code":
            out.code(lead, text, output_text(cell.get("outputs")))
        elif cell.get("cell_type") == "heading":  # of notebooks before version 4
            level = cell.get("level")
            lead += f"{'#' * level if isinstance(level, int) and 0 < level < 7 else '#'} {text}\n\n"
            continue
        elif is_bare(text, code=False):
            lead += f"{text}\n\n" if text.strip() else ""
            continue
        else:
            out.markdown(lead + text)
        lead = ""
    out.markdown(lead)
    yield source.document(out.passages, media_type=MEDIA_TYPE, title=out.title)


class _Passages:
    """The passages of the cells so far, and the headings above the next cell."""

    def __init__(self, source: Source, language: str | None) -> None:
        self.passages: list[Passage] = []
        self.title: str | None = None
        self._source, self._language = source, language
        self._above: list[tuple[int, str]] = []
        self._line = 1

    def markdown(self, text: str) -> None:
        """Add a cell of Markdown, divided at its headings."""
        names = self._names()
        starts = self._headings(text)
        self._add(text, starts if starts and starts[0][0] == 0 else [(0, names), *starts], "markdown")

    def code(self, lead: str, code: str, output: str) -> None:
        """Add a cell of code and what it printed: one passage if both fit, else each for itself."""
        self._headings(lead)
        here = [(0, self._names())]
        whole = lead + "\n\n".join(part for part in (code, output) if part)
        if len(whole) <= self._source.options.max_chars:
            self._add(whole, here, "text")
        else:
            self._add(lead + code, here, "code")
            self._add(output, here, "text")

    def _add(self, text: str, starts: list[tuple[int, tuple[str, ...]]], kind: Kind) -> None:
        sections = sections_from(starts, len(text))
        above = self._line - 1
        for passage in cut(text, sections, self._source.options, kind=kind, language=self._language):
            moved = replace(passage, start_line=passage.start_line + above, end_line=passage.end_line + above)
            self.passages.append(moved)
        if text:
            self._line += len(LineIndex(text)) + 1

    def _headings(self, text: str) -> list[tuple[int, tuple[str, ...]]]:
        """Return where each heading of a text begins, and the names down to it. They stay above what follows."""
        lines = LineIndex(text)
        starts = []
        for line, level, name in headings(text):
            while self._above and self._above[-1][0] >= level:
                self._above.pop()
            self._above.append((level, name))
            self.title = self.title or name
            starts.append((lines.start(line), self._names()))
        return starts

    def _names(self) -> tuple[str, ...]:
        return tuple(name for _, name in self._above)


def _opened(source: Source, content: str) -> dict[str, Any]:
    try:
        notebook = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _unreadable(source, str(error)) from error
    if not isinstance(notebook, dict) or not any(
        isinstance(notebook.get(key), list) for key in ("cells", "worksheets")
    ):
        raise _unreadable(source, "it has no list of cells")
    return notebook


def _unreadable(source: Source, why: str) -> UnreadableDocument:
    return UnreadableDocument(f"{source.path} is not a readable notebook: {why}", path=str(source.path))


def _cells(notebook: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the cells, which notebooks before version 4 have in worksheets."""
    for holder in (notebook, *_objects(notebook.get("worksheets"))):
        yield from _objects(holder.get("cells"))


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _language(notebook: dict[str, Any]) -> str | None:
    """Return the name of the grammar of the code, such as `python`; None if the notebook names no language."""
    metadata = notebook.get("metadata")
    for key, field in (("language_info", "name"), ("kernelspec", "language")):
        told = metadata.get(key) if isinstance(metadata, dict) else None
        name = told.get(field) if isinstance(told, dict) else None
        if isinstance(name, str):
            return name.lower()
    return None


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
