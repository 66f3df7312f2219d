"""Hindsight as far as it goes without a language model: it keeps texts, from which no facts are extracted.

Its PostgreSQL runs beside it. Its reranker, a cross-encoder that would be fetched from a hub, is left out, so that the
order is that of its fused rankings. The vector of a text comes from a table; Hindsight adds the month to what it
embeds, and here that month does not count.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
import threading
from collections.abc import Coroutine, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from protocol import Document, Peer, Question, as_shown, serve

_BANK, _DIMENSION, _BATCH = "notes", 384, 100
_MONTH = re.compile(r" \(happened in [^()]*\)$")


class Bank(Peer):
    """A bank of memories, and the event loop of its engine."""

    def __init__(self, _folder: Path) -> None:
        os.environ |= {"HINDSIGHT_API_LLM_PROVIDER": "none", "HINDSIGHT_API_RERANKER_PROVIDER": "rrf"}
        from hindsight_api.engine.cross_encoder import (  # pyright: ignore[reportMissingImports]
            RRFPassthroughCrossEncoder,
        )
        from hindsight_api.engine.memory_engine import MemoryEngine  # pyright: ignore[reportMissingImports]
        from hindsight_api.models import RequestContext  # pyright: ignore[reportMissingImports]

        self._vectors: dict[str, list[float]] = {}
        self._context = RequestContext()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._engine = MemoryEngine(
            db_url="pg0://peers",
            memory_llm_provider="none",
            embeddings=_table(self._vectors),
            cross_encoder=RRFPassthroughCrossEncoder(),
        )
        self._wait(self._engine.initialize())

    def ingest(self, documents: Sequence[Document]) -> None:
        self._vectors |= {each["text"]: each["vector"] for each in documents}
        for at in range(0, len(documents), _BATCH):
            contents = [_content(each) for each in documents[at : at + _BATCH]]
            self._wait(self._engine.retain_batch_async(_BANK, contents, request_context=self._context))

    def search(self, asked: Question) -> list[str]:
        found = dict.fromkeys(each.document_id for each in self._found(asked).results)
        return list(found)[: asked.top_k]

    def shown(self, asked: Question) -> str:
        results = self._found(asked).results[: asked.top_k]
        return as_shown([each.model_dump(exclude_none=True) for each in results])

    def close(self) -> None:
        self._wait(self._engine.close())

    def _found(self, asked: Question) -> Any:
        self._vectors[asked.text] = asked.vector
        return self._wait(self._engine.recall_async(_BANK, asked.text, request_context=self._context))

    def _wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


def _content(document: Document) -> dict[str, Any]:
    when = document.get("occurred_at")
    event = {"event_date": datetime.fromisoformat(when)} if when else {}
    return {"content": document["text"], "document_id": document["id"], **event}


def _table(vectors: dict[str, list[float]]) -> Any:
    from hindsight_api.engine.embeddings import Embeddings  # pyright: ignore[reportMissingImports]

    def vector(text: str) -> list[float]:
        bare = _MONTH.sub("", text)
        if bare in vectors:
            return vectors[bare]
        return next(vector for whole, vector in vectors.items() if bare in whole)  # a part of a long text

    class Table(Embeddings):
        provider_name, dimension = "table", _DIMENSION

        async def initialize(self) -> None:
            """Do nothing: it is ready."""

        async def encode(self, texts: list[str]) -> list[list[float]]:
            return [vector(text) for text in texts]

    return Table()


if __name__ == "__main__":
    if os.geteuid() == 0 and shutil.which("unshare"):  # PostgreSQL refuses to run as root: be nobody in particular
        as_user = ["unshare", "--user", "--map-user=1000", "--map-group=1000"]
        os.execvp("unshare", [*as_user, sys.executable, *sys.argv])  # noqa: S606  itself again
    serve(Bank)
