"""Files of other memories, small, in the layouts that those write."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

# Chroma 1.x, migrations `sysdb` and `metadb`, as far as they say where documents are.
_CHROMA = """
CREATE TABLE collections (id TEXT PRIMARY KEY, name TEXT NOT NULL, dimension INTEGER, database_id TEXT NOT NULL);
CREATE TABLE segments (id TEXT PRIMARY KEY, type TEXT NOT NULL, scope TEXT NOT NULL, collection TEXT NOT NULL);
CREATE TABLE embeddings (
  id INTEGER PRIMARY KEY, segment_id TEXT NOT NULL, embedding_id TEXT NOT NULL, seq_id BLOB NOT NULL,
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, UNIQUE (segment_id, embedding_id)
);
CREATE TABLE embedding_metadata (
  id INTEGER REFERENCES embeddings(id), key TEXT NOT NULL, string_value TEXT, int_value INTEGER, float_value REAL,
  bool_value INTEGER, PRIMARY KEY (id, key)
);
INSERT INTO collections VALUES ('c1', 'mempalace_drawers', 384, 'd'), ('c2', 'mempalace_closets', 384, 'd');
INSERT INTO segments VALUES ('v1', 'hnsw', 'VECTOR', 'c1'), ('m1', 'sqlite', 'METADATA', 'c1'),
  ('m2', 'sqlite', 'METADATA', 'c2');
"""
_KNOWLEDGE = """
CREATE TABLE entities (id TEXT PRIMARY KEY, name TEXT NOT NULL, type TEXT, properties TEXT, created_at TEXT);
CREATE TABLE triples (
  id TEXT PRIMARY KEY, subject TEXT NOT NULL, predicate TEXT NOT NULL, object TEXT NOT NULL, valid_from TEXT,
  valid_to TEXT, confidence REAL DEFAULT 1.0, source_closet TEXT, source_file TEXT, source_drawer_id TEXT,
  adapter_name TEXT, extracted_at TEXT
);
INSERT INTO entities (id, name) VALUES ('max', 'Max'), ('oslo', 'Oslo'), ('rome', 'Rome');
INSERT INTO triples (id, subject, predicate, object, valid_from, valid_to, source_drawer_id) VALUES
  ('t1', 'max', 'lives_in', 'rome', '2015-04-01', '2020-12-31', NULL),
  ('t2', 'max', 'lives_in', 'oslo', '2021-01-01', NULL, 'drawer_home_1'),
  ('t3', 'max', 'lives_in', 'rome', '2030-01-01', '2001-01-01', NULL);
"""
DRAWERS = {
    "drawer_home_1": ("Max moved to Oslo.\n\nHe likes it.", {
        "wing": "home", "room": "people", "source_file": "/n/max.md", "chunk_index": 0,
        "filed_at": "2026-04-01T10:00:00", "hall": "hall_events",
    }),
    "drawer_code_2": ("def oven(): ...", {"wing": "code", "room": "kitchen", "filed_at": "2026-04-02T10:00:00+02:00"}),
    "drawer_code_3": ("  ", {"wing": "code", "room": "kitchen"}),
    "_reg_4": ("[registry] /n/empty.md", {"wing": "code", "room": "_registry"}),
}  # fmt: skip


def mempalace(folder: Path) -> Path:
    """Write a palace of MemPalace into a folder, its knowledge graph beside it, and return the palace's folder."""
    palace = folder / "palace"
    palace.mkdir(parents=True)
    with closing(sqlite3.connect(palace / "chroma.sqlite3")) as chroma, chroma:
        chroma.executescript(_CHROMA)
        for number, (key, (text, about)) in enumerate(DRAWERS.items(), 1):
            chroma.execute("INSERT INTO embeddings VALUES (?, 'm1', ?, ?, '2026-04-01')", (number, key, b""))
            for name, value in (about | {"chroma:document": text}).items():
                kind = "int_value" if isinstance(value, int) else "string_value"
                chroma.execute(
                    f"INSERT INTO embedding_metadata (id, key, {kind}) VALUES (?, ?, ?)", (number, name, value)
                )
        chroma.execute("INSERT INTO embeddings VALUES (99, 'm2', 'closet', x'', '2026-04-01')")
        chroma.execute("INSERT INTO embedding_metadata (id, key, string_value) VALUES (99, 'chroma:document', 'index')")
    with closing(sqlite3.connect(folder / "knowledge_graph.sqlite3")) as knowledge, knowledge:
        knowledge.executescript(_KNOWLEDGE)
    return palace


def mempalace_exact(folder: Path) -> Path:
    """Write a palace of MemPalace that keeps its drawers in SQLite alone."""
    folder.mkdir()
    with closing(sqlite3.connect(folder / "sqlite_exact.sqlite3")) as store, store:
        store.executescript(
            "CREATE TABLE collections (id INTEGER PRIMARY KEY, name TEXT);"
            "CREATE TABLE documents (collection_id INTEGER, id TEXT, document TEXT, metadata_json TEXT);"
            "INSERT INTO collections VALUES (1, 'mempalace_drawers');"
        )
        for key, (text, about) in DRAWERS.items():
            store.execute("INSERT INTO documents VALUES (1, ?, ?, ?)", (key, text, json.dumps(about)))
    return folder


MEM0 = {
    "results": [
        {"id": "m1", "memory": "Dev works at TechCorp.", "user_id": "dev", "categories": ["work"],
         "created_at": "2026-02-03T04:05:06-08:00", "metadata": {"type": "professional"}},
        {"id": "m2", "memory": "Dev likes tea.", "user_id": "dev", "agent_id": "cook", "metadata": None},
        {"id": "m3", "memory": "The build is slow.", "agent_id": "ci"},
        {"id": "m4", "memory": ""},
        "odd",
    ]
}  # fmt: skip

CLAUDE = {
    "conversations.json": [
        {"uuid": "c-1", "name": "Roses", "chat_messages": [
            {"uuid": "1", "sender": "human", "created_at": "2026-03-01T10:00:00Z", "content": [{"type": "text",
             "text": "When do I prune roses?"}], "attachments": [{"extracted_content": "my garden plan"}]},
            {"uuid": "2", "sender": "assistant", "created_at": "2026-03-01T10:00:05Z", "text": "In late winter."},
        ]},
        {"uuid": "c-2", "name": "", "chat_messages": []},
    ],
    "memories.json": [{"conversations_memory": "Ann grows roses.", "project_memories": {"p-1": "The shed is green."},
                       "account_uuid": "a"}],
    "projects.json": [{"uuid": "p-1", "name": "Garden", "prompt_template": "Answer in metres.", "docs": [
        {"uuid": "d", "filename": "plan.md", "content": "Beds lie south.", "created_at": "2026-01-01T00:00:00Z"}]}],
}  # fmt: skip


def claude(folder: Path) -> Path:
    """Write an export of Claude into a folder, and return it."""
    folder.mkdir()
    for name, content in CLAUDE.items():
        (folder / name).write_text(json.dumps(content), "utf-8")
    return folder
