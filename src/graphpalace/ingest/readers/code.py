"""Reads source code.

A section is one top-level definition, or one member of a long class, with the comments and decorators above it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from graphpalace.domain.code_names import code_name
from graphpalace.domain.document import Document, Passage
from graphpalace.ingest.files.languages import LANGUAGE_OF_SUFFIX
from graphpalace.ingest.readers.definitions import definitions
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.sections import cut, sections_from
from graphpalace.ingest.split import LineIndex
from graphpalace.ingest.windows import window_passages

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
    media_type = _MEDIA_TYPES.get(language or "", f"text/x-{language}" if language else "text/plain")
    yield source.document(passages, media_type=media_type)


def _module(source: Source) -> str:
    """Return the name of a file without its suffix; for `__init__.py` and the like, that of its folder."""
    stem = source.path.stem
    packages = {"__init__", "index", "mod", "lib", "main"}
    return source.folders[-1] if stem in packages and source.folders else stem


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
