"""Find wings, rooms and nodes by their names, and the names of nodes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from graphpalace.domain.access.caller import Role, current_caller
from graphpalace.domain.drawers.names import drawer_name, one_line
from graphpalace.domain.walking.graph_snapshot import PALACE, GraphSnapshot, node_refs
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.rooms import RoomStore
from graphpalace.store.palaces.palace_map import NodeNameStore
from graphpalace.store.palaces.palaces import PalaceStore


async def find_node(database: Database, snapshot: GraphSnapshot, palace: str, name: str, *, field: str) -> int:
    """Return the index of a node by its name: an id, a wing, WING/ROOM, a room whose name is unique, or the palace.

    Args:
        field: Name of the field to mention in errors.

    Raises:
        NotFound: If nothing has this name.
        InvalidInput: If several places have this name; the message lists them.
    """
    if (at := snapshot.index_of.get(name)) is not None:
        return at
    found = await NodeNameStore(database).find_places(palace, name)
    meant = [place for place in found if place.exact] or found
    if not meant and name == palace and len(itself := np.flatnonzero(snapshot.nodes.kind == PALACE)):
        return int(itself[0])
    if len(meant) > 1:
        listed = ", ".join(repr(place.name) for place in meant)
        raise InvalidInput(f"{field} is {name!r}, which may be {listed}: name one of them", field=field, value=name)
    if not meant or (at := snapshot.index_of.get(meant[0].id)) is None:
        raise NotFound(
            f"{field} is {name!r}, which is not in palace {palace!r}; give a wing, WING/ROOM, or the id of any node",
            field=field,
            value=name,
        )
    return at


async def names_of(database: Database, snapshot: GraphSnapshot, nodes: Iterable[int]) -> dict[int, str]:
    """Return readable names of nodes, by index."""
    named = await _read(database, snapshot, nodes)
    return {node: drawer_name(text) if kind == "Drawer" else text for node, (kind, text) in named.items()}


async def first_words_of(database: Database, snapshot: GraphSnapshot, drawers: Iterable[int]) -> dict[int, str]:
    """Return the beginning of the texts of drawers as one line, by index."""
    return {node: one_line(text) for node, (_, text) in (await _read(database, snapshot, drawers)).items()}


async def _read(database: Database, snapshot: GraphSnapshot, nodes: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Return the kind of nodes, and their name or the beginning of their text, by index."""
    chosen = list(nodes)
    refs = dict(zip(chosen, node_refs(snapshot, chosen), strict=True))
    named = await NodeNameStore(database).names(list(refs.values()))
    return {node: (ref.kind, named.get(ref.id) or "") for node, ref in refs.items()}


async def find_place(
    database: Database, palace: str, *, wing: str | None, room: str | None
) -> tuple[str | None, list[str]]:
    """Return the id of a wing, and the ids of the rooms with a name, in this wing or in all wings.

    Raises:
        NotFound: If a wing or room of the name does not exist; the message lists the existing ones.
    """
    place = await RoomStore(database).named(palace, wing=wing, room=room)
    if (wing is not None and place.wing_id is None) or (room is not None and not place.room_ids):
        await PalaceStore(database).get(palace)
    if wing is not None and place.wing_id is None:
        seen = [name for name in place.wings if current_caller().may_in(Role.READ, palace, name)]
        raise NotFound(f"wing {wing!r} is not in palace {palace!r}; it has {_listed(seen)}", wing=wing)
    if room is not None and not place.room_ids:
        where = f"wing {wing!r}" if wing is not None else f"palace {palace!r}"
        raise NotFound(f"room {room!r} is not in {where}; it has {_listed(place.rooms)}", room=room)
    return place.wing_id, place.room_ids


def _listed(names: list[str]) -> str:
    return ", ".join(repr(name) for name in names) or "none yet"
