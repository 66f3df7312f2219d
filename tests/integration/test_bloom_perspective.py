"""The perspective for Bloom that `graphpalace browser` writes: its styles are Browser's, and its phrases run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from neo4j.graph import Path as GraphPath
from tests.pasted_queries import run_pasted
from tests.walks import furnish, way_to

from graphpalace.app import GraphPalace
from graphpalace.app.browser_files import PERSPECTIVE, write_browser_files
from graphpalace.domain.knowledge.fact_requests import NewFact
from graphpalace.domain.walking.graph_snapshot import KINDS, RELATIONS
from graphpalace.store.connection.queries import resource_dir

FOLDER = resource_dir("cypher") / "browser"
PHRASES = {
    "Drawers about $name": {"name": "yeast"},
    "Drawers of wing $wing": {"wing": "garden"},
    "Facts about $name": {"name": "Ann"},
    "Hot paths": {},
    "Map of the palace": {},
}


@pytest.fixture
def perspective(tmp_path: Path) -> dict[str, Any]:
    written = write_browser_files(tmp_path, "main")
    assert written[-1].name == PERSPECTIVE
    return json.loads(written[-1].read_text("utf-8"))


def test_categories_and_relationship_types_look_as_in_browser(perspective: dict[str, Any]) -> None:
    style = (FOLDER / "graphpalace.grass").read_text("utf-8")
    assert {category["name"] for category in perspective["categories"]} == set(KINDS) == perspective["labels"].keys()
    for category in perspective["categories"]:
        rule = re.search(rf"^node.{category['name']} \{{\n(.*?)^\}}$", style, re.MULTILINE | re.DOTALL)
        assert rule
        assert f"color: {category['color']};" in rule[1]
        assert f"caption: '{{{category['captionKeys'][0]}}}';" in rule[1]
        shown = {one["name"] for one in category["properties"]}
        assert set(category["captionKeys"]) <= shown
        assert not any("embedding" in name and name != "embedding_model" for name in shown)
    types = {one["name"]: one for one in perspective["relationshipTypes"]}
    assert types.keys() == set(RELATIONS)
    assert (types["TUNNEL"]["color"], types["RELATES_TO"]["captionKeys"]) == ("#7A5C99", ["predicate"])
    assert types["HAS_ROOM"]["color"] == "#B9B4A8"  # that of all relationships
    assert len(perspective["metadata"]["pathSegments"]) == len(RELATIONS)


def test_the_same_palace_gives_the_same_file_and_another_palace_asks_for_itself(tmp_path: Path) -> None:
    palaces = {"first": "one", "again": "one", "other": "two"}
    files = [write_browser_files(tmp_path / folder, palace)[-1] for folder, palace in palaces.items()]
    first, again, other = (file.read_text("utf-8") for file in files)
    assert first == again != other
    assert "'one'" in first
    assert "'two'" in other
    assert "'one'" not in other


def test_a_phrase_names_its_parameters_and_where_bloom_finds_values(perspective: dict[str, Any]) -> None:
    phrases = {phrase["text"]: phrase for phrase in perspective["templates"]}
    assert phrases.keys() == PHRASES.keys()
    for text, phrase in phrases.items():
        named = re.findall(r"\$\w+", text)
        assert [one["name"] for one in phrase["params"]] == named
        assert set(re.findall(r"\$\w+", phrase["cypher"])) == set(named)
        for one in phrase["params"]:
            assert {"propertyKey": one["suggestionProp"], "type": one["suggestionLabel"], "dataType": "string"} in (
                perspective["labels"][one["suggestionLabel"]]
            )
    favourite = (FOLDER / "hot_paths.cypher").read_text("utf-8")
    assert phrases["Hot paths"]["cypher"].partition("WITH e ORDER")[0] in favourite


@pytest.mark.parametrize("text", PHRASES)
async def test_a_phrase_finds_by_indexes_and_returns_paths(
    app: GraphPalace, palace: str, perspective: dict[str, Any], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    drawers = await furnish(app, palace)
    bread, shears = drawers["knead the dough for ten minutes"], drawers["oil the shears in autumn"]
    way = way_to(await app.replica.snapshots.get(palace), bread)
    await app.pheromones.deposits.path_success(palace, way, deposit_id="once")
    await app.knowledge.facts.add(palace, NewFact("Ann", "bakes", "rye", drawers=[bread]))
    await app.database.write(palace, "tests/make_entities", drawers=[bread, shears])
    (cypher,) = [phrase["cypher"] for phrase in perspective["templates"] if phrase["text"] == text]
    rows, plan = await run_pasted(app, monkeypatch, palace, cypher, **PHRASES[text])
    assert rows
    assert {type(value) for row in rows for value in row.values() if value is not None} == {GraphPath}
    assert not re.search(r"AllNodesScan|NodeByLabelScan|RelationshipTypeScan", plan), plan
