"""Pseudo-relevance feedback: a question moved towards what was found for it, in its vector or in its words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphpalace.domain.vectors import Matrix, Vector, unit_rows

_TERM = re.compile(r"\b[^\W\d_]\w+")  # a word of two letters or more; numbers and single letters say little
_CANDIDATES = 3  # times as many terms as are kept are offered, because an index may know that some say nothing


@dataclass(frozen=True, slots=True)
class Rocchio:
    """Moves a question towards the best drawers.

    Attributes:
        drawers: How many of them, >= 0; 0 leaves the question where it is.
        weight: How far, >= 0.

    Source: pseudo-relevance feedback (Rocchio 1971), positive part.
    """

    drawers: int
    weight: float

    def moved(self, question: Vector, found: Matrix) -> Vector:
        """Return the question plus `weight` times the mean of what was found, at length one.

        Args:
            question: Embedding, length one.
            found: Embeddings of the best drawers, length one each; without any the question stays where it is.
        """
        if not len(found):
            return question
        return unit_rows((question + self.weight * found.mean(axis=0))[None])[0]


@dataclass(frozen=True, slots=True)
class RelevanceModel:
    """Adds to a question the words that the best drawers for it have most (RM3).

    Attributes:
        drawers: How many of the best drawers are read, >= 1.
        terms: How many words are added, >= 1.
        weight: Share of the added words in the new question, 0 to 1; 0 leaves it as it is.

    Source: relevance models RM1 (Lavrenko and Croft 2001), mixed with the question as RM3 (Abdul-Jaleel and others
    2004). The likelihood of the question given a drawer is taken from the drawer's score, as is usual with BM25.
    """

    drawers: int = 10
    terms: int = 10
    weight: float = 0.5

    def candidates(self, texts: Sequence[str], scores: Sequence[float]) -> dict[str, float]:
        """Return the words that may be added, best first, each with its probability p(w | R).

            p(w | R) = sum over drawers of tf(w, d) / |d| * score(d) / sum of scores

        Args:
            texts: The best drawers.
            scores: Their scores, > 0.

        Example:
            >>> RelevanceModel(terms=1).candidates(["a sea of salt", "sea"], [3.0, 1.0])
            {'sea': 0.5, 'of': 0.25, 'salt': 0.25}
        """
        total = sum(scores) or 1.0
        found: dict[str, float] = {}
        for text, score in zip(texts, scores, strict=True):
            terms = _TERM.findall(text.casefold())
            for term, count in Counter(terms).items():
                found[term] = found.get(term, 0.0) + count / len(terms) * score / total
        ranked = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
        return dict(ranked[: _CANDIDATES * self.terms])

    def expanded(self, asked: Mapping[str, float], candidates: Mapping[str, float]) -> dict[str, float]:
        """Return the words of the new question with their weights, which add up to 1.

        Args:
            asked: Weight of each word of the question, > 0; at least one.
            candidates: Some of `candidates`, best first. As many as `terms` are used.
        """
        added = dict(list(candidates.items())[: self.terms])
        total, mass = sum(asked.values()), sum(added.values())
        if not mass:
            return {word: weight / total for word, weight in asked.items()}
        mixed = {word: (1.0 - self.weight) * weight / total for word, weight in asked.items()}
        for word, share in added.items():
            mixed[word] = mixed.get(word, 0.0) + self.weight * share / mass
        return {word: weight for word, weight in mixed.items() if weight > 0}
