"""Name clusters of documents by what most of them say and few others do, or by their most central document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from graphpalace.domain.identity import as_place_name

_LEAST_SHARE = 0.5  # a name occurs in at least so many of the cluster's documents
_TIMES_MORE = 2.0  # and so much more often in them than in the documents of other clusters
_TITLE_CHARS = 60
_STEM = 5  # words with as many first letters in common, such as a singular and its plural, are not named together
_WORD = r"(?u)(?<![\w.])[^\W\d_]{3,}(?![\w(])"  # neither a part of an identifier nor the name of a call
_NOT_A_NOUN = re.compile(r"(?:ly|ed)\Z")

# Words that say how code or a document is written, not what it is about.
_FORM_WORDS = """
abstract array args assert async attribute await bin bool boolean break byte callable case catch char class classes
close const continue cls data def default del delete dict elif else end enum env error errors example examples except
exception export extends false field file files final finally float for foreach from func function functions get global
if impl implements import include index init inherit instance instead int integer interface into item items key keys
kwargs lambda len let line lines list lists main match method methods mod module modules name names new nil none
nonlocal not note notes null number object objects open option options override package param parameter parameters pass
path print private property protected provides pub public raise raises read reading readonly ref return returned returns
section see self set sets signed size sizeof static str string strings struct sub super switch template text then this
throw throws top traceback true try tuple type typedef typename types unit unsigned use used user uses using usr val
value values var variable variables version void way while with write writing yield
"""


def names(texts: Sequence[str], labels: np.ndarray, *, central: Sequence[int], titles: Sequence[str]) -> list[str]:
    """Return a name for each cluster; no two are equal.

    A name is the word or the two neighbouring words with the largest class-based tf-idf (Grootendorst 2022): the share
    of the cluster's documents that have it, times log(1 + clusters / sum of the shares over all clusters). It must
    occur in half of the documents of the cluster, and twice as often as elsewhere. A second word is added if there is
    one. Where nothing is that distinctive, the title of the most central document is the name.

    Args:
        texts: One for each document.
        labels: Cluster of each document, numbered from 0.
        central: The document in the middle of each cluster.
        titles: One for each document.
    """
    found: list[str] = []
    for telling, middle in zip(_telling(texts, labels), central, strict=True):
        title = as_place_name(titles[middle], most_chars=_TITLE_CHARS) or "topic"
        numbered = (f"{title} {number}" for number in range(2, len(central) + 2))
        found.append(next(name for name in (*_composed(telling), title, *numbered) if name not in found))
    return found


def _composed(telling: Sequence[str]) -> list[str]:
    """Return the names that can be made of the telling words, best first."""
    if not telling:
        return []
    best = telling[0]
    if " " in best:
        return [best]
    others = [other for other in telling[1:] if " " not in other and other[:_STEM] != best[:_STEM]]
    return [*(f"{best} {other}" for other in others), best]


def _telling(texts: Sequence[str], labels: np.ndarray) -> list[list[str]]:
    """Return for each cluster the words and pairs of words that most of its documents have, the most telling first."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

    clusters = int(labels.max()) + 1
    stop_words = sorted({*ENGLISH_STOP_WORDS, *_FORM_WORDS.split()})
    vectorizer = CountVectorizer(binary=True, stop_words=stop_words, token_pattern=_WORD, ngram_range=(1, 2))
    try:
        present: Any = vectorizer.fit_transform(texts)
    except ValueError:  # no words at all
        return [[] for _ in range(clusters)]
    words = vectorizer.get_feature_names_out()
    shares = np.stack([np.asarray(present[labels == number].mean(axis=0)).ravel() for number in range(clusters)])
    everywhere = np.asarray(present.sum(axis=0)).ravel()
    rarity = np.log1p(clusters / shares.sum(axis=0))
    noun_like = np.array([not _NOT_A_NOUN.search(str(word)) for word in words])
    single = np.array([" " not in word for word in words])
    found: list[list[str]] = []
    for number, share in enumerate(shares):
        size = int((labels == number).sum())
        elsewhere = (everywhere - share * size) / max(1, len(texts) - size)
        fits = noun_like & (share >= _LEAST_SHARE) & (share >= _TIMES_MORE * elsewhere)
        weights = np.where(fits, share * rarity, 0.0)
        best = np.lexsort((single, -weights))[:5]  # of equal ones, two words say more than one
        found.append([str(words[at]) for at in best if weights[at] > 0])
    return found
