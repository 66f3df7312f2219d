"""What to know now, behind every door."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from graphpalace.app import GraphPalace
from graphpalace.domain.quoting import quotation
from graphpalace.domain.wake_up import WakeUp
from graphpalace.errors import InvalidInput, NotFound


def part(told: WakeUp, name: str) -> list[str | None]:
    return [line.drawer for line in told.lines if line.part == name]


async def test_each_part_names_its_drawers_and_the_text_keeps_to_its_budget(door: Any, app: GraphPalace) -> None:
    nothing = await door.wake_up()
    assert (nothing.lines, nothing.left_out) == ([], 0)
    assert nothing.text.endswith("\nThere is nothing to tell yet.\n")

    ids: dict[str, str] = {}

    async def add(name: str, text: str, room: str = "general", **given: Any) -> None:
        ids[name] = (await door.add(text, wing="home", room=room, **given)).id

    await add("old", "the rope hangs in the shed", occurred_at=datetime(2020, 1, 1, tzinfo=UTC))
    await add("code", "the door code is 4711", importance=0.9)
    await add("key", "the spare key is under the stone")
    await add("todo", "paint the fence before winter", room="ToDo")
    await add("Anna was", "Anna lived in Rome", room="people", importance=0.8)
    await add("Anna", "Anna moved to Oslo", room="people")
    elsewhere = await door.add("ships sail the sea", wing="club", importance=1.0)
    await door.add_fact("Anna", "lives_in", "Rome", drawers=[ids["Anna was"]])
    await door.supersede_fact("Anna", "lives_in", "Oslo", drawers=[ids["Anna"]])
    found = await door.search("where is the spare key", wing="home")
    await door.feedback(found.run, useful=[ids["key"]])
    asked = await door.write_diary("night/shift", "who feeds the cat on Sunday", topic="Question")
    secret = await door.write_diary("night/shift", "the cat is fat", searchable=False)

    told = await door.wake_up("home", agent="night/shift")
    assert part(told, "facts") == [ids["Anna"]]
    assert part(told, "helped") == [ids["key"]]
    assert part(told, "important") == [ids["code"]]  # what was true of Anna is outdated
    assert part(told, "questions") == [ids["todo"], asked.drawer]
    assert part(told, "changed") == [ids["Anna"], ids["Anna"], ids["old"]]
    assert part(told, "diary") == [None]
    assert (told.lines[-1].id, told.lines[-1].text) == (secret.id, "the cat is fat")
    assert '- no longer: "Anna lives_in Rome"' in told.text
    assert '- 2020-01-01 "the rope hangs in the shed"' in told.text
    assert elsewhere.id not in told.text
    rows = told.text.splitlines()
    for line in told.lines:
        assert any(quotation(line.text) in row and row.endswith(f"[{line.drawer or line.id}]") for row in rows)
    assert told.bytes == len(told.text.encode()) <= told.budget_bytes == 2048
    assert (await door.wake_up("home", agent="night/shift")).text == told.text

    alone = await door.wake_up("home")
    assert part(alone, "diary") == []
    assert part(alone, "questions") == [ids["todo"]]  # nobody said whose diary
    other = await door.write_diary("day/shift", "who repairs the roof", topic="question")
    of_night = await door.wake_up(agent="night/shift")
    assert part(of_night, "diary") == [None]
    assert asked.drawer in part(of_night, "questions")
    assert other.drawer not in of_night.text
    for wing in ("home", "club"):
        assert {asked.drawer, other.drawer}.isdisjoint(line.id for line in (await door.wake_up(wing)).lines)
    assert other.drawer in (await door.wake_up("diaries")).text

    every = await door.wake_up()
    assert other.drawer in every.text
    assert elsewhere.id in every.text
    assert secret.id not in every.text  # nobody said whose diary
    assert (await door.wake_up("home", agent="stranger")).agent == "stranger"
    for budget in (256, 300, 500, 1000, 65_536):
        some = await door.wake_up("home", budget, agent="night/shift")
        assert some.bytes == len(some.text.encode()) <= budget
        assert some.lines
        assert (some.left_out == 0) == (budget >= 1000)

    for call, match in (
        (door.wake_up("home", 255), "budget_bytes"),
        (door.wake_up("home", 65_537), "budget_bytes"),
        (door.wake_up(" home"), "wing"),
        (door.wake_up("home", agent="two\nlines"), "agent"),
    ):
        with pytest.raises(InvalidInput, match=match):
            await call
    with pytest.raises(NotFound, match=r"nowhere.*'home'"):
        await door.wake_up("nowhere")
