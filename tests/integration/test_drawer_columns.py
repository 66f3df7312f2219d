"""What is read of drawers belongs together, though others delete some of them meanwhile."""

from __future__ import annotations

import pytest
from tests.words import WordEmbedder

from graphpalace.app import GraphPalace
from graphpalace.domain.vectors import to_bytes
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.store.search.drawer_columns import DrawerColumns, DrawerVectorStore


@pytest.mark.parametrize("gone", ["embedding", "wing_id", "room_id"])
async def test_a_drawer_that_goes_while_it_is_read_is_left_out_and_the_others_keep_what_is_theirs(
    app: GraphPalace, palace: str, gone: str
) -> None:
    texts = ("the owl hunts", "the mole digs", "the moth flies")
    ids = [(await app.drawers.add(palace, NewDrawer(text=text, wing="wood"))).drawer.id for text in texts]
    # A property of a node that was deleted after it was found is null.
    await app.database.run_statement(f"MATCH (d:Drawer {{id: '{ids[0]}'}}) REMOVE d.{gone}")
    store = DrawerVectorStore(app.database)
    vectors = [to_bytes(vector[None]) for vector in WordEmbedder().embed(texts)]
    some = await store.load_some(palace, ids)
    (every,) = [part async for part in store.load(palace)]
    for read in (some, every):
        assert dict(zip(read.ids, read.embeddings, strict=True)) == dict(zip(ids[1:], vectors[1:], strict=True))
        columns = [getattr(read, name) for name in DrawerColumns.__slots__ if name != "model"]
        assert [len(column) for column in columns] == [2] * len(columns)
