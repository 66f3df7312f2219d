"""A retriever for LangChain: `pip install graphpalace[langchain]`."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field

from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.client.synchronous.palace import Palace
from graphpalace.domain.search.answer import Answer
from graphpalace.retrievers.options import metadata_of, synchronous


class GraphPalaceRetriever(BaseRetriever):
    """Finds drawers of a palace as documents, best first.

    Example:
        >>> retriever = GraphPalaceRetriever(palace=Palace.connect(), search={"wing": "home", "top_k": 4})
        >>> documents = retriever.invoke("how do I get in?")
        >>> palace.useful(documents[0].metadata["run"], documents[0].id)

    Attributes:
        palace: A `Palace`, or an `AsyncPalace` for `ainvoke` only.
        search: More arguments of `Palace.search`, for example `wing`, `since`, `top_k` or `rerank`.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    palace: Palace | AsyncPalace
    search: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:  # noqa: ARG002 - langchain's signature
        return _documents(synchronous(self.palace).search(query, **self.search))

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,  # noqa: ARG002 - langchain's signature
    ) -> list[Document]:
        if isinstance(self.palace, AsyncPalace):
            return _documents(await self.palace.search(query, **self.search))
        return _documents(await asyncio.to_thread(self.palace.search, query, **self.search))


def _documents(answer: Answer) -> list[Document]:
    return [Document(id=hit.id, page_content=hit.text, metadata=metadata_of(answer, hit)) for hit in answer.hits]
