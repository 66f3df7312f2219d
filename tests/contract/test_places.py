"""Wings, rooms, palaces, ways and pheromones behind every door."""

from __future__ import annotations

from typing import Any

import pytest

from graphpalace.app import opened
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.domain.palaces.palaces import Reembedded, ReembedProgress
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.settings.load import Settings
from tests.spare_palaces import spare_name
from tests.words import ShortEmbedder


async def test_places_are_made_listed_and_dropped(door: Any) -> None:
    assert await door.add_wing("home", wing_type="project") is True
    assert await door.add_wing("home") is False
    assert await door.add_room("home", "keys", hall_type="events") is True
    await door.add("The door code is 4711.", wing="home", room="keys")
    await door.add("Water the plants.", wing="home", room="a/b c")
    wing = (await door.wings())[0]
    assert (wing.name, wing.wing_type, wing.rooms, wing.drawers) == ("home", "project", 2, 2)
    assert {room.name: room.hall_type for room in await door.rooms(wing="home")} == {"keys": "events", "a/b c": "facts"}
    assert await door.drop_room("home", "a/b c") == 1
    assert [room.name for room in await door.rooms()] == ["keys"]
    assert await door.drop_wing("home") == 1
    assert await door.wings() == []
    with pytest.raises(NotFound, match="home"):
        await door.drop_wing("home")
    with pytest.raises(InvalidInput, match="name"):
        await door.add_wing("")
    with pytest.raises(InvalidInput, match="wing_type"):
        await door.add_wing("x", wing_type="planet")


async def test_palaces_are_made_listed_and_dropped(door: Any) -> None:
    name = spare_name()
    assert await door.palaces.create(name) is True
    assert await door.palaces.create(name) is False
    assert name in [palace.name for palace in await door.palaces.list()]
    assert await door.palaces.drop(name) > 0
    with pytest.raises(NotFound, match=name):
        await door.palaces.drop(name)
    with pytest.raises(InvalidInput, match="No"):
        await door.palaces.create("No")


async def test_the_settings_in_force_are_shown_without_secrets(door: Any, settings: Settings) -> None:
    found = {f"{one.section}.{one.key}": one for one in (await door.palaces.settings()).settings}
    assert found["search.rrf_k"].value == found["search.rrf_k"].default
    secret = found["neo4j.password"]
    assert (secret.value, secret.given) == (None, bool(settings.neo4j.password.get_secret_value()))


async def test_a_palace_changes_its_model(door: Any, settings: Settings, palace: str) -> None:
    async with opened(settings, embedder=ShortEmbedder(), any_model=True) as short:
        await short.reembed(palace)
        texts = ("Prune the roses.", "Feed the sourdough.", "Mend the fence.")
        await short.drawers.add_many(palace, [NewDrawer(text=text, wing="home") for text in texts])
    told: list[ReembedProgress] = []
    done = await door.palaces.reembed(palace, progress=told.append)
    assert done == Reembedded(palace, "short words", "words", 3)
    assert all(0 <= each.done <= each.total == 3 for each in told)
    assert (await door.search("sourdough", lanes=["semantic"])).hits[0].text == "Feed the sourdough."
    assert await door.palaces.reembed(palace) == Reembedded(palace, "words", "words", 0)
    with pytest.raises(NotFound, match="nowhere"):
        await door.palaces.reembed("nowhere")
    with pytest.raises(InvalidInput, match="No"):
        await door.palaces.reembed("No")


async def test_ways_and_pheromones_are_shown(door: Any) -> None:
    first = await door.add("Prune the roses in late winter.", wing="garden", room="roses")
    await door.add("Feed the sourdough starter.", wing="kitchen", room="bread")
    way = await door.navigate("garden", first.id, context="memory_recall")
    assert [leg.type for leg in way.legs] == ["HAS_ROOM", "HAS_CLOSET", "HAS_DRAWER"]
    with pytest.raises(NotFound, match="nowhere"):
        await door.navigate("garden", "nowhere")

    walk = await door.explore(query="roses", agents=4, steps=8, mix={"explorer": 2, "exploiter": 1}, seed=7)
    assert (walk.agents, walk.seed) == (4, 7)
    with pytest.raises(InvalidInput, match="agents"):
        await door.explore(agents=0)
    assert {wing.name for wing in (await door.map()).wings} == {"garden", "kitchen"}

    answer = await door.search("prune roses")
    await door.useful(answer.run, first.id)
    assert first.id in {row.node.id for row in (await door.hot_paths(kind="node", wing="garden")).nodes}
    assert {place.node.name for place in (await door.cold_spots(kind="room", wing="kitchen")).places} == {"bread"}
    assert (await door.pheromones()).cycle == (await door.decay_status()).cycle
    assert (await door.decay()).cycle == (await door.decay_status()).last_run.cycle
    assert len((await door.pheromone_history(limit=1)).samples) == 1
    with pytest.raises(InvalidInput, match="limit"):
        await door.hot_paths(limit=0)
    with pytest.raises(InvalidInput, match="kind"):
        await door.cold_spots(kind="star")
