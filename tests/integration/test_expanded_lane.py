"""The lane `expanded`: full text with the words of what the full-text lane finds best (RM3)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator

import pytest
from tests.spare_palaces import spare_name

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.domain.search.request import SearchRequest
from graphpalace.errors import InvalidInput

TEXTS = (
    "Bees gather nectar and pollen from clover",
    "Bees dance to tell where the clover stands",
    "Honey is made of nectar, and pollen feeds the brood",
    "Clover feeds cows as well",
    "A hive of 12 frames, white & blue",
    "Ships sail the sea",
)


@pytest.fixture(scope="module")
async def hives(app: GraphPalace) -> AsyncIterator[str]:
    name = spare_name()
    await app.create_palace(name)
    for text in TEXTS:
        await app.drawers.add(name, NewDrawer(text=text, wing="ships" if "Ships" in text else "bees"))
    yield name
    await app.drop_palace(name)


async def scores(app: GraphPalace, palace: str, word: str) -> dict[str, float]:
    """Ask the full-text index for one word."""
    rows = await app.database.read(palace, "tests/word_scores", index=f"drawer_stems_{palace}", word=word)
    return {row["text"]: row["score"] for row in rows}


async def reference(app: GraphPalace, palace: str, first: dict[str, float], asked: list[str]) -> dict[str, float]:
    """RM3 written down as in the papers, with the default settings: ten drawers, ten words, half of the weight."""
    relevance: Counter[str] = Counter()
    for text, score in first.items():
        words = [word for word in re.split(r"\W+", text.lower()) if len(word) > 1 and not word[0].isdigit()]
        for word in words:
            relevance[word] += (1 / len(words)) * (score / sum(first.values()))
    best = {word: max((await scores(app, palace, word)).values(), default=0.0) for word in [*relevance, *asked]}
    ranked = sorted(relevance, key=lambda word: (-relevance[word], word))[:30]
    rare = [word for word in ranked if best[word] > max(best.values()) / 4][:10]
    mass = sum(relevance[word] for word in rare)
    question: Counter[str] = Counter()
    for word in asked:
        question[word] += 0.5 / len(asked)
    for word in rare:
        question[word] += 0.5 * relevance[word] / mass
    total: Counter[str] = Counter()
    for word, weight in question.items():
        for text, score in (await scores(app, palace, word)).items():
            total[text] += weight * score
    return dict(total)


async def found(app: GraphPalace, palace: str, query: str, *lanes: str, **more: object) -> dict[str, float]:
    answer = await app.recall.search(palace, SearchRequest(query, lanes=list(lanes), **more))
    assert not answer.left_out
    return {hit.text: hit.lanes[lanes[0]].score for hit in answer.hits if lanes[0] in hit.lanes}


async def test_it_ranks_as_its_plain_reference_does(app: GraphPalace, hives: str) -> None:
    first = await found(app, hives, "gather clover", "fulltext", without=frozenset({"exact words", "phrases"}))
    expected = await reference(app, hives, first, ["gather", "clover"])
    ranked = await found(app, hives, "gather clover", "expanded", without=frozenset({"exact words", "phrases"}))
    assert ranked == pytest.approx(expected, rel=1e-4)
    assert list(ranked) == sorted(ranked, key=lambda text: -expected[text])


async def test_it_finds_what_shares_no_word_with_the_question(app: GraphPalace, hives: str) -> None:
    assert TEXTS[2] not in await found(app, hives, "gather", "fulltext")
    assert TEXTS[2] in await found(app, hives, "gather", "expanded")


async def test_it_finds_nothing_where_the_words_are_nowhere(app: GraphPalace, hives: str) -> None:
    for query in ("zeppelin", "!", "NOT (bees"):
        alone = await found(app, hives, query, "expanded")
        assert bool(alone) == ("bees" in query)


async def test_filters_apply_and_the_lanes_join(app: GraphPalace, hives: str) -> None:
    assert set(await found(app, hives, "clover", "expanded", wing="ships")) == set()
    answer = await app.recall.search(hives, SearchRequest("clover", lanes=["fulltext", "semantic", "expanded"]))
    assert answer.plan.weights["expanded"] == 0.02
    assert {"fulltext", "semantic", "expanded"} <= answer.hits[0].lanes.keys()
    assert sum(lane.share for lane in answer.hits[0].lanes.values()) == pytest.approx(1)


async def test_it_is_not_asked_unless_a_plan_has_it(app: GraphPalace, hives: str) -> None:
    answer = await app.recall.search(hives, SearchRequest("clover", lanes=["path"]))
    assert "expanded" not in answer.hits[0].lanes
    with pytest.raises(InvalidInput, match="expanded"):
        await app.recall.search(hives, SearchRequest("clover", lanes=["rm3"]))
