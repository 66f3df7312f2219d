"""The classification codes of many documents as a sparse table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray


@dataclass(frozen=True, slots=True)
class CodeTable:
    """The pairs of documents and codes, as a sparse table.

    Attributes:
        codes: All distinct codes as `scheme:code`, in order of first occurrence.
        code: Index into `codes` of each pair.
        document: Index of the document of each pair, ascending.
        size: Number of documents.
    """

    codes: tuple[str, ...]
    code: Int[ndarray, " pairs"]
    document: Int[ndarray, " pairs"]
    size: int

    @classmethod
    def of(cls, documents: Sequence[Sequence[str]]) -> CodeTable:
        """Build the table from the codes of each document."""
        index: dict[str, int] = {}
        code = [index.setdefault(one, len(index)) for own in documents for one in own]
        document = np.repeat(np.arange(len(documents)), [len(own) for own in documents])
        return cls(tuple(index), np.array(code, np.intp), document.astype(np.intp), len(documents))

    def counts(self, among: Bool[ndarray, " size"] | None = None) -> Int[ndarray, " codes"]:
        """Return the number of documents with each code; `among` is a mask of the documents that count."""
        chosen = self.code if among is None else self.code[among[self.document]]
        return np.bincount(chosen, minlength=len(self.codes))

    def reordered(self, order: Int[ndarray, " chosen"]) -> CodeTable:
        """Return the table of the chosen documents, in the given order, with the same codes."""
        place = np.full(self.size, -1)
        place[order] = np.arange(len(order))
        pairs = np.flatnonzero(place[self.document] >= 0)
        pairs = pairs[np.argsort(place[self.document[pairs]], kind="stable")]
        return CodeTable(self.codes, self.code[pairs], place[self.document[pairs]], len(order))
