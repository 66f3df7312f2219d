"""Texts and vectors that behave like real ones where it counts, the same in every run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float32, Int

from graphpalace.domain.vectors import Matrix, unit_rows
from graphpalace.settings.sections.embeddings import BUNDLED_MODEL

DIMENSION = 384
WORDS = 20_000
COMMON = 100  # ranks that would be stop words in a real language; questions have none of them
_SYLLABLES = [first + vowel for first in "bdfgklmnprstvz" for vowel in "aeiou"]
_NAMES_OF_A_TEXT = 3  # on average
_NAMES_OF_A_TOPIC = 30


def vocabulary() -> list[str]:
    """Return different words of two or three syllables, the most frequent first."""
    two = [f"{first}{second}n" for first in _SYLLABLES for second in _SYLLABLES]
    three = [first + rest for first in _SYLLABLES for rest in two[::9]]
    return list(dict.fromkeys(two[::13] + three))[:WORDS]


def word_ranks(rng: np.random.Generator, count: int) -> list[Int[np.ndarray, " words"]]:
    """Return for each of `count` texts the frequency ranks of its 60 to 120 words, distributed by Zipf's law."""
    lengths = rng.integers(60, 121, count)
    weights = np.cumsum(1 / (np.arange(WORDS) + 2.7))
    drawn = np.searchsorted(weights, rng.random(int(lengths.sum())) * weights[-1])
    return np.split(drawn, np.cumsum(lengths)[:-1])


def text_names(rng: np.random.Generator, topics: Int[np.ndarray, " texts"]) -> list[list[str]]:
    """Return one to five different names of each text.

    Half of them belong to the text's topic, where each is in a few texts. The others are distributed by Zipf's law, so
    that some are in thousands of texts and most in few.

    Args:
        topics: The topic of each text, from 0 on.
    """
    count, most = len(topics), 2 * _NAMES_OF_A_TEXT - 1
    weights = np.cumsum(1 / (np.arange(count) + 2.7))
    anywhere = np.searchsorted(weights, rng.random((count, most)) * weights[-1])
    of_topic = count + topics[:, None] * _NAMES_OF_A_TOPIC + rng.integers(_NAMES_OF_A_TOPIC, size=(count, most))
    drawn = np.where(rng.random((count, most)) < 0.5, of_topic, anywhere)
    lengths = rng.integers(1, most + 1, count).tolist()
    return [
        [_name(rank) for rank in dict.fromkeys(row[:length])]
        for row, length in zip(drawn.tolist(), lengths, strict=True)
    ]


def _name(rank: int) -> str:
    """Return a name of two words, which no other name has, and which end as no word of the vocabulary does."""
    most = len(_SYLLABLES) ** 3
    return f"{_spelled(rank % most)}r {_spelled(7919 * rank % most)}l".title()  # a prime, so that no two are the same


def _spelled(number: int) -> str:
    count = len(_SYLLABLES)
    return "".join(_SYLLABLES[part % count] for part in (number, number // count, number // count**2))


def named_text(ranks: Int[np.ndarray, " words"], words: list[str], names: Sequence[str]) -> str:
    """Return sentences of twelve words, and a last one with names."""
    between = [f"{words[at]} {name}" for at, name in enumerate(names)]
    return f"{text_of(ranks, words)} {words[len(names)].capitalize()} {' '.join(between)}."


def text_of(ranks: Int[np.ndarray, " words"], words: list[str]) -> str:
    """Return sentences of twelve words."""
    spelled = [words[rank] for rank in ranks]
    return " ".join(" ".join(spelled[at : at + 12]).capitalize() + "." for at in range(0, len(spelled), 12))


def questions(
    rng: np.random.Generator, texts: Sequence[Int[np.ndarray, " words"]], words: list[str], count: int
) -> list[tuple[int, str]]:
    """Return for each of `count` questions which text it is about, and three to twelve words of that text.

    No word is common, and none is asked twice while the words suffice, so that nothing that is remembered of a word
    helps. Few texts have too few words for that: their words are then asked again, in other questions. As the frequent
    words are used up first, the questions are shuffled.

    Raises:
        ValueError: If no text has enough words that are not common.
    """
    found: list[tuple[int, str]] = []
    while len(found) < count:
        more = _without_repetition(rng, texts, words, count - len(found))
        if not more:
            raise ValueError("no text has enough words for a question")
        found += more
    rng.shuffle(found)
    return found


def _without_repetition(
    rng: np.random.Generator, texts: Sequence[Int[np.ndarray, " words"]], words: list[str], most: int
) -> list[tuple[int, str]]:
    """Return at most so many questions, of which no two have a word or a text in common."""
    asked = np.zeros(len(words), bool)
    asked[:COMMON] = True
    found: list[tuple[int, str]] = []
    for at in rng.permutation(len(texts)).tolist():
        if len(found) == most:
            break
        left = np.unique(texts[at][~asked[texts[at]]])
        length = int(rng.integers(3, 13))
        if len(left) >= length:
            chosen = rng.choice(left, length, replace=False)
            asked[chosen] = True
            found.append((at, " ".join(words[rank] for rank in chosen)))
    return found


def clustered(
    rng: np.random.Generator, topics: Int[np.ndarray, " drawers"], *, noise: float = 0.7
) -> Float32[np.ndarray, "drawers dimension"]:
    """Return vectors of length one around a random direction for each topic.

    Two of a topic have a cosine of about 1 / (1 + noise^2), two of different topics one of about 0.
    """
    centres = unit_rows(rng.standard_normal((int(topics.max()) + 1, DIMENSION)).astype(np.float32))
    scale = np.float32(noise / np.sqrt(DIMENSION))
    return unit_rows(centres[topics] + scale * rng.standard_normal((len(topics), DIMENSION), np.float32))


def nearby(rng: np.random.Generator, vector: Float32[np.ndarray, " dimension"]) -> Float32[np.ndarray, " dimension"]:
    """Return a vector of length one with a cosine of about .9 to another."""
    noise = rng.standard_normal(DIMENSION, np.float32) / np.sqrt(DIMENSION)
    return unit_rows((vector + np.float32(0.5) * noise)[None])[0]


class TableEmbedder:
    """Stands in for the bundled model and knows the vector of every text by heart."""

    name = BUNDLED_MODEL
    dimension = DIMENSION

    def __init__(self) -> None:
        self.table: dict[str, Float32[np.ndarray, " dimension"]] = {}

    def load(self) -> None:
        """Do nothing: it is ready."""

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector a text.

        Raises:
            KeyError: If a text is not in the table.
        """
        return np.stack([self.table[text] for text in texts])

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return one vector a question, as `embed` does."""
        return self.embed(texts)
