"""GraphPalace, used from Python as its users do: `Palace.open()`, on the Neo4j that the environment names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from protocol import Document, Peer, Question, serve

from graphpalace import Palace as Opened
from graphpalace.fuse.snippets import json_bytes
from graphpalace.serve.mcp.brief_answer import brief
from graphpalace.settings.load import load

_SCHEME = "peers:"


class Palace(Peer):
    """A palace of its own, named by the environment, which is new."""

    def __init__(self, _folder: Path) -> None:
        self._palace = Opened.open()
        self._palace.stats()  # connects
        self._drawers: dict[str, str] = {}  # the document of each
        self._budget_bytes = load().mcp.search_bytes

    def ingest(self, documents: Sequence[Document]) -> None:
        rows = [
            {"text": each["text"], "source_uri": _SCHEME + each["id"]}
            | {name: each[name] for name in ("title", "wing", "occurred_at") if each.get(name)}
            for each in documents
        ]
        added = self._palace.add_many(rows, wing="all", embeddings=[each["vector"] for each in documents])
        self._drawers |= {drawer: each["id"] for drawer, each in zip(added.ids, documents, strict=True)}

    def settle(self) -> None:
        self._palace.names.build()
        self._palace.learned()  # waits until all feedback is learned

    def close(self) -> None:
        self._palace.close()

    def search(self, asked: Question) -> list[str]:
        return [self._drawers[hit.id] for hit in self._found(asked).hits]

    def shown(self, asked: Question) -> str:
        answer = self._palace.search(asked.text, query_embedding=asked.vector, top_k=asked.top_k)
        return json_bytes(brief(answer, budget_bytes=self._budget_bytes)).decode()  # as its MCP server

    def feedback(self, asked: Question, useful: Sequence[str]) -> int:
        answer = self._found(asked)
        helped = [hit.id for hit in answer.hits if self._drawers[hit.id] in useful]
        if helped:
            self._palace.useful(answer.run, *helped)
        return len(helped)

    def _found(self, asked: Question) -> Any:
        answer = self._palace.search(
            asked.text, query_embedding=asked.vector, top_k=asked.top_k, wing=asked.wing, fold_duplicates=False
        )
        if answer.left_out:
            raise RuntimeError(f"lanes were left out: {answer.left_out}")
        return answer


if __name__ == "__main__":
    serve(Palace)
