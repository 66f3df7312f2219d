"""Reads source code: definitions as sections, or overlapping windows of lines.

A section is one top-level definition, or one member of a long class, with the comments and decorators above it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from graphpalace.domain.drawers.document import Document, Passage
from graphpalace.domain.drawers.names import code_name
from graphpalace.ingest.readers.definitions import definitions
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.sections import cut, sections_from
from graphpalace.ingest.split import LineIndex
from graphpalace.ingest.syntax import LANGUAGE_OF_SUFFIX

_MEDIA_TYPES = {"javascript": "text/javascript"}


def read_code(source: Source) -> Iterator[Document]:
    """Yield the one document of a source file, split at its definitions, or into windows if the options set windows.

    The heading of a definition is its name. Code with syntax errors is split as well as its syntax tree allows.

    Raises:
        UnreadableDocument: If the file is binary.
    """
    text = source.text()
    language = LANGUAGE_OF_SUFFIX.get(source.path.suffix.lower())
    if source.options.windows:
        passages = window_passages(text, source.relative_path, source.options.windows)
    elif language is None:
        passages = cut(text, sections_from((), len(text)), source.options)
    else:
        starts = definitions(text, language, container_chars=source.options.max_chars)
        sections = sections_from(starts, len(text))
        cuts = cut(text, sections, source.options, kind="code", language=language)
        passages = tuple(_named(cuts, _module(source), text, starts))
    yield source.document(passages, media_type=code_media_type(source.path))


def code_media_type(path: Path) -> str:
    """Return the media type of the document of a source file."""
    language = LANGUAGE_OF_SUFFIX.get(path.suffix.lower())
    return _MEDIA_TYPES.get(language or "", f"text/x-{language}" if language else "text/plain")


def _module(source: Source) -> str:
    """Return the name of a file without its suffix; for `__init__.py` and the like, that of its folder."""
    packages = {"__init__", "index", "mod", "lib", "main"}
    return source.relative_path.split("/")[-2] if source.stem in packages and source.folders else source.stem


def _named(
    passages: Sequence[Passage], module: str, text: str, starts: Sequence[tuple[int, tuple[str, ...]]]
) -> Iterator[Passage]:
    """Yield the passages with their names: of what begins in each, and of what it goes on with."""
    lines = LineIndex(text)
    at = [lines.at(offset) for offset, _ in starts]
    for passage in passages:
        first, after = bisect_left(at, passage.start_line), bisect_right(at, passage.end_line)
        goes_on = first > 0 and at[first : first + 1] != [passage.start_line]
        parts = [name for _, name in starts[first - goes_on : after] if name]
        yield replace(passage, name=code_name(module, parts))


def line_ranges(lines: int, window: int) -> Iterator[tuple[int, int]]:
    """Yield first and last line, 1-based and inclusive, of each window over a file.

    Each window starts half a window after the previous one. The last window is the first that reaches the end.

    >>> list(line_ranges(9, 4))
    [(1, 4), (3, 6), (5, 8), (7, 9)]
    """
    for start in range(1, lines + 1, max(1, window // 2)):
        end = min(start + window - 1, lines)
        yield start, end
        if end == lines:
            return


def window_passages(text: str, relative_path: str, windows: Sequence[int]) -> tuple[Passage, ...]:
    """Return one passage for each window, the smallest windows first.

    The first line of each passage is the header `# file: REL | lines: A-B | window: W`; the rest is the source
    verbatim. If windows of several sizes cover the same lines, as in a short file, only the smallest is used. Blank
    windows are left out.

    Args:
        text: The source.
        relative_path: Its path below the ingested root, with `/`.
        windows: Sizes in lines, each >= 1.
    """
    lines = LineIndex(text)
    made: set[tuple[int, int]] = set()
    passages: list[Passage] = []
    for window in sorted(set(windows)):
        for first, last in line_ranges(len(lines), window):
            end = lines.start(last + 1) if last < len(lines) else len(text)
            body = text[lines.start(first) : end]
            if (first, last) in made or not body.strip():
                continue
            made.add((first, last))
            header = f"# file: {relative_path} | lines: {first}-{last} | window: {window}\n"
            passages.append(Passage(text=header + body, start_line=first, end_line=last))
    return tuple(passages)
