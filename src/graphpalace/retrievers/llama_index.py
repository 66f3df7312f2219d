"""A retriever for LlamaIndex: `pip install graphpalace[llama-index]`."""

from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.domain.search.answer import Answer
from graphpalace.retrievers.options import AnyPalace, metadata_of, synchronous


class GraphPalaceRetriever(BaseRetriever):
    """Finds drawers of a palace as nodes with a score, best first.

    Example:
        >>> retriever = GraphPalaceRetriever(Palace.connect(), wing="home", top_k=4)
        >>> nodes = retriever.retrieve("how do I get in?")
        >>> palace.useful(nodes[0].metadata["run"], nodes[0].node_id)
    """

    def __init__(self, palace: AnyPalace, **search: Any) -> None:
        """Use a palace.

        Args:
            palace: A `Palace`, or an `AsyncPalace` for `aretrieve` only.
            search: More arguments of `Palace.search`, for example `wing`, `since`, `top_k` or `rerank`.
        """
        super().__init__()
        self._palace = palace
        self._search = search

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _nodes(synchronous(self._palace).search(query_bundle.query_str, **self._search))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        query = query_bundle.query_str
        if isinstance(self._palace, AsyncPalace):
            return _nodes(await self._palace.search(query, **self._search))
        return _nodes(await asyncio.to_thread(self._palace.search, query, **self._search))


def _nodes(answer: Answer) -> list[NodeWithScore]:
    return [
        NodeWithScore(node=TextNode(id_=hit.id, text=hit.text, metadata=metadata_of(answer, hit)), score=hit.score)
        for hit in answer.hits
    ]
