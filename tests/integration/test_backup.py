"""Backups of a database that is written to, and their restoration into another one."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import zipfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.served import changed
from tests.backups import everything, schema
from tests.disks import fill_disk, small_disk
from tests.own_server import server_section
from tests.rich_palace import fill
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.app.backup import make_backup, make_restore
from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.domain.backup import BackupMade
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.domain.search.request import SearchRequest
from graphpalace.errors import (
    Conflict,
    DatabaseBusy,
    InvalidInput,
    NotEnoughDisk,
    NotFound,
    RestoreUnfinished,
    SchemaTooNew,
)
from graphpalace.managed_neo4j.jars import pinned_versions
from graphpalace.operations.backup.archive import MANIFEST, NODES
from graphpalace.serve.scheduler.backup_service import BackupService
from graphpalace.settings.load import Settings
from graphpalace.store.backup import moment
from graphpalace.store.connection.database import Database, Row
from graphpalace.store.connection.schema import SchemaStore, ServerStore

__all__ = ["small_disk"]  # a fixture
_BETWEEN = 20_000


@pytest.fixture(scope="module")
async def other(
    app: GraphPalace, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Settings]:
    """Settings of a second server of the same version, which each test fills anew."""
    version = (await ServerStore(app.database).info()).version  # each describes indexes in its own words
    version = version if version in pinned_versions() else settings.neo4j.version
    section = server_section(tmp_path_factory.mktemp("second"), uri="", user="neo4j", version=version)
    own = changed(settings, neo4j=section)
    server = wiring.managed_server(own)
    await asyncio.to_thread(server.up, timeout_s=180)
    yield own
    await asyncio.to_thread(server.down)


@pytest.fixture
async def target(other: Settings) -> AsyncIterator[Database]:
    """The database of the second server, empty."""
    database = wiring.open_database(other)
    await database.auto_commit(None, "backup/end_restore")
    await database.auto_commit(None, "backup/delete_everything")
    yield database
    await database.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "backups"
    made.mkdir()
    return made


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(90):
        while not true():  # noqa: ASYNC110  # nobody tells
            await asyncio.sleep(0.02)


def with_backup(settings: Settings, **given: Any) -> Settings:
    return settings.model_copy(update={"backup": settings.backup.model_copy(update=given)})


def key_in(folder: Path) -> Path:
    file = folder / f"{secrets.token_hex(4)}.key"
    file.write_text(secrets.token_hex(32) + "\n", "ascii")
    return file


def looks_like_a_zip(path: str) -> bool:
    return Path(path).read_bytes()[:2] == b"PK"


async def made(app: GraphPalace, to: Path, **given: Any) -> BackupMade:
    return await make_backup(app.settings, app.database, **given).make(to)


async def restored(target: Database, path: str | Path, *, replace: bool = False, key_file: Path | None = None) -> Any:
    return await make_restore(Settings(), target, key_file=key_file).restore(Path(path), replace=replace)


def rewritten(path: str, changed: Path, change: Callable[[dict[str, Any], list[bytes]], list[bytes]]) -> Path:
    """Write a backup again with another manifest and other nodes."""
    from hashlib import sha256

    with zipfile.ZipFile(path) as old, zipfile.ZipFile(changed, "w") as new:
        manifest = json.loads(old.read(MANIFEST))
        nodes = change(manifest, old.read(NODES).splitlines(keepends=True))
        manifest["nodes"] = {"rows": len(nodes), "sha256": sha256(b"".join(nodes)).hexdigest()}
        for name in old.namelist():
            new.writestr(name, {MANIFEST: json.dumps(manifest), NODES: b"".join(nodes)}.get(name) or old.read(name))
    return changed


@asynccontextmanager
async def changing_pair(database: Database) -> AsyncIterator[list[int]]:
    """Give two nodes that are read at different times the same next number all the while; yield the numbers so far."""
    numbers: list[int] = []
    await database.auto_commit(None, "tests/make_pair", between=_BETWEEN)

    async def write() -> None:
        while True:
            numbers.append((await database.write(None, "tests/change_pair"))[0]["number"])

    writing = asyncio.create_task(write())
    try:
        yield numbers
        assert not writing.done(), writing.exception()
    finally:
        writing.cancel()
        await asyncio.wait({writing})
        await database.auto_commit(None, "tests/delete_pair")


@pytest.mark.parametrize("encrypted", [False, True])
async def test_what_is_restored_is_all_that_there_was_to_the_bit(
    app: GraphPalace, palace: str, settings: Settings, target: Database, tmp_path: Path, folder: Path, encrypted: bool
) -> None:
    key = key_in(tmp_path) if encrypted else None
    async with AsyncPalace.open(
        palace, changed(settings, entities={"recogniser": "rules"}), embedder=WordEmbedder()
    ) as door:
        await fill(door, tmp_path)
    await app.history.searches.flush()
    await app.database.auto_commit(None, "tests/every_value", data=bytes(range(256)))
    done = await made(app, folder, key_file=key)
    before = await everything(app.database)

    found = await restored(target, done.path, key_file=key)

    nodes, relationships = await everything(target)
    assert nodes == before[0]
    assert relationships == before[1]
    assert (found.nodes, found.relationships) == (before[0].total(), before[1].total())
    assert palace in found.palaces
    there, here = await schema(target), await schema(app.database)
    assert there <= here
    own = {one for one in here if f"_{palace}`" in one or f"_{palace} " in one}
    assert {one for one in own if "drawer_cjk_" not in one} <= there  # of an earlier palace
    assert {one for one in here if "FULLTEXT" not in one and "VECTOR" not in one} <= there
    assert looks_like_a_zip(done.path) != encrypted


async def test_the_restored_palace_is_searched_and_written_to(
    app: GraphPalace, palace: str, other: Settings, target: Database, folder: Path
) -> None:
    kept = await app.drawers.add(palace, NewDrawer(text="The owls hunt mice at night.", wing="w"))
    await restored(target, (await made(app, folder)).path)
    async with wiring.opened(other, embedder=WordEmbedder()) as again:
        answer = await again.recall.search(palace, SearchRequest(query="owls"))
        assert [hit.id for hit in answer.hits] == [kept.drawer.id]
        assert "fulltext" in answer.hits[0].lanes
        await again.drawers.add(palace, NewDrawer(text="The bats hunt moths.", wing="w"))


async def test_a_backup_while_somebody_writes_is_the_database_at_one_moment(
    app: GraphPalace, palace: str, target: Database, tmp_path: Path
) -> None:
    async with changing_pair(app.database) as numbers:
        added: list[str] = []
        adding = asyncio.create_task(_add_always(app, palace, added))
        await until(lambda: len(added) >= 3)
        before = len(numbers)
        done = await made(app, tmp_path / "a.backup")
        during = len(numbers)
        await until(lambda: len(numbers) >= during + 5)  # writers go on
        adding.cancel()
        await asyncio.wait({adding})
    assert done.paused_s > 0
    await restored(target, done.path)
    halves = {row["number"] for row in await target.read(None, "tests/read_pair")}
    assert len(halves) == 1
    assert before <= halves.pop() <= during
    (row,) = await target.read(palace, "palaces/get_palace")
    (counts,) = await target.read(palace, "tests/count_changes")
    assert row["revision"] == counts["changes"] >= counts["drawers"] == counts["placed"] >= 3


async def test_without_the_gate_a_reading_would_have_a_half_of_a_write(
    app: GraphPalace, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[set[int]] = []

    async def read() -> None:
        halves: list[int] = []
        async for _, labels, had in moment.GraphReader(app.database).nodes():
            if "Half" in labels:  # type: ignore[operator]
                halves.append(had["number"])  # type: ignore[index]
        found.append(set(halves))

    async with changing_pair(app.database):
        await read()
        await moment.MomentReader(app.database, longest_s=60).read(read)
    assert len(found[0]) == 2
    assert len(found[-1]) == 1


async def test_when_nobody_writes_nobody_waits(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    await app.drawers.add(palace, NewDrawer(text="One.", wing="w"))
    await app.history.searches.flush()
    assert (await made(app, tmp_path / "a.backup")).paused_s == 0
    with pytest.raises(Conflict, match="exists already"):
        await made(app, tmp_path / "a.backup")
    with pytest.raises(NotFound, match="create it first"):
        await made(app, tmp_path / "no" / "a.backup")


async def test_a_pause_that_would_be_too_long_ends_and_leaves_nothing(app: GraphPalace, tmp_path: Path) -> None:
    short = with_backup(app.settings, longest_pause_s=0.2)
    async with changing_pair(app.database) as numbers:
        with pytest.raises(Conflict, match="longest_pause_s"):
            await make_backup(short, app.database).make(tmp_path / "a.backup")
        so_far = len(numbers)
        await until(lambda: len(numbers) >= so_far + 5)
    assert names_in(tmp_path) == []


async def test_a_read_that_neo4j_ends_because_others_write_is_repeated_and_no_other(
    app: GraphPalace, palace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream, writes = Database.stream, [False]

    async def mortal(database: Database, palace_: str | None, name: str, /, **given: Any) -> AsyncIterator[Row]:
        if writes:
            if writes.pop(0):
                await app.drawers.add(palace, NewDrawer(text="One.", wing="w"))
            raise DatabaseBusy("read outdated data, retry")
        async for row in stream(database, palace_, name, **given):
            yield row

    monkeypatch.setattr(Database, "stream", mortal)
    with pytest.raises(DatabaseBusy):  # nobody wrote
        await made(app, tmp_path / "a.backup")
    writes[:] = [True]
    assert (await made(app, tmp_path / "a.backup")).nodes > 0
    assert names_in(tmp_path) == ["a.backup"]


async def test_who_does_not_wait_at_the_gate_is_noticed(
    app: GraphPalace, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from neo4j import AsyncGraphDatabase

    monkeypatch.setattr(moment, "_ATTEMPTS", 1)
    uri, neo4j = app.database.uri, settings.neo4j
    user, password = ("neo4j", wiring.managed_server(settings).password) if not neo4j.uri else (
        neo4j.user, neo4j.password.get_secret_value()
    )  # fmt: skip
    async with AsyncGraphDatabase.driver(uri, auth=(user, password)) as driver:

        async def write() -> None:
            while True:
                await driver.execute_query("MERGE (n:ByHand) SET n.at = randomUUID()", database_=app.database.name)

        await app.database.auto_commit(None, "tests/make_pair", between=_BETWEEN)
        writing = asyncio.create_task(write())
        try:
            with pytest.raises(Conflict, match="Neo4j Browser"):
                await made(app, tmp_path / "a.backup")
            assert not writing.done(), writing.exception()
        finally:
            writing.cancel()
            await asyncio.wait({writing})
            await app.database.auto_commit(None, "tests/delete_pair")
            await driver.execute_query("MATCH (n:ByHand) DELETE n")
    assert names_in(tmp_path) == []


async def test_a_gate_that_a_killed_backup_left_is_removed_by_who_writes(app: GraphPalace, palace: str) -> None:
    await app.database.auto_commit(None, "tests/leave_gate")
    await app.drawers.add(palace, NewDrawer(text="One.", wing="w"))  # waits for its palace alone
    await app.create_palace(other := f"{palace}_other")
    await app.drop_palace(other)
    assert await app.database.read(None, "tests/list_gates") == []


async def test_a_database_with_something_in_it_is_replaced_only_if_that_is_said(
    app: GraphPalace, palace: str, other: Settings, target: Database, tmp_path: Path
) -> None:
    done = await made(app, tmp_path / "a.backup")
    async with wiring.opened(other, embedder=WordEmbedder()) as there:  # it has the default palace now
        await restored(target, done.path, replace=False)
        await there.create_palace("more")
        await there.drawers.add("more", NewDrawer(text="Something of worth.", wing="w"))
    before = await everything(target)
    with pytest.raises(Conflict, match=r"not empty: it has .* --replace"):
        await restored(target, done.path)
    assert await everything(target) == before
    await restored(target, done.path, replace=True)
    assert await everything(target) == await everything(app.database)


async def test_a_damaged_file_or_another_key_changes_nothing(
    app: GraphPalace, target: Database, tmp_path: Path
) -> None:
    key = key_in(tmp_path)
    plain = Path((await made(app, tmp_path / "a.backup")).path)
    sealed = Path((await made(app, tmp_path / "b.backup", key_file=key)).path)
    before = await everything(target)
    for path, message in ((plain, "damaged"), (sealed, "changed or cut off|damaged")):
        whole = path.read_bytes()
        for spoilt in (whole[:-1], whole[: len(whole) // 2], whole[:500] + bytes([whole[500] ^ 1]) + whole[501:], b""):
            path.write_bytes(spoilt)
            with pytest.raises(InvalidInput, match=message):
                await restored(target, path, replace=True, key_file=key)
        path.write_bytes(whole)
    with pytest.raises(InvalidInput, match="another key"):
        await restored(target, sealed, key_file=key_in(tmp_path))
    with pytest.raises(InvalidInput, match="--key-file"):
        await restored(target, sealed)
    with pytest.raises(NotFound, match="cannot be read"):
        await restored(target, tmp_path / "no.backup")
    assert await everything(target) == before
    await restored(target, sealed, key_file=key)


async def test_an_older_schema_is_migrated_and_a_newer_one_is_refused(
    app: GraphPalace, palace: str, target: Database, tmp_path: Path
) -> None:
    await app.database.auto_commit(palace, "tests/name_zones")
    done = await made(app, tmp_path / "a.backup")
    last = max(await SchemaStore(app.database)._applied())

    def older(manifest: dict[str, Any], nodes: list[bytes]) -> list[bytes]:
        del manifest["migrations"][last]
        return [line for line in nodes if f'"version":"{last}"'.encode() not in line]

    def newer(manifest: dict[str, Any], nodes: list[bytes]) -> list[bytes]:
        manifest["migrations"]["9999"] = "0" * 64
        manifest["schema_version"], manifest["version"] = "9999", "99.0"
        return nodes

    with pytest.raises(SchemaTooNew, match=r"V9999 of GraphPalace 99\.0.*upgrade"):
        await restored(target, rewritten(done.path, tmp_path / "newer.backup", newer))
    found = await restored(target, rewritten(done.path, tmp_path / "older.backup", older))
    assert found.applied == [last]
    assert await SchemaStore(target).state() == "current"


async def test_a_restore_that_was_cut_off_is_noticed_and_done_again(
    app: GraphPalace, palace: str, other: Settings, target: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await app.drawers.add(palace, NewDrawer(text="One.", wing="w"))
    done = await made(app, tmp_path / "a.backup")
    run = Database.write

    async def dies(self: Database, palace: str | None, name: str, /, **params: Any) -> Any:
        if name == "compact/create_relationships":
            raise RuntimeError("the power is gone")
        return await run(self, palace, name, **params)

    with monkeypatch.context() as patch:
        patch.setattr(Database, "write", dies)
        with pytest.raises(RuntimeError, match="power"):
            await restored(target, done.path)
    with pytest.raises(RestoreUnfinished, match="again"):
        async with wiring.opened(other, embedder=WordEmbedder()):
            pass
    with pytest.raises(RestoreUnfinished):
        await make_backup(other, target).make(tmp_path / "part.backup")
    await restored(target, done.path)  # without --replace
    assert await everything(target) == await everything(app.database)


async def test_the_service_makes_backups_that_are_due_and_keeps_some(app: GraphPalace, folder: Path) -> None:
    settings = with_backup(app.settings, folder=str(folder), keep=2, schedule="0 3 * * *")
    old = [folder / f"graphpalace-202{year}-01-01T03-00-00Z.backup" for year in range(3)]
    for path in (*old, folder / "mine.backup"):
        path.touch()
    left = folder / ".graphpalace-2020-01-01T03-00-00Z.backup.unfinished"
    left.touch()
    os.utime(left, (0, 0))
    service = BackupService(settings.backup.schedule, lambda: make_backup(settings, app.database), look_every_s=0.1)
    service.start()
    try:
        await until(lambda: not old[1].exists())
    finally:
        await service.stop()
    names = names_in(folder)
    assert names[0] == old[2].name
    assert names[1].startswith(f"graphpalace-{datetime.now(UTC):%Y-}")
    assert names[2:] == ["mine.backup"]


@pytest.mark.chaos
async def test_a_full_disk_leaves_older_backups_and_no_new_one(
    app: GraphPalace, target: Database, small_disk: Path
) -> None:

    whole = await made(app, small_disk / "a.backup")
    await app.database.auto_commit(None, "tests/make_pair", between=_BETWEEN)
    fill_disk(small_disk, leave=4096)
    try:
        with pytest.raises(NotEnoughDisk, match="full"):
            await made(app, small_disk / "b.backup")
    finally:
        await app.database.auto_commit(None, "tests/delete_pair")
    assert names_in(small_disk) == ["a.backup", "filler"]
    await restored(target, whole.path)


async def _add_always(app: GraphPalace, palace: str, added: list[str]) -> None:
    while True:
        new = await app.drawers.add(palace, NewDrawer(text=f"Note {len(added)} of many.", wing="w"))
        added.append(new.drawer.id)
