"""What is exported and imported is the same palace."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import hypothesis
import hypothesis.strategies as st
import pytest
from tests.acceptance.served import changed, eventually
from tests.rich_palace import TEXTS, fill
from tests.spare_palaces import spare_name
from tests.words import ShortEmbedder, WordEmbedder

from graphpalace.app import GraphPalace
from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.client.export_folder import ExportFolder
from graphpalace.domain.transfer.answers import TransferProgress
from graphpalace.domain.transfer.kinds import KINDS
from graphpalace.errors import Conflict, DatabaseBusy, GraphPalaceError, InvalidInput
from graphpalace.replica import read_again
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database, Row
from graphpalace.store.connection.schema import migrations
from graphpalace.store.learning.searches import SearchStore

_OWN = {"revision", "settled_revision", "divided_revision"}  # of the palace's node, which counts its own writes


def differences(one: Counter[str], other: Counter[str]) -> tuple[list[str], list[str]]:
    return list((one - other).elements()), list((other - one).elements())


async def graph(app: GraphPalace, palace: str, *, without: Collection[str] = _OWN) -> Counter[str]:
    """Return all nodes and relationships of a palace as texts, each with how often it is there."""
    nodes = await app.database.read(palace, "tests/whole_nodes")
    edges = await app.database.read(palace, "tests/whole_edges")
    return Counter(
        json.dumps(
            [row["what"], {k: v for k, v in row["properties"].items() if k not in without}], default=str, sort_keys=True
        )
        for row in (*nodes, *edges)
    )


@pytest.fixture(scope="module")
def by_rules(settings: Settings) -> Settings:
    """Settings that read names by rules, when they are asked to."""
    return changed(settings, entities={"recogniser": "rules", "read_after_s": 3600})


class Whole:
    """A palace that uses everything, its graph and its export."""

    name: str
    folder: Path
    rows: dict[str, int]
    graph: Counter[str]


@pytest.fixture(scope="module")
async def whole(app: GraphPalace, by_rules: Settings, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Whole]:
    found = Whole()
    found.name = spare_name()
    folder = tmp_path_factory.mktemp("files")
    await app.create_palace(found.name)
    async with AsyncPalace.open(found.name, by_rules, embedder=WordEmbedder()) as door:
        await fill(door, folder)
    found.graph = await graph(app, found.name)  # now that all is written
    found.folder = folder / "out"
    async with AsyncPalace.open(found.name, by_rules, embedder=WordEmbedder()) as door:
        found.rows = dict((await door.export(found.folder, runs=True)).rows)
    yield found
    await app.drop_palace(found.name)


@pytest.fixture
async def door(by_rules: Settings, palace: str) -> AsyncIterator[AsyncPalace]:
    """An empty palace."""
    async with AsyncPalace.open(palace, by_rules, embedder=WordEmbedder()) as found:
        yield found


async def test_a_palace_that_uses_everything_is_the_same_after_an_export_and_an_import(
    app: GraphPalace, whole: Whole, by_rules: Settings
) -> None:
    assert {file for file in KINDS if file not in whole.rows} <= {"tunnel"}
    await app.drop_palace(whole.name)
    async with AsyncPalace.open(whole.name, by_rules, embedder=WordEmbedder()) as door:
        steps: list[str] = []
        found = await door.import_(whole.folder, progress=lambda now: steps.append(now.file))
        assert steps[-1] == "derived_from"
        assert differences(whole.graph, await graph(app, whole.name)) == ([], [])
        assert (dict(found.created), found.kept, found.left_out) == (whole.rows, {}, {})
        again = await door.import_(whole.folder)
        assert (again.created, again.conflicts, again.linked) == ({}, 0, 0)
        other, _ = differences(whole.graph, await graph(app, whole.name))
        # The palace counts that it was written to, and its rooms are settled again.
        assert {json.loads(one)[0] for one in other} <= {"Palace ", "Room "}


async def test_times_are_those_of_the_palace_and_those_that_were_imported_with_a_named_zone_are_mended(
    app: GraphPalace, whole: Whole, by_rules: Settings
) -> None:
    before = await app.database.read(whole.name, "tests/times")
    assert len({row["what"].split()[0] for row in before}) > 10
    await app.drop_palace(whole.name)
    async with AsyncPalace.open(whole.name, by_rules, embedder=WordEmbedder()) as door:
        await door.import_(whole.folder)
    assert await app.database.read(whole.name, "tests/times") == before
    (done,) = await app.database.write(whole.name, "tests/name_zones")
    assert done["named"] > 50
    assert "[UTC]" in (await app.database.read(whole.name, "tests/times"))[0]["time"]
    (mending,) = (one for one in migrations() if one.version == "0020")
    for statement in mending.statements:
        await app.database.run_statement(statement)
    assert await app.database.read(whole.name, "tests/times") == before


async def test_under_another_name_ids_are_those_that_the_palace_would_have_given(
    app: GraphPalace, whole: Whole, door: AsyncPalace, palace: str, tmp_path: Path
) -> None:
    found = await door.import_(whole.folder)
    assert found.left_out.keys() == {"simulations", "simulation_states", "simulation_jobs", "found"}
    assert found.created == {file: rows for file, rows in whole.rows.items() if file not in found.left_out}
    assert len((await door.fact_timeline("Ada Lovelace")).facts) > 1
    again = await door.add_many(TEXTS, wing="history", room="people")
    assert (again.created, again.kept) == (0, 3)
    await door.export(tmp_path / "out", runs=True)
    texts = "".join(path.read_text("utf-8") for path in (tmp_path / "out").iterdir())
    assert not re.search(rf"\b{whole.name}\b", texts)
    there = {
        id for path in whole.folder.iterdir() for id in re.findall(r"\b[a-z]+-[0-9a-f]{26}\b", path.read_text("utf-8"))
    }
    assert not there & set(re.findall(r"\b[a-z]+-[0-9a-f]{26}\b", texts))


async def test_what_a_palace_has_stays_as_it_is_and_new_drawers_are_linked_to_it(
    app: GraphPalace, door: AsyncPalace, palace: str, tmp_path: Path
) -> None:
    same = await door.add("Prune the roses in late winter.", wing="garden", room="roses")
    await door.add("Feed the roses in late winter.", wing="garden", room="roses")
    found = await door.search("roses")
    await door.feedback(found.run, useful=[same.id])
    await door.add_fact("Ann", "lives_in", "Oslo", valid_from="2019")
    await door.export(tmp_path / "out")
    await door.palaces.drop(palace)
    await door.palaces.create(palace)
    await door.add("Prune the roses in winter.", wing="garden", room="roses")
    kept = await door.add("Prune the roses in late winter.", wing="garden", room="roses", author="Bob")
    assert kept.id == same.id
    again = await door.search("roses")
    await door.feedback(again.run, useful=[kept.id])
    await app.database.write(palace, "tests/advance_clock", cycles=5)

    done = await door.import_(tmp_path / "out")
    assert done.created["drawers"] == 1
    assert (done.conflicts, done.named_conflicts) == (1, [f"drawers {same.id}: author"])
    assert done.linked > 0
    assert (await door.get(same.id)).author == "Bob"
    assert {hit.text for hit in (await door.search("roses")).hits} == {
        "Prune the roses in late winter.", "Prune the roses in winter.", "Feed the roses in late winter.",
    }  # fmt: skip
    assert [one.object for one in (await door.facts("Ann")).facts] == ["Oslo"]
    lessons = await door.feedbacks()
    assert len(lessons) == 2
    learned = await app.database.read(palace, "tests/lesson_numbers")
    assert [row["learned"] for row in learned] == [1, 2]
    nodes = await app.database.read(palace, "tests/whole_nodes")
    assert {row["properties"]["cycle"] for row in nodes if "Feedback" in row["what"]} == {0, 5}
    assert not [row for row in nodes if "imported" in row["properties"]]


async def test_vectors_can_be_left_out_and_are_then_the_same(
    app: GraphPalace, whole: Whole, by_rules: Settings, tmp_path: Path
) -> None:
    async with AsyncPalace.open(whole.name, by_rules, embedder=WordEmbedder()) as door:
        before = await graph(app, whole.name)
        done = await door.export(tmp_path / "out", vectors=False)
        assert "embedding" not in (tmp_path / "out" / "drawers.jsonl").read_text("utf-8")
        await app.drop_palace(whole.name)
        found = await door.import_(tmp_path / "out")
        assert found.created == done.rows
        lost, more = differences(before, await graph(app, whole.name))
        # Searches and runs were not asked for. Rooms are settled again.
        assert {json.loads(one)[0] for one in lost} <= {"Search ", "Run ", "Room ", "Palace "} | {
            json.loads(one)[0] for one in lost if " DERIVED_FROM " in one
        }
        assert {json.loads(one)[0] for one in more} <= {"Room ", "Palace "}
    async with AsyncPalace.open(whole.name, by_rules, embedder=ShortEmbedder()) as other:
        await app.drop_palace(whole.name)
        found = await other.import_(tmp_path / "out")
        assert found.left_out == {"similar_to": done.rows["similar_to"]}
        assert found.linked > 0
        assert (await other.search("prune roses")).hits[0].text.startswith("Prune the roses")
        with pytest.raises(Conflict, match="--no-vectors"):
            await other.import_(whole.folder)


async def test_an_interrupted_import_is_repeated_and_ends_the_same(
    app: GraphPalace, whole: Whole, by_rules: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    await app.drop_palace(whole.name)
    async with AsyncPalace.open(whole.name, by_rules, embedder=WordEmbedder()) as door:
        for last in ("drawers", "similar_to"):

            def stop(now: TransferProgress, last: str = last) -> None:
                if now.file == last:
                    raise KeyboardInterrupt

            with pytest.raises(KeyboardInterrupt):
                await door.import_(whole.folder, progress=stop)
        done = await door.import_(whole.folder)
        assert done.kept["drawers"] == whole.rows["drawers"]
        assert differences(whole.graph, await graph(app, whole.name)) == ([], [])


async def test_what_neo4j_does_not_read_to_its_end_is_read_again(
    door: AsyncPalace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream, ended = Database.stream, Counter[str]()

    def mortal(most: int) -> Callable[..., AsyncIterator[Row]]:
        async def streamed(database: Database, palace: str | None, name: str, /, **given: Any) -> AsyncIterator[Row]:
            async for row in stream(database, palace, name, **given):
                yield row
                if ended[name] < most:
                    ended[name] += 1
                    raise DatabaseBusy("read outdated data, retry")

        return streamed

    for text in TEXTS:
        await door.add(text, wing="garden")
    await door.export(tmp_path / "undisturbed")
    monkeypatch.setattr(read_again, "_PAUSE_S", 0)
    monkeypatch.setattr(Database, "stream", mortal(3))
    done = await door.export(tmp_path / "out")
    assert ended == {"transfer/list_nodes": 3, "transfer/list_edges": 3}
    assert done.rows["drawers"] == len(TEXTS)
    list(ExportFolder(tmp_path / "out").check())
    for file in done.rows:
        found, undisturbed = ((tmp_path / name / f"{file}.jsonl").read_bytes() for name in ("out", "undisturbed"))
        assert sorted(found.splitlines()) == sorted(undisturbed.splitlines())
    ended.clear()
    monkeypatch.setattr(Database, "stream", mortal(4))
    with pytest.raises(DatabaseBusy):
        await door.export(tmp_path / "never")
    assert not (tmp_path / "never").exists()


async def test_an_export_that_is_interrupted_leaves_nothing(door: AsyncPalace, tmp_path: Path) -> None:
    await door.add("Prune the roses.", wing="garden")

    def stop(_now: TransferProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await door.export(tmp_path / "out", progress=stop)
    assert list(tmp_path.iterdir()) == []  # noqa: ASYNC240
    (tmp_path / "out").mkdir()
    await door.export(tmp_path / "out")  # an empty folder may be there
    with pytest.raises(Conflict, match="not empty"):
        await door.export(tmp_path / "out")


async def test_texts_of_any_characters_stay_word_for_word(
    app: GraphPalace, door: AsyncPalace, palace: str, tmp_path: Path
) -> None:
    texts = [
        "a\u2028b\u2029c\x85d\x0be",
        'quotes "and" \\ back\tslashes\n\nlines',
        "🌹 Rosen ß Ω 玫瑰",
        "\x00 no\x1b[31m",
    ]
    for text in texts:
        with suppress(InvalidInput):
            await door.add(text, wing="odd wing", room="🌹")
    before = await graph(app, palace)
    await door.export(tmp_path / "out")
    await door.palaces.drop(palace)
    await door.import_(tmp_path / "out")
    assert differences(before, await graph(app, palace)) == ([], [])


async def test_rows_of_another_palace_are_not_taken(
    door: AsyncPalace, app: GraphPalace, palace: str, by_rules: Settings, tmp_path: Path
) -> None:
    other = spare_name()
    await app.create_palace(other)
    async with AsyncPalace.open(other, by_rules, embedder=WordEmbedder()) as foreign:
        secret = await foreign.add("A secret of others.", wing="private")
    await door.add("Prune the roses.", wing="garden")
    await door.export(tmp_path / "out")
    file, edges = tmp_path / "out" / "drawers.jsonl", tmp_path / "out" / "has_drawer.jsonl"
    row = json.loads(file.read_text("utf-8"))
    (closet,) = [json.loads(line)["from"] for line in edges.read_text("utf-8").splitlines()]
    edges.write_text(json.dumps({"from": closet, "to": secret.id}) + "\n", "utf-8")
    rewrite_manifest(tmp_path / "out")
    await door.palaces.drop(palace)
    assert (await door.import_(tmp_path / "out")).left_out == {"has_drawer": 1}
    file.write_text(json.dumps(row | {"id": secret.id}) + "\n", "utf-8")
    rewrite_manifest(tmp_path / "out")
    with pytest.raises(Conflict, match=other):
        await door.import_(tmp_path / "out")
    await app.drop_palace(other)


async def test_a_refused_import_leaves_no_palace_and_nothing_in_one(
    door: AsyncPalace, palace: str, tmp_path: Path
) -> None:
    await door.add("Prune the roses.", wing="garden")
    await door.export(tmp_path / "out")
    await door.palaces.drop(palace)

    async def refused(file: str, **wrong: Any) -> None:
        path = tmp_path / "out" / f"{file}.jsonl"
        before = path.read_text("utf-8")
        row = json.loads(before.splitlines()[0])
        path.write_text(before + json.dumps(row | wrong) + "\n", "utf-8")
        rewrite_manifest(tmp_path / "out")
        with pytest.raises(InvalidInput):
            await door.import_(tmp_path / "out")
        path.write_text(before, "utf-8")

    wrong: list[dict[str, Any]] = [{"name": "a\nb"}, {"exploitation_pheromone": 1e308}, {"id": "wing-0"}]
    for one in wrong:  # the last is refused by the service, on the way
        await refused("wings", **one)
        assert palace not in {one.name for one in await door.palaces.list()}
    await door.palaces.create(palace)
    await refused("drawers", id="drawer-0", importance=7)
    assert [one async for one in door.list()] == []
    assert await door.wings() == []


async def test_the_same_wing_twice_is_refused(door: AsyncPalace, palace: str, tmp_path: Path) -> None:
    await door.add("Prune the roses.", wing="garden")
    await door.export(tmp_path / "out")
    await door.palaces.drop(palace)
    file = tmp_path / "out" / "wings.jsonl"
    row = json.loads(file.read_text("utf-8"))
    file.write_text("".join(json.dumps(row | {"id": id}) + "\n" for id in (row["id"], "wing-0")), "utf-8")
    rewrite_manifest(tmp_path / "out")
    with pytest.raises(InvalidInput, match="wings"):
        await door.import_(tmp_path / "out")


async def test_a_relationship_that_an_export_has_twice_is_created_once(
    app: GraphPalace, door: AsyncPalace, palace: str, tmp_path: Path
) -> None:
    await door.add_many(["Prune the roses in spring.", "Prune the roses in autumn."], wing="garden")
    before = await graph(app, palace)
    await door.export(tmp_path / "out")
    for name in ("similar_to", "has_room"):
        file = tmp_path / "out" / f"{name}.jsonl"
        row = json.loads(file.read_text("utf-8").splitlines()[0])
        again = row if name == "has_room" else row | {"from": row["to"], "to": row["from"]}
        file.write_text("".join(json.dumps(one) + "\n" for one in (row, again, row)), "utf-8")
    rewrite_manifest(tmp_path / "out")
    await door.palaces.drop(palace)
    done = await door.import_(tmp_path / "out")
    assert (done.created["similar_to"], done.kept["similar_to"], done.kept["has_room"]) == (1, 2, 2)
    assert differences(before, await graph(app, palace)) == ([], [])


async def test_what_is_written_during_an_export_is_told_and_what_is_incomplete_is_left_out(
    door: AsyncPalace, app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    await door.add("Prune the roses.", wing="garden")

    class Writing:
        def __init__(self) -> None:
            self.tasks: list[asyncio.Task[Any]] = []

        def __call__(self, now: TransferProgress) -> None:
            if now.file == "drawers":
                self.tasks.append(asyncio.create_task(door.add("Feed the roses.", wing="garden")))

    writing = Writing()
    done = await door.export(tmp_path / "out", progress=writing)
    await asyncio.gather(*writing.tasks)
    whole = await door.export(tmp_path / "then")
    assert not whole.changed_meanwhile
    if done.changed_meanwhile:  # it was quick enough
        assert json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))["changed_meanwhile"]
    manifest = json.loads((tmp_path / "then" / "manifest.json").read_text("utf-8"))
    (tmp_path / "then" / "manifest.json").write_text(json.dumps(manifest | {"changed_meanwhile": True}), "utf-8")
    edges = tmp_path / "then" / "has_drawer.jsonl"
    edges.write_text(edges.read_text("utf-8").splitlines()[0] + "\n", "utf-8")
    rewrite_manifest(tmp_path / "then")
    await door.palaces.drop(palace)
    await door.import_(tmp_path / "then")
    assert len([one async for one in door.list()]) == 1


async def test_an_export_whose_cycles_have_nearly_no_length_is_imported(
    door: AsyncPalace, palace: str, tmp_path: Path
) -> None:
    await door.add("Prune the roses.", wing="garden")
    await door.export(tmp_path / "out")
    file = tmp_path / "out" / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"cycle_seconds": 5e-324}), "utf-8")
    await door.palaces.drop(palace)
    await door.import_(tmp_path / "out")
    assert len([one async for one in door.list()]) == 1


words = st.sampled_from(["roses", "winter", "Ann", "Oslo", "bread", "🌹", "ß"])
texts = st.lists(words, min_size=1, max_size=5).map(" ".join)
places = st.sampled_from(["garden", "kitchen"])
ACTS = st.one_of(
    st.tuples(st.just("add"), texts, places, st.none() | st.floats(0, 1)),
    st.tuples(st.just("update"), texts),
    st.tuples(st.just("supersede")),
    st.tuples(st.just("forget")),
    st.tuples(st.just("fact"), words, words, st.none() | st.sampled_from(["2019", "2020-05-31T14:30Z"])),
    st.tuples(st.just("diary"), texts, st.booleans()),
    st.tuples(st.just("feedback"), words),
    st.tuples(st.just("deposit")),
    st.tuples(st.just("later"), st.integers(1, 50)),
)


@hypothesis.settings(
    max_examples=6, deadline=None, suppress_health_check=list(hypothesis.HealthCheck), derandomize=True
)
@hypothesis.given(acts=st.lists(ACTS, min_size=1, max_size=8))
async def test_whatever_was_done_to_a_palace_it_is_the_same_after_an_export_and_an_import(
    app: GraphPalace, door: AsyncPalace, palace: str, acts: list[tuple[Any, ...]]
) -> None:
    await app.database.auto_commit(palace, "tests/empty_palace", name=palace)
    app.forget(palace)
    await app.create_palace(palace)
    for act in acts:
        with suppress(GraphPalaceError):  # such as a drawer that takes the place of itself
            await do(app, door, palace, *act)
    before = await graph(app, palace)
    with TemporaryDirectory() as folder:
        await door.export(Path(folder) / "out", runs=True)
        await app.database.auto_commit(palace, "tests/empty_palace", name=palace)
        await door.import_(Path(folder) / "out")
    assert differences(before, await graph(app, palace)) == ([], [])


async def do(app: GraphPalace, door: AsyncPalace, palace: str, act: str, *given: Any) -> None:
    """Do one thing to a palace."""
    drawers = [one.id async for one in door.list()]
    if act == "add":
        text, wing, importance = given
        await door.add(text, wing=wing, importance=0.5 if importance is None else importance)
    elif act == "fact":
        subject, object, since = given
        await door.add_fact(subject, "likes", object, valid_from=since)
    elif act == "diary":
        await door.write_diary("Ann", given[0], searchable=given[1])
    elif act == "later":
        await app.database.write(palace, "tests/advance_clock", cycles=given[0])
    elif drawers and act == "update":
        await door.update(drawers[0], text=given[0])
    elif drawers and act == "supersede":
        await door.supersede(drawers[0], drawers[-1])
    elif drawers and act == "forget":
        await door.forget(drawers=[drawers[-1]])
    elif drawers and act == "deposit":
        await door.deposit([drawers[0]], kind="exploration")
    elif act == "feedback":
        found = await door.search(given[0])
        await eventually(lambda: SearchStore(app.database).find(palace, found.run), seconds=20)  # it is logged
        await door.feedback(found.run, useful=[hit.id for hit in found.hits[:1]])


def rewrite_manifest(folder: Path) -> None:
    """Let the manifest say what the files are now."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    for file in folder.glob("*.jsonl"):
        data = file.read_bytes()
        manifest["files"][file.name] = {"rows": data.count(b"\n"), "sha256": sha256(data).hexdigest()}
    path.write_text(json.dumps(manifest), "utf-8")
