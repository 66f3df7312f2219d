"""basic-memory through its MCP tools, as an agent uses it: Markdown files and an SQLite index, hybrid search.

It cuts notes into passages of 900 characters and embeds these itself. Its own model would be fetched from a hub, so all
of it is replaced: passages are embedded by the ONNX file of PEERS_MODEL, with the tokenizer of PEERS_TOKENIZER, and the
vector of a question is given.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any

import pysqlite3  # pyright: ignore[reportMissingImports]

sys.modules["sqlite3"] = pysqlite3  # which can load extensions, whatever Python's own can

import numpy as np  # noqa: E402
from protocol import Document, Peer, Question, serve  # noqa: E402

_QUIET_S = 3.0  # without a passage to embed, and all notes are indexed
_MOST_TOKENS = 256


class Notes(Peer):
    """A knowledge base, and the event loop of its server, on which it also works in the background."""

    def __init__(self, folder: Path) -> None:
        os.environ |= {
            "BASIC_MEMORY_HOME": str(folder / "notes"),
            "BASIC_MEMORY_CONFIG_DIR": str(folder / "config"),
            "LOGFIRE_IGNORE_NO_CONFIG": "1",
        }
        from basic_memory.config import init_mcp_logging  # pyright: ignore[reportMissingImports]
        from basic_memory.mcp import tools  # noqa: F401  # pyright: ignore[reportMissingImports]
        from basic_memory.mcp.server import mcp  # pyright: ignore[reportMissingImports]
        from basic_memory.repository import fastembed_provider as provider  # pyright: ignore[reportMissingImports]
        from fastmcp import Client  # pyright: ignore[reportMissingImports]

        init_mcp_logging()
        self._model = _Model()
        provider.FastEmbedEmbeddingProvider.embed_query = self._model.embed_query
        provider.FastEmbedEmbeddingProvider.embed_documents = self._model.embed_documents
        self._documents: dict[str, str] = {}  # by permalink
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._client = Client(mcp)
        self._wait(self._client.__aenter__())

    def ingest(self, documents: Sequence[Document]) -> None:
        for each in documents:
            title = " ".join((each.get("title") or each["text"]).split())[:100]
            content = each["text"]
            written = self._call(
                "write_note", title=title, content=content, directory=f"notes/{each['id']}", output_format="json"
            )
            self._documents[written["permalink"]] = each["id"]

    def settle(self) -> None:
        while time.monotonic() - self._model.last < _QUIET_S:
            time.sleep(0.2)

    def search(self, asked: Question) -> list[str]:
        self._model.questions[asked.text] = asked.vector
        found = self._call("search_notes", query=asked.text, page_size=asked.top_k, output_format="json")
        return [self._documents[hit["permalink"]] for hit in found["results"]]

    def shown(self, asked: Question) -> str:
        self._model.questions[asked.text] = asked.vector
        answer = self._wait(self._client.call_tool("search_notes", {"query": asked.text, "page_size": asked.top_k}))
        return "\n".join(part.text for part in answer.content)

    def _call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = self._wait(self._client.call_tool(tool, arguments)).data
        if not isinstance(answer, dict) or answer.get("error"):
            raise RuntimeError(f"{tool}: {answer}")
        return answer

    def _wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


class _Model:
    """all-MiniLM-L6-v2 on ONNX Runtime for passages, and the vectors of questions.

    Attributes:
        last: When it was asked for passages the last time, by the monotonic clock.
    """

    def __init__(self) -> None:
        import onnxruntime  # pyright: ignore[reportMissingImports]
        from tokenizers import Tokenizer  # pyright: ignore[reportMissingImports]

        self.questions: dict[str, list[float]] = {}
        self.last = 0.0
        self._session = onnxruntime.InferenceSession(os.environ["PEERS_MODEL"], providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(os.environ["PEERS_TOKENIZER"])
        self._tokenizer.enable_truncation(_MOST_TOKENS)
        self._tokenizer.enable_padding()

    async def embed_query(self, text: str) -> list[float]:
        known = self.questions.get(text)
        return known if known is not None else (await self.embed_documents([text]))[0]

    async def embed_documents(self, texts: list[str]) -> list[list[float]]:
        vectors = await asyncio.to_thread(self._embedded, texts)
        self.last = time.monotonic()
        return vectors

    def _embedded(self, texts: list[str]) -> list[list[float]]:
        encoded = self._tokenizer.encode_batch(texts)
        tokens = np.array([each.ids for each in encoded], np.int64)
        mask = np.array([each.attention_mask for each in encoded], np.int64)
        given = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        states: Any = self._session.run(None, given)[0]
        vectors = np.einsum("bs,bsd->bd", mask.astype(np.float32), states)
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).tolist()


if __name__ == "__main__":
    serve(Notes)
