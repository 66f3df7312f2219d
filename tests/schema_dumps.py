"""Whole databases as JSON, as versions with earlier schemas left them, and the model of their vectors."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

import neo4j.time
import numpy as np

from graphpalace.domain.vectors import Matrix, unit_rows
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import ServerStore

FOLDER = Path(__file__).parent / "data" / "schemas"
NOTES = {
    "garden/roses.md": "# Roses\n\nPrune the roses in late winter, before the buds swell.\n\n"
    "# Hedges\n\nTrim the hedge after the birds have left their nests.\n",
    "kitchen/bread.md": "# Bread\n\nFeed the sourdough starter every morning with rye flour.\n",
    "kitchen/soup.md": "# Soup\n\nSimmer the lentils for half an hour with bay leaves.\n",
}
MODEL, DIMENSION = "sixteen-words", 16


class SixteenWords:
    """A model with short vectors, so that a dump stays small: each word points in one of sixteen directions."""

    name = MODEL
    dimension = DIMENSION

    def load(self) -> None:
        """Do nothing: it is ready."""

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector a text."""
        rows = np.full((len(texts), DIMENSION), 0.1, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()):
                row[blake2b(word.encode(), digest_size=1).digest()[0] % DIMENSION] += 1
        return unit_rows(rows)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return one vector a question, as for any text."""
        return self.embed(texts)


async def dumped(database: Database) -> dict[str, Any]:
    """Return everything in a database: its rules, nodes and relationships."""
    nodes = [row async for row in database.stream(None, "compact/list_nodes")]
    edges = [row async for row in database.stream(None, "compact/list_relationships")]
    return {
        "rules": sorted(await _rules(database)),
        "nodes": [row | {"properties": _written(row["properties"])} for row in nodes],
        "relationships": [row | {"properties": _written(row["properties"])} for row in edges],
    }


async def restored(database: Database, dump: dict[str, Any]) -> None:
    """Let a database hold what a dump says, and nothing else."""
    await emptied(database, keeping=dump["rules"])
    there = await _rules(database)
    for rule in dump["rules"]:
        if rule not in there:
            await database.run_statement(rule)
    nodes = [row | {"properties": _read(row["properties"])} for row in dump["nodes"]]
    rows = await database.write(None, "compact/create_nodes", nodes=nodes)
    ids = {node["id"]: row["id"] for node, row in zip(nodes, rows, strict=True)}
    edges = [
        row | {"source": ids[row["source"]], "target": ids[row["target"]], "properties": _read(row["properties"])}
        for row in dump["relationships"]
    ]
    (row,) = await database.write(None, "compact/create_relationships", relationships=edges)
    assert row["created"] == len(edges)
    await ServerStore(database).await_indexes()


async def emptied(database: Database, keeping: Sequence[str] = ()) -> None:
    """Delete all nodes, and all constraints and indexes but some, which takes most of the time."""
    await database.run_statement("MATCH (n) DETACH DELETE n")
    for statement, kind in (await _rules(database)).items():
        if statement not in keeping:
            name = statement.split(kind)[1].split()[0]
            await database.run_statement(f"DROP {kind} {name} IF EXISTS")


async def _rules(database: Database) -> dict[str, str]:
    """Return which kind of rule each statement creates, `CONSTRAINT` or `INDEX`."""
    return {
        row["statement"]: kind
        for kind in ("CONSTRAINT", "INDEX")
        for row in await database.read(None, f"compact/list_{kind.lower()}_statements")
    }


def read_dump(path: Path) -> dict[str, Any]:
    """Return a dump as it was written."""
    return json.loads(path.read_text("utf-8"))


def _written(value: Any) -> Any:
    """Return a value as JSON has it; bytes and times as objects with one name."""
    if isinstance(value, dict):
        return {name: _written(part) for name, part in sorted(value.items())}
    if isinstance(value, list):
        return [_written(part) for part in value]
    if isinstance(value, bytes | bytearray):
        return {"bytes": base64.b64encode(value).decode()}
    if isinstance(value, neo4j.time.DateTime):
        return {"time": value.iso_format()}
    return value


def _read(value: Any) -> Any:
    if isinstance(value, list):
        return [_read(part) for part in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"bytes"}:
        return base64.b64decode(value["bytes"])
    if value.keys() == {"time"}:
        return datetime.fromisoformat(value["time"])
    return {name: _read(part) for name, part in value.items()}
