"""What an ingest makes of code, of lists of links, and of passages without letters."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pytest

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.domain.search.answer import Answer
from graphpalace.domain.search.request import SearchRequest

SOURCE = Path(argparse.__file__).read_text()
SHARES = "Bees visit thousands of flowers and carry pollen from one to the next."


async def ask(app: GraphPalace, palace: str, query: str, **how: Any) -> Answer:
    return await app.recall.search(palace, SearchRequest(query, **how))


async def stored(app: GraphPalace, palace: str) -> dict[str, str]:
    drawers, _ = await app.drawers.page(palace, limit=200)
    return {drawer.text: drawer.id for drawer in drawers}


async def test_code_says_where_it_is_and_is_found_by_the_names_that_it_defines(app: GraphPalace, palace: str) -> None:
    await app.ingesting.files([Path(argparse.__file__)], palace=palace, wing="lib")
    answer = await ask(app, palace, "parse command line arguments into a namespace", top_k=3)
    names = [hit.path[-1].name for hit in answer.hits]
    assert "argparse.ArgumentParser.parse_args" in names
    # Its long methods are cut, and every piece of them is found by the name of its method.
    found = await ask(app, palace, "format usage", lanes=("fulltext",), top_k=6)
    pieces = [hit for hit in found.hits if hit.path[-1].name == "argparse.HelpFormatter._format_usage"]
    assert any("def _format_usage" not in hit.text for hit in pieces)
    drawer = await app.drawers.read(palace, answer.hits[names.index("argparse.ArgumentParser.parse_args")].id)
    assert drawer.name == "argparse.ArgumentParser.parse_args"
    assert drawer.text in SOURCE  # nothing is put before the stored text
    renamed = await app.drawers.update(palace, drawer.id, DrawerUpdate(title="the parser of options"))
    assert renamed.name == drawer.name
    words = await ask(app, palace, "ArgumentParser parse_args", lanes=("fulltext",), top_k=3)
    assert drawer.id in [hit.id for hit in words.hits]


async def test_a_passage_without_letters_is_stored_and_no_search_shows_it(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    (tmp_path / "numbers.txt").write_text("1 2 3\n" * 300)
    (tmp_path / "bees.txt").write_text(SHARES)
    await app.ingesting.files([tmp_path], palace=palace, wing="w", rooms="folders")
    drawers = await stored(app, palace)
    assert len(drawers) > 2
    assert {wing.drawers for wing in await app.drawers.wings(palace)} == {len(drawers)}
    for how in ({}, {"lanes": ("semantic",)}, {"lanes": ("fulltext",)}, {"wing": "w"}, {"fusion": "rrf"}):
        for query in ("1 2 3", "bees flowers", "numbers"):
            answer = await ask(app, palace, query, top_k=50, **how)
            assert {hit.text for hit in answer.hits} <= {SHARES}, (how, query)
    # By hand, somebody may store a number alone, and it is found.
    phone = await app.drawers.add(palace, NewDrawer("0170 1234567", "w"))
    assert phone.drawer.id in [hit.id for hit in (await ask(app, palace, "1234567")).hits]
    # A change gives it words.
    other = next(drawer for text, drawer in drawers.items() if text.startswith("1 2 3"))
    await app.drawers.update(palace, other, DrawerUpdate(text="the herons nest"))
    for lane in ("semantic", "fulltext"):
        assert other in [hit.id for hit in (await ask(app, palace, "herons nest", lanes=(lane,))).hits], lane


async def test_a_list_of_links_is_ranked_lower_by_an_amount_that_it_shows(app: GraphPalace, palace: str) -> None:
    links = "- [Bees visit flowers](a.md)\n- [Bees carry pollen](b.md)"
    text = "Bees visit flowers. Bees carry pollen."
    for one, room in ((links, "a"), (text, "b")):
        await app.drawers.add(palace, NewDrawer(one, "w", room))
    answer = await ask(app, palace, "bees visit flowers")
    assert [hit.text for hit in answer.hits] == [text, links]
    plain, pointing = answer.hits
    assert plain.pointing is None
    assert pointing.pointing is not None
    assert (pointing.pointing.share, pointing.pointing.change) == (1.0, pytest.approx(-0.1))
    without = {hit.id: hit.score for hit in (await ask(app, palace, "bees", without=frozenset({"pointers"}))).hits}
    for hit in (await ask(app, palace, "bees")).hits:
        assert hit.score == pytest.approx(without[hit.id] + (hit.pointing.change if hit.pointing else 0.0))
    assert all(hit.pointing is None for hit in (await ask(app, palace, "bees", fusion="rrf")).hits)
    # The list becomes a text, and the other way round.
    await app.drawers.update(palace, pointing.id, DrawerUpdate(text="Bees sleep in winter."))
    await app.drawers.update(palace, plain.id, DrawerUpdate(text=links))
    shares = {hit.id: hit.pointing is not None for hit in (await ask(app, palace, "bees")).hits}
    assert shares == {pointing.id: False, plain.id: True}


async def test_what_is_below_the_lists_comes_up(app: GraphPalace, palace: str) -> None:
    for number in range(45):
        await app.drawers.add(palace, NewDrawer(f"[Bees flowers {number}](a.md)", "w", f"r{number}"))
    await app.drawers.add(palace, NewDrawer("bees like some flowers more than others", "w"))
    best = (await ask(app, palace, "bees flowers", top_k=1)).hits[0]
    without = (await ask(app, palace, "bees flowers", top_k=1, without=frozenset({"pointers"}))).hits[0]
    assert without.text.startswith("[")
    assert best.score >= without.score - 0.1
    everything = await ask(app, palace, "bees flowers", top_k=46)
    assert best.id == everything.hits[0].id


async def test_drawers_of_earlier_versions_are_neither_moved_nor_named(app: GraphPalace, palace: str) -> None:
    drawer = (await app.drawers.add(palace, NewDrawer("[Bees](a.md)", "w"))).drawer
    await app.database.write(palace, "tests/forget_pointer_share", drawer=drawer.id)
    app.forget(palace)
    (hit,) = (await ask(app, palace, "bees")).hits
    assert hit.pointing is None
    assert hit.path[-1].name == "#0"
