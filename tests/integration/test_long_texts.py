"""A long text is found by what stands at its end, however it came in and whatever happened to it since."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphpalace.app import GraphPalace
from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.client.transports.local import AsgiTransport
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.domain.search.request import SearchRequest
from graphpalace.serve.http.app import local_api

END = "Finally the quince jelly is stirred until it sets. " * 24
LONG = "\n".join(f"Line {number} of the log says nothing at all." for number in range(900)) + f"\n{END}"
QUESTION = "when does the quince jelly set"
OTHERS = ["The quince tree stands behind the barn.", "A jelly mould is in the kitchen.", "The log is kept for a year."]


async def _semantic(app: GraphPalace, palace: str, question: str = QUESTION) -> list[tuple[str, float]]:
    answer = await app.recall.search(palace, SearchRequest(question, lanes=["semantic"], top_k=4))
    assert not answer.left_out
    return [(hit.text, hit.lanes["semantic"].score) for hit in answer.hits]


@pytest.fixture
async def long(app: GraphPalace, palace: str) -> str:
    """A palace with a long text among short ones; the id of its drawer."""
    added = await app.drawers.add_many(palace, [NewDrawer(text=text, wing="w") for text in (LONG, *OTHERS)])
    return added.ids[0]


async def test_it_is_found_by_its_end_and_by_its_beginning(app: GraphPalace, palace: str, long: str) -> None:
    found = await _semantic(app, palace)
    assert found[0][0] == LONG
    assert (await _semantic(app, palace, "Line 3 of the log says nothing"))[0][0] == LONG
    app.forget(palace)  # so that it is read from the database
    assert await _semantic(app, palace) == found
    whole = await app.recall.search(palace, SearchRequest(QUESTION, top_k=4))
    assert whole.hits[0].id == long
    assert whole.hits[0].lanes["semantic"].score == pytest.approx(found[0][1], abs=1e-5)


async def test_a_text_that_is_added_unless_it_is_known_is_found_by_its_end(app: GraphPalace, palace: str) -> None:
    await app.drawers.add_many(palace, [NewDrawer(text=text, wing="w") for text in OTHERS])
    await app.drawers.add(palace, NewDrawer(text=LONG, wing="w"), unless_similar=0.95)
    assert (await _semantic(app, palace))[0][0] == LONG


async def test_with_another_text_it_is_not_found_by_the_old_end(app: GraphPalace, palace: str, long: str) -> None:
    changed = LONG.replace("quince jelly", "plum stone")
    await app.drawers.update(palace, long, DrawerUpdate(text=changed))
    assert (await _semantic(app, palace))[0][0] in OTHERS
    assert (await _semantic(app, palace, "the plum stone is stirred until it sets"))[0][0] == changed
    await app.drawers.update(palace, long, DrawerUpdate(text="Nothing is left."))
    assert (await _semantic(app, palace, "the plum stone is stirred"))[0][0] != "Nothing is left."


@pytest.mark.parametrize("vectors", [True, False])
async def test_a_copy_finds_it_as_well(app: GraphPalace, palace: str, long: str, tmp_path: Path, vectors: bool) -> None:
    before = await _semantic(app, palace)
    api = local_api(app.settings, _Opened(app))
    await AsyncPalace(AsgiTransport(api), palace).export(tmp_path / "out", vectors=vectors)
    await app.drop_palace(palace)
    await AsyncPalace(AsgiTransport(api), palace).import_(tmp_path / "out")
    assert await _semantic(app, palace) == [(text, pytest.approx(score, abs=1e-6)) for text, score in before]


class _Opened:
    def __init__(self, app: GraphPalace) -> None:
        self._app = app

    def operations(self) -> GraphPalace:
        return self._app
