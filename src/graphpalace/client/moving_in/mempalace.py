"""Read a palace of MemPalace: its drawers from Chroma's or its own SQLite file, and its knowledge graph.

The files are opened read-only, without Chroma. Layouts: Chroma's migrations `metadb` and `sysdb`, MemPalace 3.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

from graphpalace.client.moving_in.records import Blank, Foreign, ForeignFact, ForeignText, text_or
from graphpalace.domain.identity import as_place_name
from graphpalace.errors import InvalidInput, NotFound

_COLLECTION = "mempalace_drawers"
_REGISTRY = "_registry"  # a room of marks that a file was read, which are no texts
_KNOWLEDGE = "knowledge_graph.sqlite3"
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_CHROMA = """
SELECT e.id, e.embedding_id, m.key, m.string_value, m.int_value, m.float_value
FROM collections c
JOIN segments s ON s.collection = c.id
JOIN embeddings e ON e.segment_id = s.id
JOIN embedding_metadata m ON m.id = e.id
WHERE c.name = ?
ORDER BY e.id
"""
_EXACT = """
SELECT d.id, d.document, d.metadata_json
FROM collections c JOIN documents d ON d.collection_id = c.id
WHERE c.name = ? ORDER BY d.rowid
"""
_FACTS = """
SELECT coalesce(s.name, t.subject), t.predicate, coalesce(o.name, t.object), t.valid_from, t.valid_to, t.confidence
FROM triples t LEFT JOIN entities s ON s.id = t.subject LEFT JOIN entities o ON o.id = t.object
ORDER BY t.rowid
"""


def read_mempalace(path: Path, *, wing: str | None) -> Iterator[Foreign]:
    """Yield the drawers and the facts of a palace.

    Args:
        path: Its folder, or the SQLite file in it. The knowledge graph is in the folder or in the one above it.
        wing: Put everything into this wing; None: into wings of the same names.

    Raises:
        NotFound: If there is no such file.
        InvalidInput: If it is not one of MemPalace.
    """
    folder = path if path.is_dir() else path.parent
    stores = [path] if path.is_file() else [folder / name for name in ("chroma.sqlite3", "sqlite_exact.sqlite3")]
    there = [store for store in stores if store.is_file()]
    if not there:
        raise NotFound(f"{path} has neither chroma.sqlite3 nor sqlite_exact.sqlite3 of MemPalace", path=str(path))
    for store in there:
        for key, text, about in _drawers(store):
            if about.get("room") == _REGISTRY:
                continue
            source = text_or(about.get("source_file"))
            yield ForeignText(
                text,
                wing or text_or(about.get("wing"), "unknown"),
                text_or(about.get("room"), "general"),
                title=Path(source).name,
                uri=f"mempalace:{source}" if source else "",
                author=text_or(about.get("author")),
                occurred_at=about.get("occurred_at") or about.get("filed_at"),
                key=key,
            ).record()
    for knowledge in (folder / _KNOWLEDGE, folder.parent / _KNOWLEDGE):
        if knowledge.is_file():
            yield from _facts(knowledge)
            return


def _drawers(store: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    if "embeddings" in _tables(store):
        rows = _rows(store, _CHROMA, _COLLECTION)
        for _, group in groupby(rows, key=lambda row: row[0]):
            lines = list(group)
            about = {key: next((one for one in values if one is not None), None) for _, _, key, *values in lines}
            yield str(lines[0][1]), str(about.pop("chroma:document", None) or ""), about
        return
    for key, text, metadata in _rows(store, _EXACT, _COLLECTION):
        try:
            about = json.loads(metadata or "{}")
        except ValueError:
            about = {}
        yield str(key), str(text or ""), about if isinstance(about, dict) else {}


def _facts(knowledge: Path) -> Iterator[Foreign]:
    drawers = ", t.source_drawer_id" if "source_drawer_id" in _columns(knowledge, "triples") else ", NULL"
    for *fact, drawer in _rows(knowledge, _FACTS.replace(", t.confidence", f", t.confidence{drawers}", 1)):
        subject, predicate, object, since, until, confidence = fact
        names = [as_place_name(str(one or "")) for one in (subject, predicate, object)]
        if not all(names):
            yield Blank()
            continue
        sure = confidence if isinstance(confidence, float | int) and 0 < confidence <= 1 else 1.0
        given = {
            "subject": names[0],
            "predicate": names[1],
            "object": names[2],
            "valid_from": since or None,
            "valid_to": _end(until),
            "confidence": float(sure),
            "source": "mempalace",
        }
        yield ForeignFact(given, drawer)


def _end(until: Any) -> str | None:
    """Return the moment before which a fact holds: a day is meant as a whole there."""
    if isinstance(until, str) and _DAY.fullmatch(until):
        try:
            return (date.fromisoformat(until) + timedelta(days=1)).isoformat()
        except (ValueError, OverflowError):
            return until
    return until or None


def _tables(path: Path) -> set[str]:
    return {str(name) for (name,) in _rows(path, "SELECT name FROM sqlite_master WHERE type = 'table'")}


def _columns(path: Path, table: str) -> set[str]:
    return {str(name) for (name,) in _rows(path, "SELECT name FROM pragma_table_info(?)", table)}


def _rows(path: Path, query: str, *values: str) -> Iterator[tuple[Any, ...]]:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            yield from connection.execute(query, values)
    except sqlite3.Error as error:
        raise InvalidInput(f"{path} cannot be read as a file of MemPalace: {error}", field="path") from error
