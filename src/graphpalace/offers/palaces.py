"""Palaces of a database, the wings and rooms of a palace, and its shape."""

from __future__ import annotations

from graphpalace.domain.access.caller import Role
from graphpalace.domain.drawers.drawer import Deleted
from graphpalace.domain.palaces.palace_shape import PalaceStats, ShapeQuery, Taxonomy, Tunnel, TunnelQuery
from graphpalace.domain.palaces.palaces import (
    Created,
    DatabaseQuery,
    DatabaseStatus,
    NewPalace,
    Palace,
    PalaceQuery,
    PalaceToDrop,
)
from graphpalace.domain.palaces.places import (
    NewRoom,
    NewWing,
    Room,
    RoomQuery,
    RoomToDelete,
    Wing,
    WingQuery,
    WingToDelete,
)
from graphpalace.domain.palaces.settings_in_force import SettingsInForce, SettingsQuery
from graphpalace.errors import DatabaseUnavailable, InvalidInput, NotFound
from graphpalace.offers.offer import Group, Offer, Tool

LIST_WINGS = Offer(
    "wings",
    "GET /v1/wings",
    WingQuery,
    list[Wing],
    "List the wings with the number of their rooms, closets and drawers.",
    raises={NotFound: "the palace does not exist"},
    tool=Tool("list_wings", "List the wings with their types and sizes.", ("admin",), shown=100),
)
ADD_WING = Offer(
    "add_wing",
    "POST /v1/wings",
    NewWing,
    Created,
    "Create an empty wing, and tell whether it is new or existed already.",
    gives="created",
    raises={
        InvalidInput: "the name or the type is not valid",
        NotFound: "the palace does not exist",
    },
    positional=("name",),
)
DROP_WING = Offer(
    "drop_wing",
    "DELETE /v1/wings/{wing:path}",
    WingToDelete,
    Deleted,
    "Delete a wing and everything in it, and tell how many drawers it had.",
    gives="deleted",
    raises={NotFound: "the palace or the wing does not exist"},
    positional=("name",),
    called={"name": "wing"},
)
LIST_ROOMS = Offer(
    "rooms",
    "GET /v1/rooms",
    RoomQuery,
    list[Room],
    "List the rooms with their counts, halls and tunnels.",
    raises={NotFound: "the palace or the wing does not exist"},
    tool=Tool(
        "list_rooms",
        "List the rooms of a wing or of the palace, with their sizes and the rooms they are connected to.",
        ("admin",),
        shown=100,
    ),
)
ADD_ROOM = Offer(
    "add_room",
    "POST /v1/rooms",
    NewRoom,
    Created,
    "Create an empty room, and tell whether it is new or existed already.",
    gives="created",
    raises={
        InvalidInput: "a name or the type is not valid",
        NotFound: "the palace does not exist",
    },
    positional=("wing", "name"),
)
DROP_ROOM = Offer(
    "drop_room",
    "DELETE /v1/rooms/{room:path}",
    RoomToDelete,
    Deleted,
    "Delete a room and everything in it, and tell how many drawers it had.",
    gives="deleted",
    raises={NotFound: "the palace, the wing or the room does not exist"},
    positional=("wing", "name"),
    called={"name": "room"},
)
PLACES = Group(
    "Places",
    "The part of a palace that knows its places.",
    (LIST_WINGS, ADD_WING, DROP_WING, LIST_ROOMS, ADD_ROOM, DROP_ROOM),
)

TAXONOMY = Offer(
    "taxonomy",
    "GET /v1/taxonomy",
    ShapeQuery,
    Taxonomy,
    "List all wings with their rooms and counts.",
    raises={NotFound: "the palace does not exist"},
)
LIST_TUNNELS = Offer(
    "tunnels",
    "GET /v1/tunnels",
    TunnelQuery,
    list[Tunnel],
    "List the rooms of different wings that have the same name or are near in meaning, the most similar first.",
    role=Role.READ,
    more="A palace finds its tunnels a few seconds after the last write; `stats` tells whether it has.",
    raises={NotFound: "the palace or a wing does not exist"},
    tool=Tool(
        "find_tunnels",
        "List rooms of different wings that are about the same topic: what two projects or people have in common.",
        ("stigmergy",),
        shown=20,
        most_shown=200,
    ),
)
STATS = Offer(
    "stats",
    "GET /v1/stats",
    ShapeQuery,
    PalaceStats,
    "Count the nodes by label and the relationships by type, and show which model the vectors are of.",
    role=Role.READ,
    raises={NotFound: "the palace does not exist"},
    tool=Tool(
        "graph_stats",
        "Count the nodes and relationships of each kind in the graph, and show which model its vectors are of.",
        ("admin",),
    ),
)
SHAPE = Group("Shape", "The part of a palace that shows its shape.", (TAXONOMY, LIST_TUNNELS, STATS))

LIST_PALACES = Offer(
    "palaces.list",
    "GET /v1/palaces",
    PalaceQuery,
    list[Palace],
    "List the palaces of the database with the number of their wings, rooms, closets and drawers.",
    of_palace=False,
)
CREATE_PALACE = Offer(
    "palaces.create",
    "POST /v1/palaces",
    NewPalace,
    Created,
    "Create a palace for the configured embedding model, and tell whether it is new or existed already.",
    of_palace=False,
    gives="created",
    raises={InvalidInput: "the name is not valid"},
    positional=("name",),
)
STATUS = Offer(
    "palaces.status",
    "GET /v1/status",
    DatabaseQuery,
    DatabaseStatus,
    "Show whether Neo4j answers, its version, its schema and the palaces.",
    of_palace=False,
    raises={DatabaseUnavailable: "the service does not reach the database"},
)
SETTINGS = Offer(
    "palaces.settings",
    "GET /v1/settings",
    SettingsQuery,
    SettingsInForce,
    "Show the settings with which the service works, without its secrets, and where each value came from.",
    of_palace=False,
)
LISTED_PALACES = Group(
    "ListedPalaces",
    "The palaces of a database, to list and to create, and what is known of it and of the service.",
    (LIST_PALACES, CREATE_PALACE, STATUS, SETTINGS),
)
DROP_PALACE = Offer(
    "palaces.drop",
    "DELETE /v1/palaces/{palace}",
    PalaceToDrop,
    Deleted,
    "Delete a palace and everything in it.",
    of_palace=False,
    raises={
        InvalidInput: "the name is not repeated as a confirmation",
        NotFound: "the palace does not exist",
    },
    called={"name": "palace"},
)
