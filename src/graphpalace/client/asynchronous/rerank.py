"""Putting documents or drawers into order."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from graphpalace.client import wire
from graphpalace.client.asynchronous.reranks import AsyncReranks

if TYPE_CHECKING:
    from graphpalace.domain.rerank import RerankAnswer
    from graphpalace.errors import GraphPalaceError


class AsyncReranking(AsyncReranks):
    """The part of a palace that puts documents into order."""

    async def rerank_many(
        self, requests: Sequence[Mapping[str, Any]]
    ) -> builtins.list[RerankAnswer | GraphPalaceError]:
        """Answer several reranks, one after the other. A refused one has its error in place of its answer.

        Args:
            requests: The arguments of `rerank`, by name; a request may name another `palace`.
        Raises:
            GraphPalaceError: With the code BAD_REQUEST, if there are more requests than the settings allow.
        """
        from graphpalace.domain.rerank import RerankAnswer

        named = {} if self._link.palace is None else {"palace": self._link.palace}
        asked = [named | {name: one for name, one in request.items() if one is not None} for request in requests]
        answers = await self._link.send_plain(builtins.list[dict[str, Any]], "/v1/rerank/batch", asked)
        return [
            wire.error_of(**one["error"]) if "error" in one else wire.read(wire.encoded(one), RerankAnswer)
            for one in answers
        ]
