"""Names are merged and split by hand, and a split gives back what a merge took."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.domain.knowledge.fact_requests import FactQuery, NewFact
from graphpalace.domain.knowledge.names import Merge, NamePageQuery, NameQuery, NamesToRead, Split
from graphpalace.domain.walking.graph_snapshot import RELATIONS
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.replica.known_names import KnownNames
from graphpalace.settings.load import Settings

TEXTS = [
    "I saw Ada Lovelace and also Countess Augusta in London, with Countess Augusta in front.",
    "It was Ada Lovelace again.",
    "There was Countess Augusta alone.",
    "We went to London with Charles Babbage.",
]


@pytest.fixture(scope="module")
async def reading(settings: Settings) -> AsyncIterator[GraphPalace]:
    """Operations that read names by rules, when they are told to."""
    by_rules = settings.model_copy(
        update={"entities": settings.entities.model_copy(update={"recogniser": "rules", "read_after_s": 3600.0})}
    )
    async with wiring.opened(by_rules, embedder=WordEmbedder()) as opened:
        yield opened
        for palace in opened.knowledge.names.waiting:
            opened.knowledge.names.forget(palace)


@pytest.fixture
async def drawers(reading: GraphPalace, palace: str) -> list[str]:
    """The drawers of the texts, whose names are read, with a fact and a trail on every edge."""
    added = await reading.drawers.add_many(
        palace, [NewDrawer(text=text, wing="history", room=f"room {at}") for at, text in enumerate(TEXTS)]
    )
    await reading.knowledge.names.build(palace)
    await reading.database.write(palace, "tests/relate", subject="countess augusta", object="london")
    await reading.database.write(palace, "tests/relate", subject="charles babbage", object="countess augusta")
    await reading.database.write(palace, "tests/relate", subject="ada lovelace", object="countess augusta")
    await reading.database.write(palace, "tests/warm_references")
    return list(added.ids)


async def picture(app: GraphPalace, palace: str) -> list[dict[str, Any]]:
    """Return everything about names that the database holds."""
    return await app.database.read(palace, "tests/picture_of_names")


async def test_a_split_gives_back_exactly_what_a_merge_took(
    reading: GraphPalace, palace: str, drawers: list[str]
) -> None:
    before = await picture(reading, palace)
    merged = await reading.knowledge.name_changes.merge(palace, Merge("ada lovelace", "Countess Augusta"))
    assert (merged.entity.name, merged.entity.drawer_count, list(merged.entity.aliases)) == (
        "Ada Lovelace", 3, ["Countess Augusta"],
    )  # fmt: skip
    assert (merged.drawers, merged.facts) == (2, 3)
    assert await picture(reading, palace) != before
    split = await reading.knowledge.name_changes.split(palace, Split("Ada Lovelace", "countess augusta"))
    assert (split.drawers, split.facts) == (2, 3)
    assert split.other is not None
    assert (split.other.name, split.other.drawer_count) == ("Countess Augusta", 2)
    assert await picture(reading, palace) == before


async def test_merges_in_a_row_are_taken_back_in_turn(reading: GraphPalace, palace: str, drawers: list[str]) -> None:
    before = await picture(reading, palace)
    await reading.knowledge.name_changes.merge(palace, Merge("Ada Lovelace", "Countess Augusta"))
    between = await picture(reading, palace)
    await reading.knowledge.name_changes.merge(
        palace, Merge("Charles Babbage", "Countess Augusta")
    )  # the name means Ada Lovelace now
    page = await reading.knowledge.name_pages.page(palace, NamePageQuery("Countess Augusta"))
    assert (page.entity.name, page.entity.drawer_count, page.merged) == ("Charles Babbage", 4, ["Ada Lovelace"])
    with pytest.raises(Conflict, match="was merged into 'Ada Lovelace'"):
        await reading.knowledge.name_changes.split(palace, Split("Charles Babbage", "Countess Augusta"))
    await reading.knowledge.name_changes.split(palace, Split("Charles Babbage", "Ada Lovelace"))
    assert await picture(reading, palace) == between
    await reading.knowledge.name_changes.split(palace, Split("Ada Lovelace", "Countess Augusta"))
    assert await picture(reading, palace) == before


async def test_later_texts_resolve_to_the_merged_name_and_go_with_a_split(
    reading: GraphPalace, palace: str, drawers: list[str]
) -> None:
    await reading.knowledge.name_changes.merge(palace, Merge("Ada Lovelace", "Countess Augusta"))
    await reading.drawers.add(palace, NewDrawer(text="Here is Countess Augusta, later.", wing="history", room="late"))
    await reading.drawers.update(palace, drawers[0], DrawerUpdate(text="Only Ada Lovelace was here."))
    await reading.knowledge.names.build(palace)
    page = await reading.knowledge.name_pages.page(palace, NamePageQuery("Ada Lovelace"))
    assert (page.entity.drawer_count, page.facts, page.merged) == (4, 3, ["Countess Augusta"])
    split = await reading.knowledge.name_changes.split(palace, Split("Ada Lovelace", "Countess Augusta"))
    assert split.other is not None
    assert (split.entity.drawer_count, split.other.drawer_count) == (2, 2)


async def test_an_alias_of_a_document_is_split_off_and_stays_so(reading: GraphPalace, palace: str) -> None:
    text = NewDrawer(text="We met J. Smith, Dr. John Smith, in Paris.", wing="history", room="people")
    drawer = (await reading.drawers.add(palace, text)).drawer.id
    await reading.knowledge.names.build(palace)
    page = await reading.knowledge.name_pages.page(palace, NamePageQuery("John Smith"))
    assert list(page.entity.aliases) == ["J. Smith"]
    assert page.drawers[0].count == 2
    split = await reading.knowledge.name_changes.split(palace, Split("John Smith", "J. Smith"))
    assert split.other is not None
    assert (split.other.name, split.other.drawer_count, list(split.entity.aliases)) == ("J. Smith", 1, [])
    after = await picture(reading, palace)
    await reading.drawers.update(palace, drawer, DrawerUpdate(text=f"{text.text} "))
    await reading.knowledge.names.build(palace)
    assert [row["name"] for row in await picture(reading, palace)] == [row["name"] for row in after]


async def test_a_merge_that_was_made_by_hand_stays_when_its_drawers_go(
    reading: GraphPalace, palace: str, drawers: list[str]
) -> None:
    await reading.knowledge.name_changes.merge(palace, Merge("Ada Lovelace", "Countess Augusta"))
    for drawer in drawers[:3]:
        await reading.drawers.delete(palace, drawer)
    assert (await reading.knowledge.name_pages.find(palace, "Countess Augusta")).name == "Ada Lovelace"
    await reading.drawers.add(palace, NewDrawer(text="See Countess Augusta.", wing="history", room="late"))
    await reading.knowledge.names.build(palace)
    assert (await reading.knowledge.name_pages.find(palace, "Ada Lovelace")).drawer_count == 1


async def test_the_graph_in_memory_follows_a_merge_and_a_split(
    reading: GraphPalace, palace: str, drawers: list[str]
) -> None:
    def ends(snapshot: Any) -> set[tuple[str, str, str]]:
        ids = snapshot.nodes.ids
        return {
            (RELATIONS[relation], ids[source], ids[target])
            for relation, source, target in zip(
                snapshot.edges.relation, snapshot.edges.source, snapshot.edges.target, strict=True
            )
        }

    before = ends(await reading.replica.snapshots.get(palace))
    await reading.knowledge.name_changes.merge(palace, Merge("Ada Lovelace", "Countess Augusta"))
    merged = ends(await reading.replica.snapshots.get(palace))
    reading.replica.snapshots.forget(palace)
    assert ends(await reading.replica.snapshots.get(palace)) == merged != before
    await reading.knowledge.name_changes.split(palace, Split("Ada Lovelace", "Countess Augusta"))
    assert ends(await reading.replica.snapshots.get(palace)) == before


async def test_facts_follow_a_merge_and_a_split_in_memory_too(
    reading: GraphPalace, palace: str, drawers: list[str]
) -> None:
    await reading.knowledge.facts.add(palace, NewFact("Countess Augusta", "was born in", "London"))

    async def subjects() -> tuple[str, str]:
        found = await reading.knowledge.fact_reading.query(palace, FactQuery(predicate="was born in"))
        known = (await reading.replica.known_facts.latest(palace)).facts.values()
        (held,) = [fact for fact in known if fact.predicate == "was_born_in"]
        return found.facts[0].subject, held.subject.name

    assert await subjects() == ("Countess Augusta", "Countess Augusta")
    await reading.knowledge.name_changes.merge(palace, Merge("Ada Lovelace", "Countess Augusta"))
    assert await subjects() == ("Ada Lovelace", "Ada Lovelace")
    await reading.knowledge.name_changes.split(palace, Split("Ada Lovelace", "Countess Augusta"))
    assert await subjects() == ("Countess Augusta", "Countess Augusta")


async def test_what_cannot_be_merged_or_split_changes_nothing(
    reading: GraphPalace, palace: str, drawers: list[str]
) -> None:
    before = await picture(reading, palace)
    with pytest.raises(InvalidInput, match="is 'Ada Lovelace' already"):
        await reading.knowledge.name_changes.merge(palace, Merge("Ada Lovelace", "ADA LOVELACE"))
    with pytest.raises(NotFound, match="no name 'Nobody'"):
        await reading.knowledge.name_changes.merge(palace, Merge("Ada Lovelace", "Nobody"))
    with pytest.raises(NotFound, match="no alias 'Countess Augusta'"):
        await reading.knowledge.name_changes.split(palace, Split("Ada Lovelace", "Countess Augusta"))
    with pytest.raises(NotFound, match="no alias 'Ada Lovelace'"):
        await reading.knowledge.name_changes.split(palace, Split("Ada Lovelace", "Ada Lovelace"))
    with pytest.raises(InvalidInput, match=r"^alias is"):
        await reading.knowledge.name_changes.split(palace, Split("Ada Lovelace", ""))
    assert await picture(reading, palace) == before


async def test_a_name_has_a_page_with_drawers_facts_and_neighbours(
    reading: GraphPalace, palace: str, drawers: list[str]
) -> None:
    page = await reading.knowledge.name_pages.page(palace, NamePageQuery("LONDON"))
    assert {drawer.drawer for drawer in page.drawers} == {drawers[0], drawers[3]}
    assert (page.drawers[0].wing, page.facts) == ("history", 1)
    assert (page.neighbours[0].name, page.neighbours[0].shared) == ("Charles Babbage", 1)  # the rarest
    assert {each.name for each in page.neighbours} == {"Charles Babbage", "Countess Augusta", "Ada Lovelace"}
    listed = await reading.knowledge.name_pages.listed(palace, NameQuery(limit=2))
    assert ([each.drawer_count for each in listed.names], listed.next) == ([2, 2], 2)
    rest = await reading.knowledge.name_pages.listed(palace, NameQuery(offset=2, limit=2))
    assert ([each.name for each in rest.names], rest.next) == (["London", "Charles Babbage"], None)
    assert [
        each.name for each in (await reading.knowledge.name_pages.listed(palace, NameQuery(query="love"))).names
    ] == ["Ada Lovelace"]
    with pytest.raises(InvalidInput, match=r"^limit is 0"):
        await reading.knowledge.name_pages.listed(palace, NameQuery(limit=0))
    with pytest.raises(InvalidInput, match=r"^offset is -1"):
        await reading.knowledge.name_pages.page(palace, NamePageQuery("London", offset=-1))
    with pytest.raises(NotFound, match="no palace"):
        await reading.knowledge.name_pages.listed("nowhere", NameQuery())


BROWNS = [
    "Peter Brown, the brewer, bought barley in Ulm.",
    "Peter Brown the carpenter built a barn near Bern.",
    "We met Mr. Peter Brown in Ulm.",
]


@pytest.fixture
async def browns(reading: GraphPalace, palace: str) -> list[str]:
    """Drawers of a room in which two people have one name."""
    added = await reading.drawers.add_many(palace, [NewDrawer(text, wing="town", room="people") for text in BROWNS])
    await reading.knowledge.names.build(palace)
    return list(added.ids)


async def _drawers_of(app: GraphPalace, palace: str, name: str) -> set[str]:
    return {each.drawer for each in (await app.knowledge.name_pages.page(palace, NamePageQuery(name))).drawers}


async def test_notes_of_a_room_are_no_document_in_which_a_surname_means_one_person(
    reading: GraphPalace, palace: str, browns: list[str]
) -> None:
    await reading.drawers.add(palace, NewDrawer("Yesterday Dr. Brown had no time.", wing="town", room="people"))
    await reading.knowledge.names.build(palace)
    assert await _drawers_of(reading, palace, "Peter Brown") == set(browns)
    (doctor,) = await _drawers_of(reading, palace, "Brown")
    assert doctor not in browns


async def test_a_name_that_may_be_two_people_is_told_with_the_drawers_of_each(
    reading: GraphPalace, palace: str, browns: list[str]
) -> None:
    (doubt,) = (await reading.knowledge.name_pages.listed(palace, NameQuery())).may_be_two
    assert doubt.name == "Peter Brown"
    assert {each.sign: list(each.drawers) for each in doubt.signs} == {"brewer": browns[:1], "carpenter": browns[1:2]}
    assert (await reading.knowledge.name_pages.page(palace, NamePageQuery("Peter Brown"))).may_be_two == doubt.signs
    await reading.knowledge.name_changes.split(palace, Split("Peter Brown", drawers=browns[1:2]))
    assert (await reading.knowledge.name_pages.listed(palace, NameQuery())).may_be_two == []
    assert (await reading.knowledge.name_pages.page(palace, NamePageQuery("Peter Brown"))).may_be_two == ()


async def test_a_mention_is_given_to_another_name_and_stays_there_whenever_names_are_read(
    reading: GraphPalace, palace: str, browns: list[str]
) -> None:
    await reading.database.write(palace, "tests/warm_references")
    before = await picture(reading, palace)
    split = await reading.knowledge.name_changes.split(
        palace, Split("Peter Brown", "Peter Brown (carpenter)", drawers=browns[1:2])
    )
    assert split.other is not None
    assert (split.entity.drawer_count, split.other.drawer_count, split.drawers) == (2, 1, 1)
    after = await picture(reading, palace)
    (trail,) = (row["references"] for row in after if row["name"] == "Peter Brown (carpenter)")
    (was,) = (row["references"] for row in before if row["name"] == "Peter Brown")
    assert [each["edge"] for each in trail] == [each["edge"] for each in was if each["drawer"] == browns[1]]
    await reading.drawers.update(palace, browns[1], DrawerUpdate(text=f"{BROWNS[1]} It was large."))
    await reading.knowledge.names.build(palace, NamesToRead(again=True))
    assert [(row["name"], row["references"]) for row in await picture(reading, palace)] == [
        (row["name"], row["references"]) for row in after
    ]


async def test_a_merge_takes_a_given_mention_back_and_it_can_be_given_on(
    reading: GraphPalace, palace: str, browns: list[str]
) -> None:
    split = await reading.knowledge.name_changes.split(palace, Split("Peter Brown", drawers=browns[1:]))
    assert split.other is not None
    assert split.other.name == "Peter Brown (2)"
    assert (
        await reading.knowledge.name_changes.split(palace, Split("Peter Brown (2)", "Otto", drawers=browns[2:]))
    ).drawers == 1
    assert await _drawers_of(reading, palace, "Otto") == {browns[2]}
    await reading.knowledge.name_changes.split(palace, Split("Otto", "Peter Brown", drawers=browns[2:]))
    await reading.knowledge.name_changes.merge(palace, Merge("Peter Brown", "Peter Brown (2)"))
    for again in (False, True):
        await reading.knowledge.names.build(palace, NamesToRead(again=again))
        assert await _drawers_of(reading, palace, "Peter Brown") == set(browns)
    await reading.knowledge.name_changes.split(palace, Split("Peter Brown", "Peter Brown (2)"))
    await reading.knowledge.names.build(palace, NamesToRead(again=True))
    assert await _drawers_of(reading, palace, "Peter Brown (2)") == {browns[1]}


async def test_a_name_all_of_whose_mentions_were_given_away_stays_so_that_it_can_have_them_again(
    reading: GraphPalace, palace: str, browns: list[str]
) -> None:
    await reading.knowledge.name_changes.split(palace, Split("Peter Brown", "Peter B. Brown", drawers=browns))
    assert await _drawers_of(reading, palace, "Peter Brown") == set()
    await reading.knowledge.name_changes.merge(palace, Merge("Peter Brown", "Peter B. Brown"))
    assert await _drawers_of(reading, palace, "Peter Brown") == set(browns)
    await reading.knowledge.name_changes.split(palace, Split("Peter Brown", "Peter B. Brown"))
    for drawer in browns[1:]:
        await reading.drawers.delete(palace, drawer)
    await reading.knowledge.names.build(palace, NamesToRead(again=True))
    assert await _drawers_of(reading, palace, "Peter B. Brown") == {browns[0]}


async def test_mentions_that_cannot_be_given_away_change_nothing(
    reading: GraphPalace, palace: str, browns: list[str]
) -> None:
    before = await picture(reading, palace)
    with pytest.raises(NotFound, match="does not mention 'Bern'"):
        await reading.knowledge.name_changes.split(palace, Split("Bern", "Berne", drawers=browns))
    with pytest.raises(InvalidInput, match=r"^alias is 'PETER BROWN', which is 'Peter Brown' already"):
        await reading.knowledge.name_changes.split(palace, Split("Peter Brown", "PETER BROWN", drawers=browns[:1]))
    with pytest.raises(InvalidInput, match=r"^alias is missing"):
        await reading.knowledge.name_changes.split(palace, Split("Peter Brown"))
    with pytest.raises(InvalidInput, match=r"^drawers has 201 ids"):
        await reading.knowledge.name_changes.split(palace, Split("Peter Brown", drawers=["drawer-0"] * 201))
    assert await picture(reading, palace) == before


async def test_the_names_in_memory_follow_every_merge_and_split(
    reading: GraphPalace, palace: str, drawers: list[str]
) -> None:
    async def meanings(known: KnownNames) -> dict[str, tuple[str, list[str]] | None]:
        """Return for each spelling the name that it means, and the drawers that mention that."""
        index = await known.of(palace, await reading.replica.indexes.look(palace))
        found = dict[str, tuple[str, list[str]] | None]()
        for spelling in ("ada lovelace", "countess augusta", "london", "lady day", "charles babbage", "enchantress"):
            row = index.named(spelling)
            start, end = (0, 0) if row is None else index.name_start[row : row + 2].tolist()
            mentions = sorted(index.drawers[at] for at in index.mentions.drawer[start:end].tolist())
            found[spelling] = None if row is None else (index.shown[row], mentions)
        return found

    await reading.knowledge.facts.add(palace, NewFact("Lady Day", "knows", "Enchantress"))
    changes = [
        lambda: reading.knowledge.name_changes.merge(palace, Merge("Ada Lovelace", "Countess Augusta")),
        lambda: reading.knowledge.name_changes.merge(
            palace, Merge("Charles Babbage", "lady day")
        ),  # no drawer mentions her
        lambda: reading.knowledge.name_changes.merge(palace, Merge("London", "Ada Lovelace")),
        lambda: reading.knowledge.name_changes.split(palace, Split("London", "Ada Lovelace")),
        lambda: reading.knowledge.name_changes.merge(palace, Merge("Ada Lovelace", "enchantress")),
        lambda: reading.knowledge.name_changes.split(palace, Split("Ada Lovelace", "Countess Augusta")),
        lambda: reading.knowledge.name_changes.split(palace, Split("Charles Babbage", "lady day")),
        lambda: reading.knowledge.name_changes.split(palace, Split("Ada Lovelace", "enchantress")),
        lambda: reading.knowledge.name_changes.split(palace, Split("London", "Lady Day", drawers=[drawers[3]])),
        lambda: reading.drawers.delete(palace, drawers[0]),
    ]
    await reading.replica.indexes.warm(palace)
    await meanings(reading.replica.known_names)
    for number, change in enumerate(changes):
        await change()
        assert await meanings(reading.replica.known_names) == await meanings(KnownNames(reading.database, rate=0.0)), (
            number
        )
