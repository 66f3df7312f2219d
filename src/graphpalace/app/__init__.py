"""The only place where objects are created and connected. Each module connects the part that it is named for."""

from graphpalace.app.database import (
    Compacted,
    compact,
    make_palace,
    managed_server,
    migrate_database,
    open_database,
    pending_migrations,
    reached,
    renew_palaces,
    repair_indexes,
)
from graphpalace.app.graph_palace import GraphPalace
from graphpalace.app.models import make_embedder
from graphpalace.app.operations import make_decay, make_hot_paths, opened, wire

__all__ = [
    "Compacted",
    "GraphPalace",
    "compact",
    "make_decay",
    "make_embedder",
    "make_hot_paths",
    "make_palace",
    "managed_server",
    "migrate_database",
    "open_database",
    "opened",
    "pending_migrations",
    "reached",
    "renew_palaces",
    "repair_indexes",
    "wire",
]
