"""Generates synthetic patent publications for trials and benchmarks. The same arguments give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from random import Random
from typing import Any

from graphpalace.errors import InvalidInput
from graphpalace.evaluation.dataset_topics import TOPICS, PublicationTopic

LANES = ("fulltext", "semantic")
MOST = 900_000  # the numbers of publications have six digits
_OFFICES = ("JP", "US", "EP", "CN", "KR", "WO")
_OWNERS = ("Owl", "Lark", "Heron", "Finch", "Raven", "Swift", "Plover", "Crane", "Kestrel", "Wren")
_FIRMS = ("Works", "Industries", "Laboratories", "Systems", "Holdings")
_FAMILY_SIZES, _FAMILY_WEIGHTS = (1, 2, 3, 4), (50, 25, 15, 10)
_FIRST_DAY, _DAYS = date(2014, 1, 1), 3650


def dataset_lines(lane: str, *, count: int, seed: int) -> Iterator[str]:
    """Return the lines of a data set. Each is one publication as JSON, followed by a line feed.

    A data set with a larger count begins with the lines of a smaller one.

    Args:
        lane: With `fulltext`, all publications of a topic use the same words. With `semantic`, they use different words
            of the same meaning.
        count: Number of publications, 1 to `MOST`.
        seed: Seed of the random generator, >= 0.

    Raises:
        InvalidInput: If an argument is out of range.
    """
    if lane not in LANES:
        raise InvalidInput(f"lane is {lane!r}; it must be one of {', '.join(LANES)}", field="lane", value=lane)
    if not 1 <= count <= MOST:
        raise InvalidInput(f"count is {count}; it must be 1 to {MOST}", field="count", value=count)
    if seed < 0:
        raise InvalidInput(f"seed is {seed}; it must be 0 or more", field="seed", value=seed)
    records = islice(_records(Random(f"{lane} {seed}"), paraphrase=lane == "semantic"), count)
    return (json.dumps(record, ensure_ascii=False) + "\n" for record in records)


@dataclass(frozen=True, slots=True)
class _Invention:
    """The data that all publications of a family share."""

    family_id: str
    topic: PublicationTopic
    title: str
    assignee: str
    codes: dict[str, list[str]]
    first_day: date
    offices: list[str]


def _records(random: Random, *, paraphrase: bool) -> Iterator[dict[str, Any]]:
    """Yield an endless sequence of publications, family by family."""
    number = family = 0
    while True:
        family += 1
        writer = _Writer(random, _skewed(random, TOPICS), paraphrase=paraphrase)
        invention = _invention(random, writer, family)
        for office in invention.offices:
            number += 1
            yield _publication(random, writer, invention, office, number)


def _invention(random: Random, writer: _Writer, family: int) -> _Invention:
    (size,) = random.choices(_FAMILY_SIZES, _FAMILY_WEIGHTS)
    return _Invention(
        family_id=f"F{family:06}",
        topic=writer.topic,
        title=writer.title(),
        assignee=f"{_skewed(random, _OWNERS)} {_skewed(random, _FIRMS)}",
        codes=_codes(random, writer.topic),
        first_day=_FIRST_DAY + timedelta(days=random.randrange(_DAYS)),
        offices=sorted(random.sample(_OFFICES, size), key=_OFFICES.index),
    )


def _publication(random: Random, writer: _Writer, of: _Invention, office: str, number: int) -> dict[str, Any]:
    published = of.first_day + timedelta(days=random.randrange(500))
    return {
        "pub_id": f"{office}{published.year}{number:06}",
        "app_id": f"{office}{published.year - 1}{number:06}",
        "exam_id": f"EXAM{number:06}",
        "family_id": of.family_id,
        "country": office,
        "assignee": of.assignee,
        "published": published.isoformat(),
        "title": of.title,
        "abst": writer.paragraph(3),
        "claim": writer.claims(),
        "desc": "\n\n".join(writer.paragraph(random.randint(4, 7)) for _ in range(random.randint(2, 3))),
        **of.codes,
    }


def _codes(random: Random, topic: PublicationTopic) -> dict[str, list[str]]:
    """Return random codes of a topic, and in 30 % of the cases also of another one."""
    topics = [topic] + [_skewed(random, TOPICS)] * (random.random() < 0.3)
    symbols = [f"{each.subclass}{_skewed(random, each.groups)}" for each in topics for _ in range(random.randint(1, 2))]
    cpc = list(dict.fromkeys(symbols))
    terms = [f"{each.theme}{random.choice('ABCDE') * 2}{random.randint(1, 20):02}" for each in topics]
    return {
        "ipc_codes": cpc[: max(1, len(cpc) - 1)],
        "cpc_codes": cpc,
        "fi_codes": [f"{symbol},{random.randint(1, 4)}00{random.choice('AZ')}" for symbol in cpc[:2]],
        "ft_codes": terms,
    }


class _Writer:
    """Writes texts about one invention, always using the same word for the same thing.

    Args:
        paraphrase: Whether to choose among words of the same meaning. If not, all inventions of a topic use the same
            words.
    """

    def __init__(self, random: Random, topic: PublicationTopic, *, paraphrase: bool) -> None:
        self.topic = topic
        self._random = random
        self._nouns = [random.choice(words) if paraphrase else words[0] for words in topic.things]
        self._verbs = [random.choice(words) if paraphrase else words[0] for words in topic.acts]

    def title(self) -> str:
        """Return a title of a few words."""
        first, second = self._things(2)
        return f"{first.capitalize()} with {second}"

    def paragraph(self, sentences: int) -> str:
        """Return a paragraph with a number of sentences."""
        return " ".join(self._sentence() for _ in range(sentences))

    def claims(self) -> str:
        """Return an independent claim and two that depend on it, each on its own line."""
        first, second, third, fourth = self._things(4)
        return (
            f"1. An apparatus having one {first} and one {second}, wherein the {first} {self._act()} the {second}.\n"
            f"2. The apparatus of claim 1, wherein each {third} {self._act()} the {second}.\n"
            f"3. The apparatus of claim 1 or 2, further having one {fourth}."
        )

    def _sentence(self) -> str:
        first, second, third = self._things(3)
        pattern = self._random.choice((
            "The {0} {3} the {1} by means of the {2}.",
            "When one {0} {3} the {1}, the {2} stays as it is.",
            "In one embodiment the {0} {3} each {1} before the {2} {4} it.",
            "Thus the {0} {3} the {1} and {4} the {2}.",
        ))  # fmt: skip
        return pattern.format(first, second, third, self._act(), self._act())

    def _things(self, count: int) -> list[str]:
        return self._random.sample(self._nouns, count)

    def _act(self) -> str:
        return self._random.choice(self._verbs)


def _skewed(random: Random, items: tuple[Any, ...]) -> Any:
    """Return a random item. The probability of the n-th is proportional to 1 / n (Zipf)."""
    return random.choices(items, [1 / rank for rank in range(1, len(items) + 1)])[0]
