"""The map of the house is what the script draws, and the worked example of an operation is followed."""

from __future__ import annotations

import re

import pytest
from scripts import map_house

_ROW = re.compile(r"^\| [^|]*\| `([^`|]+)`[^|]*\| `([^`|]+)` \|$", re.MULTILINE)
ROWS = _ROW.findall((map_house.ROOT / "CONTRIBUTING.md").read_text("utf-8"))


def test_the_map_is_what_the_script_writes() -> None:
    assert map_house.PAGE.read_text("utf-8") == map_house.page()
    assert map_house.PICTURE.read_text("utf-8") == map_house.picture()


def test_every_room_says_what_it_is_for() -> None:
    assert [room for room, line in map_house.rooms() if not line] == []


def test_every_floor_is_in_the_picture() -> None:
    names = [room.replace(".", "/") for floor in map_house.floors() for room in floor]
    assert re.findall(r"<text [^>]*>([^<]+)</text>", map_house.picture()) == names


@pytest.mark.parametrize(("file", "name"), ROWS)
def test_each_part_of_an_operation_is_where_the_example_says(file: str, name: str) -> None:
    assert name in (map_house.ROOT / file).read_text("utf-8")


def test_the_example_has_a_part_in_each_layer() -> None:
    assert len(ROWS) == 18
    layers = {"/".join(file.split("/")[2:4]) for file, _ in ROWS if file.startswith("src/")}
    assert {layer.split("/")[0] for layer in layers} == {
        *("store", "domain", "operations", "app"),
        *("offers", "serve", "client"),
    }
    assert {"serve/http", "serve/cli"} <= layers
