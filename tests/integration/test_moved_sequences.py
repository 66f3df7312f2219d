"""Whatever is done to files between ingests, texts that stay on the disk keep their drawers."""

from __future__ import annotations

import shutil
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import hypothesis
import hypothesis.strategies as st

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.ingest import IngestReport
from graphpalace.operations.drawers.ingest import Ingest
from graphpalace.settings.sections.ingest import IngestSettings

_FILES = st.sampled_from(["p/a.md", "p/b.md", "p/d/a.md", "q/a.md", "q/c.md"])
_FOLDERS = st.sampled_from(["p", "p/d", "q", "r"])
_STEPS = st.one_of(
    st.tuples(st.just("write"), _FILES),
    st.tuples(st.just("add"), _FILES),
    st.tuples(st.just("delete"), _FILES),
    st.tuples(st.sampled_from(["move", "copy", "link"]), _FILES, _FILES),
    st.tuples(st.just("rename"), _FOLDERS, _FOLDERS),
    st.tuples(st.just("ingest")),
    st.tuples(st.just("stop"), st.integers(1, 4)),
    st.tuples(st.just("prune")),
)


class _Stopped(Exception):
    pass


class _Disk:
    """A folder in which files come, change and go."""

    def __init__(self, root: str) -> None:
        self.root = Path(root).resolve()
        self._words = count()
        for name in ("p/a.md", "p/b.md", "p/d/a.md"):
            self.do("write", name)

    def do(self, what: str, *names: str) -> None:
        one, other = (self.root / name for name in (*names, *names)[:2])
        match what:
            case "write":
                self._write(one, self._section())
            case "add" if one.is_file():
                self._write(one, one.read_text() + self._section())
            case "delete" if one.is_symlink() or one.is_file():
                one.unlink()
            case "move" if one.is_file() and one != other and not other.is_dir():
                other.parent.mkdir(parents=True, exist_ok=True)
                one.replace(other)
            case "copy" if one.is_file() and not other.exists() and not other.is_symlink():
                self._write(other, one.read_text())
            case "link" if one.is_file() and not other.exists() and not other.is_symlink():
                other.parent.mkdir(parents=True, exist_ok=True)
                other.symlink_to(one)
            case "rename" if one.is_dir() and not other.exists() and not other.is_relative_to(one):
                shutil.move(one, other)

    def texts(self) -> dict[str, list[str]]:
        """Return the sections of each file by its URI."""
        files = {path.resolve() for path in self.root.rglob("*.md") if path.is_file()}
        return {path.as_uri(): sorted(path.read_text().strip().split("\n\n\n")) for path in files}

    def _section(self) -> str:
        word = f"word{next(self._words)}"
        return f"# {word}\n\n{' '.join(f'{word}and{number}' for number in range(60))}\n\n\n"

    def _write(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@hypothesis.settings(
    max_examples=12, deadline=None, suppress_health_check=list(hypothesis.HealthCheck), derandomize=True
)
@hypothesis.given(steps=st.lists(_STEPS, min_size=4, max_size=14))
async def test_files_are_stored_once_and_what_stays_on_the_disk_keeps_its_drawers(
    app: GraphPalace, palace: str, steps: list[tuple[Any, ...]]
) -> None:
    await app.database.auto_commit(palace, "tests/empty_palace", name=palace)
    app.forget(palace)
    await app.create_palace(palace)
    with TemporaryDirectory() as folder:
        disk = _Disk(folder)
        for what, *given in [*steps, ("ingest",), ("prune",)]:
            if what in ("ingest", "stop", "prune"):
                await _check(app, palace, disk, what, *given)
            else:
                disk.do(what, *given)


async def _check(app: GraphPalace, palace: str, disk: _Disk, what: str, most: int = 0) -> None:
    before = await _stored(app, palace)
    if what == "stop":
        await _ingest(app, palace, disk.root, stop_after=most)
    report = None if what == "stop" else await _ingest(app, palace, disk.root)
    after, texts = await _stored(app, palace), disk.texts()
    on_disk = {text.strip() for each in texts.values() for text in each}
    for text, drawers in before.items():
        if text in on_disk:
            assert {drawer for drawer, _ in drawers} & {drawer for drawer, _ in after[text]}
    if report is None:
        return
    for uri, sections in texts.items():
        assert sorted(text for text in after for _, source in after[text] if source == uri) == sections
    sources = {source for drawers in after.values() for _, source in drawers}
    assert sorted(sources - set(texts)) == report.gone
    again = await _ingest(app, palace, disk.root)
    assert again is not None
    assert (again.documents_stored, again.gone) == (0, report.gone)
    if what == "prune" and report.gone:
        await app.drawers.prune(palace, "w", report.gone)
        assert {source for drawers in (await _stored(app, palace)).values() for _, source in drawers} == set(texts)


async def _ingest(app: GraphPalace, palace: str, root: Path, *, stop_after: int = 0) -> IngestReport | None:
    told = count(1)

    def progress(_report: IngestReport) -> None:
        if next(told) == stop_after:
            raise _Stopped

    settings, batch = IngestSettings(chunk_workers=1), 1 if stop_after else 8
    run = Ingest(
        app.database, app.replica.indexes, app.embedder, palace=palace, wing="w", settings=settings,
        batch_drawers=batch, progress=progress,
    )  # fmt: skip
    try:
        return await run.run([root])
    except _Stopped:
        return None


async def _stored(app: GraphPalace, palace: str) -> dict[str, set[tuple[str, str]]]:
    """Return the drawers of each text, with their sources."""
    drawers, _ = await app.drawers.page(palace, limit=200)
    found: dict[str, set[tuple[str, str]]] = {}
    for drawer in drawers:
        found.setdefault(drawer.text.strip(), set()).add((drawer.id, drawer.source_uri))
    return found
