"""The full-text lane finds a text by every usual spelling of its words, on the tokenizer and the stems of Lucene."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.domain.search.test_search_words import SPELLINGS

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.domain.palaces.languages import Language
from graphpalace.domain.search.request import SearchRequest
from graphpalace.store.palaces import languages as word_forms
from graphpalace.store.palaces.languages import WordForms, WordsDue, renew_words


async def found(app: GraphPalace, palace: str, query: str, *, wing: str | None = None) -> list[str]:
    """Return the texts that the full-text lane finds, best first."""
    answer = await app.recall.search(palace, SearchRequest(query, lanes=["fulltext"], top_k=5, wing=wing))
    return [hit.text for hit in answer.hits]


async def add(app: GraphPalace, palace: str, *texts: str, wing: str = "w") -> None:
    await app.drawers.add_many(palace, [NewDrawer(text=text, wing=wing) for text in texts])


async def test_every_spelling_of_a_word_finds_every_other(app: GraphPalace, palace: str) -> None:
    texts = {spelling: f"note {at}: {spelling} is there" for at, spelling in enumerate(sum(SPELLINGS, ()))}
    await add(app, palace, *texts.values())
    for spellings in SPELLINGS:
        for asked in spellings:
            answer = await app.recall.search(palace, SearchRequest(asked, lanes=["fulltext"], top_k=50))
            missing = [one for one in spellings if texts[one] not in {hit.text for hit in answer.hits}]
            assert not missing, (asked, missing)


async def test_a_wing_of_each_kind_of_stems_folds_accents_and_still_stems(app: GraphPalace, palace: str) -> None:
    wings: dict[Language, tuple[str, str]] = {
        "de": ("Die Häuser in Köln", "Haus koln"),
        "es": ("La señora Peña lee canciones", "Pena canción"),
        "pt": ("Novas informações sobre Conceição", "informacao conceicao informação"),
        "da": ("Smørrebrødet på Østerbro", "smorrebrod Osterbro"),
        "fr": ("Les élèves de Crémieux", "eleve Cremieux"),
        "tr": ("İzmir'de güneşli bir gün", "izmir İzmir gun gün"),
        "cs": ("Ve městech a na náměstí", "mestech namesti"),
    }
    for language, (text, _) in wings.items():
        await app.drawers.add(palace, NewDrawer(text=text, wing=language, language=language))
    for language, (text, words) in wings.items():
        for word in words.split():
            assert await found(app, palace, word, wing=language) == [text], (language, word)
            assert text in await found(app, palace, word)


async def test_no_spelling_gives_a_word_more_weight(app: GraphPalace, palace: str) -> None:
    kites = ["Pena has a red kite", "Peña has a red kite", "the Q-7 is a red kite", "the Q7 is a red kite"]
    days = ("dry", "wet", "cold", "hot", "dull", "fine")
    await add(app, palace, *kites, *(f"a plain note on {day} weather" for day in days))

    async def scores(query: str) -> dict[str, float]:
        answer = await app.recall.search(palace, SearchRequest(query, lanes=["fulltext"], top_k=10))
        return {hit.text: hit.lanes["fulltext"].score for hit in answer.hits}

    one, other = (await scores("Peña")), (await scores("Pena"))
    assert one == other and len(one) == 2 and len(set(one.values())) == 1
    with_sign, without = await scores("Q-7"), await scores("Q7")
    assert set(with_sign) == set(without)
    # A word with its sign and its parts is worth one word: in the answer, and in what the best could reach.
    kite = await scores("kite")
    assert max(with_sign.values()) < 3 * max(kite.values())
    asked = await app.recall.search(palace, SearchRequest("Q-7", lanes=["fulltext"]))
    assert asked.hits[0].lanes["fulltext"].evidence == pytest.approx(1.0, abs=0.02)


async def test_a_publication_is_first_for_its_number_however_it_is_written(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    (tmp_path / "p.jsonl").write_text(
        "\n".join(
            json.dumps({"pub_id": number, "family_id": "F", "title": "A lock", "abst": "A lock with a bolt."})
            for number in ("EP2345671B1", "EP2345672A1", "US20190087654A1")
        )
    )
    await app.ingesting.files([tmp_path], palace=palace, wing="pat")
    for number in ("EP2345672A1", "EP 2345672 A1", "EP 2 345 672", "ep2345672", "2345672"):
        answer = await app.recall.search(palace, SearchRequest(number))
        assert answer.hits[0].source.uri.endswith("EP2345672A1"), number
    (page, _) = await app.drawers.page(palace, wing="pat", room=None, after="", limit=10)
    drawer = next(one for one in page if one.pub_id == "US20190087654A1")
    await app.drawers.update(palace, drawer.id, DrawerUpdate(title="Another title"))
    answer = await app.recall.search(palace, SearchRequest("US 2019/0087654 A1", lanes=["fulltext"]))
    assert answer.hits[0].id == drawer.id


async def test_old_words_are_renewed_and_an_interrupted_renewal_goes_on(
    app: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add(app, palace, *(f"Señor Muñoz {n} has state:done" for n in range(5)))
    assert palace not in [due.name for due in await WordForms(app.database).due()]
    await app.database.write(palace, "tests/make_old_words")
    assert await found(app, palace, "Munoz") == []
    monkeypatch.setattr(word_forms, "_AT_ONCE", 2)
    (due,) = [due for due in await WordForms(app.database).due() if due.name == palace]
    assert (due.renewed_to, due.drawers, due.left) == ("", 5, 5)
    await WordForms(app.database).renew_some(due)
    assert len(await found(app, palace, "Munoz")) == 2  # searches go on meanwhile

    told: list[WordsDue] = []
    assert palace in await renew_words(app.database, told.append)
    assert [one.left for one in told if one.name == palace] == [3, 1, 0]
    assert len(await found(app, palace, "Munoz done")) == 5
    assert await renew_words(app.database) == []
