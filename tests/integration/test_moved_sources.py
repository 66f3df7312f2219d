"""Sources that are moved, renamed, linked and copied between two ingests keep what was learned of them."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from tests.graphs import nodes_of
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

from graphpalace.app import GraphPalace
from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.domain.drawers.ingest import IngestReport
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.settings.load import Settings

PASSAGE = "The {0} of the {1} stands between the {2} and the old customs house. " * 5


def _write(path: Path, *words: str) -> None:
    """Write a file with a section for each word."""
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = [f"# About {word}\n\n{PASSAGE.format(word, word[::-1], word * 2)}\n" for word in words]
    path.write_text("\n".join(parts))


async def _ingest(app: GraphPalace, palace: str, *paths: Path, wing: str = "w") -> IngestReport:
    return await app.ingesting.files(paths, palace=palace, wing=wing)


async def _sources(app: GraphPalace, palace: str) -> dict[str, set[str]]:
    """Return the ids of the drawers of each source, by its path."""
    drawers, _ = await app.drawers.page(palace, limit=200)
    found: dict[str, set[str]] = {}
    for drawer in drawers:
        parts = urlsplit(drawer.source_uri)
        found.setdefault(unquote(parts.path) + ("#" + parts.fragment if parts.fragment else ""), set()).add(drawer.id)
    return found


async def test_a_folder_that_was_moved_keeps_its_drawers_and_what_they_learned(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    for name in ("a.md", "deep/b.md", "deep/er/c.md"):
        _write(tmp_path / "proj" / name, *(f"{word}{name[-4]}" for word in ("crane", "quay", "mill")))
    await _ingest(app, palace, tmp_path / "proj")
    before = await _sources(app, palace)
    await app.database.write(palace, "tests/mark_drawers")
    (tmp_path / "proj").rename(tmp_path / "proj2")
    report = await _ingest(app, palace, tmp_path / "proj2")
    assert (report.documents_moved, report.drawers_created, report.drawers_removed, report.gone) == (3, 0, 0, [])
    assert await _sources(app, palace) == {
        path.replace("/proj/", "/proj2/"): drawers for path, drawers in before.items()
    }
    nodes = await nodes_of(app.database, palace)
    assert {node["exploitation_pheromone"] for node in nodes if node["labels"] == ["Drawer"]} == {0.7}
    again = await _ingest(app, palace, tmp_path / "proj2")
    assert (again.documents_moved, again.documents_stored, again.documents_unchanged) == (0, 0, 3)


async def test_a_file_of_a_moved_folder_that_changed_is_the_changed_file_and_what_was_deleted_is_gone(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    for name in ("stays", "changes", "goes"):
        _write(tmp_path / "proj" / f"{name}.md", name)
    await _ingest(app, palace, tmp_path / "proj")
    (tmp_path / "proj").rename(tmp_path / "proj2")
    _write(tmp_path / "proj2" / "changes.md", "windmill")
    (tmp_path / "proj2" / "goes.md").unlink()
    report = await _ingest(app, palace, tmp_path / "proj2")
    assert report.gone == [(tmp_path / "proj" / "goes.md").as_uri()]
    assert (await app.drawers.prune(palace, "w", report.gone)).deleted == 1
    found = await _sources(app, palace)
    assert set(found) == {str(tmp_path / "proj2" / name) for name in ("stays.md", "changes.md")}


async def test_a_folder_that_was_copied_leaves_both(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    _write(tmp_path / "proj" / "a.md", "crane", "quay")
    await _ingest(app, palace, tmp_path / "proj")
    before = await _sources(app, palace)
    shutil.copytree(tmp_path / "proj", tmp_path / "copy")
    report = await _ingest(app, palace, tmp_path / "copy")
    assert (report.documents_moved, report.drawers_created, report.gone) == (0, 2, [])
    after = await _sources(app, palace)
    assert set(after) == {str(tmp_path / "proj" / "a.md"), str(tmp_path / "copy" / "a.md")}
    assert before.items() <= after.items()


async def test_a_folder_that_is_reached_by_a_link_is_the_folder(
    app: GraphPalace, palace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path / "real" / "a.md", "alpha")
    _write(tmp_path / "real" / "b.md", "beta")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real" / "also.md").symlink_to("a.md")
    await _ingest(app, palace, tmp_path / "real")
    before = await _sources(app, palace)
    assert len(before) == 2
    monkeypatch.chdir(tmp_path)
    for path in (tmp_path / "link", Path("real"), Path("link"), tmp_path / "link" / "a.md", tmp_path / "link/also.md"):
        report = await _ingest(app, palace, path)
        assert (report.documents_stored, report.gone) == (0, []), path
    (tmp_path / "link").unlink()
    (tmp_path / "real" / "also.md").unlink()
    report = await _ingest(app, palace, tmp_path / "real")
    assert (report.documents_stored, report.documents_unchanged, report.gone) == (0, 2, [])
    assert await _sources(app, palace) == before


async def test_a_file_that_is_on_the_disk_is_never_gone(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        _write(tmp_path / "in" / f"{name}.md", name)
    await _ingest(app, palace, tmp_path / "in")
    (tmp_path / "in" / ".gitignore").write_text("a.md\n")
    (tmp_path / "in" / "b.md").write_bytes(b"\0\1\2")
    report = await app.ingesting.files([tmp_path / "in"], palace=palace, wing="w", max_files=1)
    assert report.gone == []


async def test_a_renamed_file_keeps_its_drawers_also_if_a_part_of_it_changed(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    _write(tmp_path / "in" / "plain.md", "plain")
    _write(tmp_path / "in" / "Case.md", "case")
    _write(tmp_path / "in" / "long.md", "one", "two", "three")
    await _ingest(app, palace, tmp_path / "in")
    before = await _sources(app, palace)
    (tmp_path / "in" / "plain.md").rename(tmp_path / "in" / "renamed.md")
    (tmp_path / "in" / "Case.md").rename(tmp_path / "in" / "case.md")
    (tmp_path / "in" / "long.md").unlink()
    _write(tmp_path / "in" / "sub" / "longer.md", "one", "two", "four")
    report = await _ingest(app, palace, tmp_path / "in")
    assert (report.documents_moved, report.drawers_created, report.drawers_removed, report.gone) == (3, 1, 1, [])
    after = await _sources(app, palace)
    assert after[str(tmp_path / "in" / "renamed.md")] == before[str(tmp_path / "in" / "plain.md")]
    assert after[str(tmp_path / "in" / "case.md")] == before[str(tmp_path / "in" / "Case.md")]
    assert len(after[str(tmp_path / "in/sub/longer.md")] & before[str(tmp_path / "in/long.md")]) == 2


async def test_files_that_move_up_in_a_row_or_change_places_take_their_drawers_along(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    folder = tmp_path / "log"
    for name in ("day.1", "day.2", "left", "right"):
        _write(folder / f"{name}.md", name)
    await _ingest(app, palace, folder)
    before = await _sources(app, palace)
    (folder / "day.2.md").rename(folder / "day.3.md")
    (folder / "day.1.md").rename(folder / "day.2.md")
    _write(folder / "day.1.md", "new")
    (folder / "left.md").rename(folder / "between")
    (folder / "right.md").rename(folder / "left.md")
    (folder / "between").rename(folder / "right.md")
    report = await _ingest(app, palace, folder)
    assert (report.documents_moved, report.drawers_created, report.drawers_removed) == (4, 1, 0)
    after = await _sources(app, palace)
    for old, new in (("day.1", "day.2"), ("day.2", "day.3"), ("left", "right"), ("right", "left")):
        assert after[str(folder / f"{new}.md")] == before[str(folder / f"{old}.md")]
    _write(folder / "day.1.md", "newer")  # has an id of its own, though the one of its path is taken
    report = await _ingest(app, palace, folder)
    assert (report.documents_moved, report.drawers_created, report.drawers_removed) == (0, 1, 1)


async def test_a_copy_made_before_an_edit_leaves_the_edited_file_what_it_learned(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    _write(tmp_path / "in" / "a.md", "one", "two", "three")
    await _ingest(app, palace, tmp_path / "in")
    before = await _sources(app, palace)
    shutil.copy(tmp_path / "in" / "a.md", tmp_path / "in" / "a.bak.md")
    _write(tmp_path / "in" / "a.md", "one", "two", "four")
    report = await _ingest(app, palace, tmp_path / "in")
    assert report.documents_moved == 0
    after = await _sources(app, palace)
    assert len(after[str(tmp_path / "in" / "a.md")] & before[str(tmp_path / "in" / "a.md")]) == 2


async def test_a_file_that_overwrites_another_brings_its_drawers_and_the_other_ones_go(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    _write(tmp_path / "in" / "a.md", "alpha")
    _write(tmp_path / "in" / "b.md", "beta")
    await _ingest(app, palace, tmp_path / "in")
    before = await _sources(app, palace)
    (tmp_path / "in" / "b.md").replace(tmp_path / "in" / "a.md")
    report = await _ingest(app, palace, tmp_path / "in")
    assert (report.drawers_created, report.drawers_removed, report.gone) == (0, 1, [])
    assert await _sources(app, palace) == {str(tmp_path / "in" / "a.md"): before[str(tmp_path / "in" / "b.md")]}


async def test_a_text_added_under_the_old_path_does_not_go_to_the_file_that_was_moved(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    old, new = tmp_path / "old.md", tmp_path / "new.md"
    _write(old, "alpha")
    await _ingest(app, palace, old)
    old.rename(new)
    await _ingest(app, palace, new)
    await app.drawers.add(palace, NewDrawer("A note of an editor.", "w", source_uri=old.as_uri()))
    found = await _sources(app, palace)
    assert {path: len(drawers) for path, drawers in found.items()} == {str(old): 1, str(new): 1}
    await app.drawers.prune(palace, "w", [new.as_uri()])
    assert set(await _sources(app, palace)) == {str(old)}


async def test_another_wing_has_sources_of_its_own(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    _write(tmp_path / "proj" / "a.md", "alpha")
    await _ingest(app, palace, tmp_path / "proj")
    (tmp_path / "proj").rename(tmp_path / "proj2")
    report = await _ingest(app, palace, tmp_path / "proj2", wing="other")
    assert (report.documents_moved, report.drawers_created, report.gone) == (0, 1, [])
    report = await _ingest(app, palace, tmp_path / "proj2")
    assert (report.documents_moved, report.drawers_created, report.gone) == (1, 0, [])


async def test_conversations_of_an_export_move_with_its_file(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    lines = [
        f'{{"role": "user", "content": "{PASSAGE.format(word, word, word)}", "conversation_id": "{word}"}}'
        for word in ("one", "two")
    ]
    (tmp_path / "chat.jsonl").write_text("\n".join(lines))
    await _ingest(app, palace, tmp_path)
    before = await _sources(app, palace)
    (tmp_path / "chat.jsonl").rename(tmp_path / "archive.jsonl")
    report = await _ingest(app, palace, tmp_path)
    assert (report.documents_moved, report.drawers_created, report.gone) == (2, 0, [])
    assert await _sources(app, palace) == {
        path.replace("chat.jsonl", "archive.jsonl"): drawers for path, drawers in before.items()
    }
    (tmp_path / "archive.jsonl").write_text(lines[0])
    assert (await _ingest(app, palace, tmp_path)).gone == [(tmp_path / "archive.jsonl").as_uri() + "#two"]


async def test_a_moved_file_goes_to_the_room_of_its_new_folder(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    for name in ("x/a.md", "x/b.md", "y/c.md"):
        _write(tmp_path / "in" / name, name[2])
    await _ingest(app, palace, tmp_path / "in")
    (tmp_path / "in" / "x" / "a.md").rename(tmp_path / "in" / "y" / "z.md")
    report = await _ingest(app, palace, tmp_path / "in")
    assert (report.documents_moved, report.drawers_created) == (1, 0)
    drawers, _ = await app.drawers.page(palace)
    assert {Path(urlsplit(drawer.source_uri).path).name: (drawer.room, drawer.closet) for drawer in drawers} == {
        "b.md": ("x", "About b"), "c.md": ("y", "About c"), "z.md": ("y", "About a"),
    }  # fmt: skip


async def test_a_palace_whose_sources_were_moved_is_imported_and_its_files_are_known(
    app: GraphPalace, palace: str, settings: Settings, tmp_path: Path
) -> None:
    _write(tmp_path / "proj" / "a.md", "alpha", "beta")
    await _ingest(app, palace, tmp_path / "proj")
    (tmp_path / "proj").rename(tmp_path / "proj2")
    _write(tmp_path / "proj" / "a.md", "gamma")
    await _ingest(app, palace, tmp_path / "proj", tmp_path / "proj2")
    await app.database.write(palace, "tests/mark_drawers")
    async with AsyncPalace.open(palace, settings, embedder=WordEmbedder()) as door:
        await door.export(tmp_path / "out")
    copy = spare_name()
    async with AsyncPalace.open(copy, settings, embedder=WordEmbedder()) as door:
        for created in (True, False):
            assert bool((await door.import_(tmp_path / "out")).created) is created
            report = await door.ingest([tmp_path / "proj", tmp_path / "proj2"], wing="w")
            assert (report.documents_stored, report.documents_unchanged, report.gone) == (0, 2, [])
        _write(tmp_path / "proj2" / "a.md", "alpha", "beta", "delta")
        report = await door.ingest(tmp_path / "proj2", wing="w")
        assert (report.drawers_created, report.drawers_kept, report.drawers_removed) == (1, 2, 0)
    await app.drop_palace(copy)


async def test_of_two_closets_that_a_merge_gave_to_one_file_the_next_ingest_leaves_one(
    app: GraphPalace, palace: str, settings: Settings, tmp_path: Path
) -> None:
    _write(tmp_path / "proj" / "a.md", "alpha", "beta")
    other = spare_name()
    for name in (palace, other):
        await app.create_palace(name)
    await _ingest(app, palace, tmp_path / "proj")
    (tmp_path / "proj").rename(tmp_path / "proj2")
    await _ingest(app, palace, tmp_path / "proj2")
    await _ingest(app, other, tmp_path / "proj2")
    async with AsyncPalace.open(other, settings, embedder=WordEmbedder()) as door:
        await door.export(tmp_path / "out")
    async with AsyncPalace.open(palace, settings, embedder=WordEmbedder()) as door:
        await door.import_(tmp_path / "out")
    await app.follow()
    for documents in (1, 0):
        report = await _ingest(app, palace, tmp_path / "proj2")
        assert (report.documents_stored, report.drawers_created, report.gone) == (documents, 0, [])
        assert {path: len(each) for path, each in (await _sources(app, palace)).items()} == {
            str(tmp_path / "proj2" / "a.md"): 2
        }
    await app.drop_palace(other)
