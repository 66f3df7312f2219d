"""The codes of many documents as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray


@dataclass(frozen=True, slots=True)
class CodeTable:
    """Which documents carry which codes.

    Attributes:
        codes: All codes, each once, with their schemes, in the order in which they are met.
        code: Index into `codes` of each pair of a document and a code, document by document.
        document: Index of the document of each pair, rising.
        size: How many documents there are.
    """

    codes: tuple[str, ...]
    code: Int[ndarray, " pairs"]
    document: Int[ndarray, " pairs"]
    size: int

    @classmethod
    def of(cls, documents: Sequence[Sequence[str]]) -> CodeTable:
        """Return the table of documents, each given by its codes."""
        index: dict[str, int] = {}
        code = [index.setdefault(one, len(index)) for own in documents for one in own]
        document = np.repeat(np.arange(len(documents)), [len(own) for own in documents])
        return cls(tuple(index), np.array(code, np.intp), document.astype(np.intp), len(documents))

    def counts(self, among: Bool[ndarray, " size"] | None = None) -> Int[ndarray, " codes"]:
        """Return how many documents carry each code; `among`: only those where it is true."""
        chosen = self.code if among is None else self.code[among[self.document]]
        return np.bincount(chosen, minlength=len(self.codes))

    def reordered(self, order: Int[ndarray, " chosen"]) -> CodeTable:
        """Return the table of some documents in another order, with the same codes."""
        place = np.full(self.size, -1)
        place[order] = np.arange(len(order))
        pairs = np.flatnonzero(place[self.document] >= 0)
        pairs = pairs[np.argsort(place[self.document[pairs]], kind="stable")]
        return CodeTable(self.codes, self.code[pairs], place[self.document[pairs]], len(order))
