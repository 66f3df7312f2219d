"""What a process of a peer and the benchmark say to each other: one JSON object on a line each, the request first.

A script of this folder is run by its peer's own Python, which knows nothing of GraphPalace; it imports this module and
the peer. Its only argument is an empty folder. It says `{"ready": ...}` when the peer is loaded and its store is open.

| request | answer |
|---|---|
| `{"op": "ingest", "documents": [{"id", "title", "text", "wing", "occurred_at", "vector"}]}` | `{"seconds"}` |
| `{"op": "settle"}`: do now what the peer does in the background after an ingest | `{"seconds"}` |
| `{"op": "search", "text", "vector", "top_k", "wing"}` | `{"ms", "ids"}`, best first |
| `{"op": "shown", "text", "vector", "top_k"}` | `{"bytes"}` that a model reads of that answer; null: it gives no text |
| `{"op": "feedback", "text", "vector", "top_k", "useful": [ids]}`: ask, and say what helped | `{"given"}`: how many |
| `{"op": "memory"}` | `{"peak_mib"}` of the process, resident |

A request that fails is answered with `{"error"}`. The clock of `ms` and `seconds` is the process's own, so that what
JSON costs does not count.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

Document = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes:
        vector: Its embedding, for peers that take one.
        wing: Where to look, for peers that have wings; None: everywhere.
    """

    text: str
    vector: list[float]
    top_k: int
    wing: str | None = None


class Peer(Protocol):
    """What a script has to define. A class that derives from this has to define `ingest` and `search`."""

    def ingest(self, documents: Sequence[Document]) -> None:
        """Store documents; they can be found when this returns."""
        ...

    def settle(self) -> None:
        """Do now what would otherwise be done in the background."""

    def search(self, asked: Question) -> list[str]:
        """Return the ids of the best documents, best first."""
        ...

    def shown(self, asked: Question) -> str | None:
        """Return what a model reads of an answer; None: the peer gives no text."""

    def feedback(self, asked: Question, useful: Sequence[str]) -> int:
        """Ask, and say which of the documents shown were useful; return how many that were."""
        raise NotImplementedError("this peer does not learn")

    def close(self) -> None:
        """End what was started beside this process."""


def serve(opened: Callable[[Path], Peer]) -> None:
    """Open the peer and answer requests until there are no more.

    Args:
        opened: Loads the peer and opens its store in an empty folder.
    """
    answers = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
    os.dup2(2, 1)  # what libraries print is no answer
    peer = opened(Path(sys.argv[1]))
    print(json.dumps({"ready": True}), file=answers)
    for line in sys.stdin:
        try:
            answer = answered(peer, json.loads(line))
        except Exception as error:  # the benchmark decides what an error means
            traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {error}"[:500]}
        print(json.dumps(answer), file=answers)
    peer.close()


def answered(peer: Peer, request: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to one request."""
    op = request.pop("op")
    if op == "memory":
        return {"peak_mib": peak_mib()}
    started = time.perf_counter()
    if op == "ingest":
        peer.ingest(request["documents"])
        return {"seconds": time.perf_counter() - started}
    if op == "settle":
        peer.settle()
        return {"seconds": time.perf_counter() - started}
    if op == "search":
        ids = peer.search(Question(**request))
        return {"ms": (time.perf_counter() - started) * 1000, "ids": ids}
    if op == "shown":
        text = peer.shown(Question(**request))
        return {"bytes": None if text is None else len(text.encode())}
    if op == "feedback":
        useful = request.pop("useful")
        return {"given": peer.feedback(Question(**request), useful)}
    raise ValueError(f"unknown request {op!r}")


def peak_mib() -> float | None:
    """Return the most memory that this process had; unlike `ru_maxrss`, without what its parent had. None: unknown."""
    try:
        status = Path("/proc/self/status").read_text("utf-8")
    except OSError:
        return None
    found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) / 1024 if found else None


def as_shown(answer: object) -> str:
    """Return an answer as JSON, as a tool gives it to a model."""
    return json.dumps(answer, ensure_ascii=False, default=str)
