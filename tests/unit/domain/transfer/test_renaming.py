"""Rows get the ids that another palace would have given them."""

from __future__ import annotations

from graphpalace.domain.identity import stable_id, text_hash
from graphpalace.domain.transfer.kinds import EDGES, NODES
from graphpalace.domain.transfer.renaming import Renaming


def test_with_the_same_name_rows_stay_as_they_are() -> None:
    row = {"id": stable_id("wing", "main", "garden"), "name": "garden", "pheromone_cycle": 5, "warm_in": "main"}
    assert Renaming("main", "main").node(NODES["wings"], row) == row


def test_cycles_are_shifted_and_vectors_left_out() -> None:
    renaming = Renaming("main", "main", shift_cycles=-3, vectors=False)
    assert renaming.node(NODES["rooms"], {"id": "r", "pheromone_cycle": 5, "centroid": "AA=="}) == {
        "id": "r", "pheromone_cycle": 2,
    }  # fmt: skip
    assert renaming.edge(EDGES["has_room"], {"from": "a", "to": "b", "properties": {"pheromone_cycle": 1}}) == {
        "from": "a", "to": "b", "properties": {"pheromone_cycle": -2},
    }  # fmt: skip


def test_ids_are_those_of_the_other_palace_also_in_lists_and_texts() -> None:
    def ids(palace: str) -> dict[str, str]:
        wing = stable_id("wing", palace, "garden")
        closet = stable_id("closet", palace, "garden", "notes:roses")
        return {
            "wing": wing,
            "closet": closet,
            "drawer": stable_id("drawer", palace, closet, text_hash("roses"), "1"),
            "turn": stable_id("drawer", palace, stable_id("turn", palace, "unknown"), text_hash("said"), "0"),
        }

    old, new = ids("main"), ids("copy")
    renaming = Renaming("main", "copy")
    renaming.learn(EDGES["has_drawer"], {"from": old["closet"], "to": old["drawer"]})
    drawer = {"id": old["drawer"], "wing_id": old["wing"], "text": "roses", "warm_in": "main"}
    renaming.learn(NODES["wings"], {"id": old["wing"], "name": "garden"})
    renaming.learn(NODES["closets"], {"id": old["closet"], "wing_id": old["wing"], "source_uri": "notes:roses"})
    renaming.learn(NODES["drawers"], drawer)
    assert renaming.node(NODES["drawers"], drawer) == {
        "id": new["drawer"], "wing_id": new["wing"], "text": "roses", "warm_in": "copy",
    }  # fmt: skip
    deposit = {"id": "deposit-00000000", "edges": [f"HAS_DRAWER {old['closet']} {old['drawer']}"]}
    changed = renaming.node(NODES["deposits"], deposit)
    assert changed["edges"] == [f"HAS_DRAWER {new['closet']} {new['drawer']}"]
    assert changed["id"] != "deposit-00000000"
    assert renaming.node(NODES["deposits"], deposit) == changed
    quoted = {"id": "entry-0", "text": f"see {old['drawer']}"}
    assert renaming.node(NODES["diary_entries"], quoted)["text"] == quoted["text"]  # word for word


def test_an_id_of_which_nothing_is_known_follows_from_the_old_one() -> None:
    renaming = Renaming("main", "copy")
    changed = renaming.node(NODES["drawers"], {"id": "drawer-" + "0" * 26, "text": "edited"})
    assert changed["id"].startswith("drawer-")
    assert len(changed["id"]) == len("drawer-") + 26
    assert changed["id"] != "drawer-" + "0" * 26
    assert changed == Renaming("main", "copy").node(NODES["drawers"], {"id": "drawer-" + "0" * 26, "text": "edited"})


def test_a_drawer_of_a_source_that_was_moved_follows_from_the_new_id_of_its_closet() -> None:
    """Otherwise the next ingest would not find it."""
    wing, closet = stable_id("wing", "main", "garden"), stable_id("closet", "main", "garden", "file:///old.md")
    drawer = stable_id("drawer", "main", closet, text_hash("roses"), "0")
    renaming = Renaming("main", "copy")
    renaming.learn(EDGES["has_drawer"], {"from": closet, "to": drawer})
    renaming.learn(NODES["wings"], {"id": wing, "name": "garden"})
    moved = {"id": closet, "wing_id": wing, "source_uri": "file:///new.md"}
    renaming.learn(NODES["closets"], moved)
    renaming.learn(NODES["drawers"], {"id": drawer, "wing_id": wing, "text": "roses"})
    new = renaming.node(NODES["closets"], moved)["id"]
    found = renaming.node(NODES["drawers"], {"id": drawer, "wing_id": wing, "text": "roses"})
    assert found["id"] == stable_id("drawer", "copy", new, text_hash("roses"), "0")


def test_the_closet_of_a_new_source_at_a_place_that_another_source_left_is_derived_too() -> None:
    wing, place = stable_id("wing", "main", "garden"), ("garden", "file:///old.md", "1")
    renaming = Renaming("main", "copy")
    renaming.learn(NODES["wings"], {"id": wing, "name": "garden"})
    row = {"id": stable_id("closet", "main", *place), "wing_id": wing, "source_uri": "file:///old.md"}
    renaming.learn(NODES["closets"], row)
    assert renaming.node(NODES["closets"], row)["id"] == stable_id("closet", "copy", *place)
