"""A wing's words are analysed in its own language, and a palace in one language is as it was."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.unit.ingest.test_language import CHINESE, ENGLISH, GERMAN, RUSSIAN, SHORT
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.domain.palaces.languages import ANALYZERS
from graphpalace.domain.search.request import SearchRequest
from graphpalace.errors import InvalidInput
from graphpalace.settings.load import Settings
from graphpalace.store.connection.schema import ServerStore


async def found(app: GraphPalace, palace: str, query: str, *, wing: str | None = None) -> list[str]:
    """Return the wings of what the full-text lane finds, best first."""
    answer = await app.recall.search(palace, SearchRequest(query, lanes=["fulltext"], wing=wing, top_k=10))
    return [hit.wing for hit in answer.hits]


async def languages(app: GraphPalace, palace: str) -> dict[str, str | None]:
    return {wing.name: wing.language for wing in await app.drawers.wings(palace)}


async def own_indexes(app: GraphPalace, palace: str) -> set[str]:
    names = {index.name for index in await ServerStore(app.database).indexes()}
    return {
        name for name in names if name.endswith(f"_{palace}") and any(f"_{one}_" in name for one in ANALYZERS.values())
    }


@pytest.fixture
async def german(settings: Settings) -> AsyncIterator[GraphPalace]:
    """All operations, with every wing said to be German."""
    ingest = settings.ingest.model_copy(update={"language": "de"})
    async with wiring.opened(settings.model_copy(update={"ingest": ingest}), embedder=WordEmbedder()) as opened:
        yield opened


async def test_german_stems_as_german_beside_an_english_wing(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    for name, text in (("garten", GERMAN), ("garden", ENGLISH)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "roses.txt").write_text(text, "utf-8")
        await app.ingesting.files([tmp_path / name], palace=palace, wing=name)
    assert await languages(app, palace) == {"garten": "de", "garden": "en"}
    for question in ("Blatt", "geschnittene", "Gärten"):  # the text has Blätter, geschnitten and Garten
        assert (await found(app, palace, question))[:1] == ["garten"]
        assert await found(app, palace, question, wing="garten") == ["garten"]
        assert await found(app, palace, question, wing="garden") == []
    assert (await found(app, palace, "flowering leaf healthy"))[:1] == ["garden"]
    assert "garten" in await found(app, palace, "Frost compost")


async def test_russian_and_chinese_are_found_by_their_words(app: GraphPalace, palace: str) -> None:
    for wing, text in (("ru", RUSSIAN), ("zh", CHINESE)):
        await app.drawers.add(palace, NewDrawer(text=text, wing=wing))
    assert await languages(app, palace) == {"ru": "ru", "zh": "zh"}
    assert await found(app, palace, "роза и мороз") == ["ru"]  # the text has other forms of both
    assert await found(app, palace, "玫瑰什么时候修剪") == ["zh"]


async def test_an_english_palace_has_no_index_more_and_its_drawers_the_properties_they_had(
    app: GraphPalace, palace: str
) -> None:
    before = await own_indexes(app, palace)
    added = await app.drawers.add(palace, NewDrawer(text=ENGLISH, wing="garden"))
    await app.drawers.add(palace, NewDrawer(text="danke", wing="notes"))
    assert await own_indexes(app, palace) == before
    assert await languages(app, palace) == {"garden": "en", "notes": None}
    row = (await app.database.read(palace, "tests/properties_of_drawer", id=added.drawer.id))[0]
    assert {name for name in row["names"] if "words" in name} == {"words", "title_words"}


async def test_a_changed_text_and_title_are_found_in_the_language_of_their_wing(app: GraphPalace, palace: str) -> None:
    added = await app.drawers.add(palace, NewDrawer(text=GERMAN, wing="garten"))
    await app.drawers.update(
        palace, added.drawer.id, DrawerUpdate(text="Die Äpfel werden geerntet", title="Die Häuser")
    )
    assert await found(app, palace, "Apfel") == ["garten"]
    assert await found(app, palace, "Haus") == ["garten"]
    assert await found(app, palace, "Rose") == []


async def test_a_language_that_is_set_moves_the_words_of_a_wing_and_back(
    app: GraphPalace, german: GraphPalace, palace: str
) -> None:
    await app.drawers.add(palace, NewDrawer(text="Die Blätter", wing="garten"))  # too little to guess from
    await app.drawers.add(palace, NewDrawer(text=ENGLISH, wing="garden"))
    assert await found(app, palace, "Blatt") == []
    await german.drawers.add(palace, NewDrawer(text="Der Baum", wing="garten"))
    await german.drawers.add(palace, NewDrawer(text="Roses", wing="garden"))
    assert await languages(app, palace) == {"garten": "de", "garden": "de"}
    assert await found(app, palace, "Blatt") == ["garten"]
    assert await found(app, palace, "flowers") == []  # flower, stemmed as German
    settings = german.settings.ingest.model_copy(update={"language": "en"})
    async with wiring.opened(german.settings.model_copy(update={"ingest": settings}), embedder=WordEmbedder()) as back:
        await back.drawers.add(palace, NewDrawer(text="More roses", wing="garden"))
    assert await languages(app, palace) == {"garten": "de", "garden": "en"}
    assert await found(app, palace, "flowers") == ["garden"]


async def test_a_language_is_guessed_only_once(app: GraphPalace, palace: str) -> None:
    await app.drawers.add(palace, NewDrawer(text=GERMAN, wing="garden"))
    await app.drawers.add(palace, NewDrawer(text=ENGLISH, wing="garden"))
    assert await languages(app, palace) == {"garden": "de"}
    assert len(await found(app, palace, "Blatt")) == 1


async def test_a_dropped_palace_leaves_no_index(app: GraphPalace) -> None:
    name = "dropped_languages"
    await app.create_palace(name)
    await app.drawers.add(name, NewDrawer(text=GERMAN, wing="garten"))
    assert await own_indexes(app, name) == {f"drawer_german_{kind}_{name}" for kind in ("stems", "exact")}
    await app.drop_palace(name)
    assert await own_indexes(app, name) == set()


async def test_short_notes_that_come_one_by_one_are_judged_together(app: GraphPalace, palace: str) -> None:
    for text in [*SHORT["de"].split(". "), "Die Häuser am Ufer sind alt."]:
        await app.drawers.add(palace, NewDrawer(text=text, wing="notizen"))
    assert await languages(app, palace) == {"notizen": "de"}
    assert await found(app, palace, "Haus") == ["notizen"]
    await app.drawers.add(palace, NewDrawer(text="우산은 현관에 있다", wing="메모"))
    assert await found(app, palace, "우산") == ["메모"]


async def test_a_language_that_is_named_with_a_text_is_that_of_its_wing(app: GraphPalace, palace: str) -> None:
    for language in ("de", "de", "en"):  # the second time it is stored already, the third time it is corrected
        await app.drawers.add(palace, NewDrawer(text="Die Blätter", wing="w", language=language))
        assert await languages(app, palace) == {"w": language}
    with pytest.raises(InvalidInput, match="a wing has one language"):
        await app.drawers.add_many(
            palace, [NewDrawer("eins", "w", language="de"), NewDrawer("one", "w", language="en")]
        )
    with pytest.raises(InvalidInput, match="language is 'xx'; it must be one of ar, bg"):
        await app.drawers.add(palace, NewDrawer(text="x", wing="w", language="xx"))  # pyright: ignore[reportArgumentType]
