"""A search that feedback can name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphpalace.domain.graph.trail import Trail
from graphpalace.domain.learning.lesson import Candidates
from graphpalace.domain.vectors import Vector


@dataclass(frozen=True, slots=True)
class LoggedSearch:
    """One search.

    Attributes:
        id: `search-{12 hex}`, or `rerank-{12 hex}`.
        candidates: What the lanes found, before anything learned was applied.
        shares: Of the lanes in each drawer that was shown, 0 to 1.
        trails: The ways walked to drawers, where the path lane walked some.
        names: What else feedback may call what was shown, with the drawer that stands for it; None: a document of the
            caller's own.
        namespace: Of the caller's own documents.
    """

    id: str
    palace: str
    query: str
    question: Vector | None
    candidates: Candidates
    shares: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    trails: Mapping[str, Trail] = field(default_factory=dict)
    names: Mapping[str, str | None] = field(default_factory=dict)
    namespace: str = ""
