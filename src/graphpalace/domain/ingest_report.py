"""The report of an ingest."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from typing import Any


@dataclass(slots=True)
class IngestReport:
    """Counts of what an ingest has done so far. The `progress` callback receives it after every step.

    Attributes:
        documents_moved: Those of the stored ones that the wing had under another path.
        skipped: Files, folders and lines that were left out, by reason. A folder counts once, whatever is in it.
        slow_seconds: Processor time that files took which are slow to read for the little text that they have.
        masked: Secrets that were masked in conversations, by kind.
    """

    files_total: int = 0
    files_done: int = 0
    documents_stored: int = 0
    documents_unchanged: int = 0
    documents_moved: int = 0
    drawers_created: int = 0
    drawers_kept: int = 0
    drawers_removed: int = 0
    similar_edges: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    masked: Counter[str] = field(default_factory=Counter)
    unreadable: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    seconds: float = 0.0
    slow_seconds: float = 0.0

    def count_skipped(self, reason: str, number: int) -> None:
        """Count what was left out for a reason; a reason that nothing was left out for is not listed."""
        if number:
            self.skipped[reason] += number

    def as_json(self) -> dict[str, Any]:
        """Return the counts as JSON has them; `asdict` alone counts the entries of a counter."""
        return asdict(replace(self, skipped=Counter(), masked=Counter())) | {
            "skipped": dict(self.skipped),
            "masked": dict(self.masked),
        }
