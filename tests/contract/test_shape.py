"""The shape of a palace behind every door."""

from __future__ import annotations

from typing import Any

import pytest

from graphpalace.app import GraphPalace
from graphpalace.errors import NotFound
from graphpalace.operations.drawers.settle import settle


async def test_the_shape_of_a_palace_is_its_taxonomy_its_tunnels_and_its_counts(
    door: Any, app: GraphPalace, palace: str
) -> None:
    for wing, room, text in (
        ("home", "keys", "the spare key hangs in the hall"),
        ("home", "tools", "a hammer and nails"),
        ("office", "doors", "the spare key hangs in the hall"),
        ("club", "doors", "ships sail the sea"),
    ):
        await door.add(text, wing=wing, room=room)
    before = await door.stats()
    assert (before.settled, before.edges["TUNNEL"], await door.tunnels()) == (False, 0, [])
    await settle(app.database, app.replica.indexes, palace=palace)

    taxonomy = await door.taxonomy()
    assert (taxonomy.palace, taxonomy.drawers) == (palace, 4)
    assert [(wing.name, wing.drawers, [room.name for room in wing.rooms]) for wing in taxonomy.wings] == [
        ("club", 1, ["doors"]),
        ("home", 2, ["keys", "tools"]),
        ("office", 1, ["doors"]),
    ]

    near, named = await door.tunnels()  # the same text, and rooms of the same name
    assert {near.wing, near.other_wing} == {"home", "office"}
    assert near.similarity == pytest.approx(1)
    assert (named.room, named.other_room) == ("doors", "doors")
    assert named.similarity < 0.7
    (seen,) = await door.tunnels(wing="office", other="club")
    assert (seen.wing, seen.other_wing, seen.similarity) == ("office", "club", named.similarity)
    (seen,) = await door.tunnels(wing="club")
    assert (seen.wing, seen.other_wing) == ("club", "office")
    (seen,) = await door.tunnels(other="home")
    assert (seen.wing, seen.other_wing, seen.other_room) == ("office", "home", "keys")
    assert await door.tunnels(wing="club", other="home") == []

    stats = await door.stats()
    assert (stats.palace, stats.model, stats.dimension, stats.settled) == (
        palace,
        app.embedder.name,
        app.embedder.dimension,
        True,
    )
    assert {"Wing": 3, "Room": 4, "Closet": 4, "Drawer": 4}.items() <= stats.nodes.items()
    assert {"CONTAINS": 3, "HAS_ROOM": 4, "HAS_CLOSET": 4, "HAS_DRAWER": 4, "TUNNEL": 2}.items() <= stats.edges.items()
    assert stats.edges["HALL"] == 1
    assert stats.revision == before.revision
    with pytest.raises(NotFound, match="nowhere"):
        await door.tunnels(wing="home", other="nowhere")


async def test_a_room_of_which_a_text_was_forgotten_has_its_tunnels_again_when_the_palace_is_settled(
    door: Any, app: GraphPalace, palace: str
) -> None:
    for wing, room, text in (
        ("home", "doors", "the spare key hangs in the hall"),
        ("home", "doors", "the code of the alarm is 1066"),
        ("office", "doors", "the spare key hangs in the hall"),
    ):
        await door.add(text, wing=wing, room=room)
    await settle(app.database, app.replica.indexes, palace=palace)
    assert len(await door.tunnels()) == 1
    await door.forget(pattern="alarm")
    assert len(await door.tunnels()) <= 1
    await settle(app.database, app.replica.indexes, palace=palace)
    (seen,) = await door.tunnels()
    assert seen.similarity == pytest.approx(1)
