"""The kinds of requests: whose turns they take, and by when they must be answered."""

from __future__ import annotations

import re
from dataclasses import dataclass

_READ, _WRITE, _ANY = "read", "write", None  # how long a request may take; None: as long as it needs


@dataclass(frozen=True, slots=True)
class RequestKind:
    """What is the same for requests of one kind.

    Attributes:
        turns: Whose turns they take: "searches", "reads", "writes", "heavy" or "tools".
        deadline: Which deadline they have, "read" or "write"; None: as much time as they need.
    """

    turns: str
    deadline: str | None


# How long an ingest, a simulation or a large removal takes depends on what it is given. A call of a tool has its own
# limit.
_KINDS = (
    (RequestKind("tools", _ANY), r"[A-Z]+ /mcp"),
    (RequestKind("heavy", _WRITE), r"POST /v1/decay"),
    (
        RequestKind("heavy", _ANY),
        r"POST /v1/(rerank(/batch)?|explore|ingest(/documents)?|conversations(/content)?|names/build)"
        r"|POST /v1/mcmp/(start|resume|jobs/start)"
        r"|POST /v1/(facts/propose|forget|palaces/reembed|export|import/finish)|DELETE /v1/palaces/.*",
    ),
    (RequestKind("searches", _READ), r"POST /v1/(search|navigate|mcmp/search|runs/.*|hooks/.*)"),
    (RequestKind("reads", _READ), r"(GET|HEAD) /v1/.*"),
    (
        RequestKind("writes", _ANY),
        r"POST /v1/(messages|drawers/batch|import/.*|palaces|prune|mcmp/.*)|DELETE /v1/(wings|rooms)/.*",
    ),
    (RequestKind("writes", _WRITE), r"[A-Z]+ /v1/.*"),
)
_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _KINDS)


def kind_of(method: str, path: str) -> RequestKind | None:
    """Return the kind of a request, or None if it is cheap and always answered, like health and files of the page."""
    return next((kind for kind, pattern in _PATTERNS if pattern.fullmatch(f"{method} {path}")), None)
