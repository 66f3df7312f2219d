"""What reading the names of texts costs, as a share of an ingest with the bundled embedding model."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import psutil

from benchmarks.prose import pages
from benchmarks.result import ROOT, Result
from benchmarks.workbench import Workbench, say
from graphpalace.app import GraphPalace, opened
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.domain.knowledge.names import NameReading
from graphpalace.settings.sections.knowledge import EntitySettings

TARGET = 0.25
_TURNS = 3
_PAGES, _PARAGRAPHS, _SENTENCES = 40, 10, 8


async def measure(bench: Workbench) -> Result:
    """Store the same files and read their names, in turns."""
    assert bench.running
    kinds = {"documentation": _documentation(bench.home / "docs"), "prose": _prose(bench.home / "prose")}
    found = {name: await _share(bench, name, folder) for name, folder in kinds.items()}
    documentation, prose = found["documentation"], found["prose"]
    figures: dict[str, Any] = {
        "ratio_is": "processor time of reading the names, divided by that of the ingest without them; at most",
        **documentation,
        "prose": prose,
    }
    met = documentation["met"] and prose["met"]
    return bench.result("names", ratio=documentation["ratio"], target=TARGET, met=met, figures=figures)


@dataclass(frozen=True, slots=True)
class _Spent:
    """Seconds of one part: by the clock, of processor time in all, and of that in the process that reads names."""

    wall_s: float
    cpu_s: float
    model_cpu_s: float


async def _share(bench: Workbench, kind: str, folder: Path) -> dict[str, Any]:
    later = EntitySettings(read_after_s=3600)  # the names are read when this benchmark says so
    settings = bench.settings.model_copy(update={"entities": later})
    ingests, names, starts, drawers = list[_Spent](), list[_Spent](), list[_Spent](), 0
    async with opened(settings) as app:
        warm = f"warm_{kind}"
        await app.create_palace(warm)
        for turn in range(_TURNS + 1):
            say(f"names of {kind}, turn {turn}")
            palace = f"names_{kind}_{turn}"
            await app.create_palace(palace)
            ingest = await _spent(bench, partial(app.ingesting.files, [folder], palace=palace, wing="bench"))
            start = await _spent(bench, partial(_one_text, app, warm, f"Ada Lovelace was in London {turn} times."))
            read = await _spent(bench, partial(app.knowledge.names.finish, palace, progress=_quietly))
            drawers = sum(room.drawers for room in await app.drawers.rooms(palace))
            if turn:  # the first one loads the embedding model, and Java compiles
                ingests.append(ingest)
                starts.append(start)
                names.append(read)
    ratio = median(read.cpu_s / ingest.cpu_s for ingest, read in zip(ingests, names, strict=True))
    return {
        "ratio": ratio,
        "target": TARGET,
        "met": ratio <= TARGET,
        "model_share": median(r.model_cpu_s / i.cpu_s for i, r in zip(ingests, names, strict=True)),
        "wall_share": median(r.wall_s / i.wall_s for i, r in zip(ingests, names, strict=True)),
        "start_cpu_s": median(start.model_cpu_s for start in starts),
        "start_is": "of the process that reads names, if it did not run; it ends after a minute without work",
        "drawers": drawers,
        "ingest": [asdict(each) for each in ingests],
        "names": [asdict(each) for each in names],
    }


async def _one_text(app: GraphPalace, palace: str, text: str) -> None:
    """Read the names of one text, so that the process that reads names runs from now on."""
    await app.drawers.add(palace, NewDrawer(text=text, wing="bench"))
    await app.knowledge.names.finish(palace, progress=_quietly)


async def _spent(bench: Workbench, work: Callable[[], Awaitable[object]]) -> _Spent:
    """Do something, wait until Neo4j has finished with it, and return what it took."""
    cpu_s, model_s, started = bench.cpu_s(), _children_cpu_s(), perf_counter()
    await work()
    wall_s = perf_counter() - started
    await asyncio.to_thread(bench.rest)
    model_s = _children_cpu_s() - model_s
    return _Spent(wall_s, bench.cpu_s() - cpu_s + model_s, model_s)


def _children_cpu_s() -> float:
    """Return the processor time of the processes that read names, those that have ended included."""
    this = psutil.Process()
    total = 0.0
    for child in this.children():
        with suppress(psutil.NoSuchProcess):  # it has just ended
            if any("process_recogniser" in part for part in child.cmdline()):
                total += sum(child.cpu_times()[:2])
    ended = this.cpu_times()
    return total + ended.children_user + ended.children_system


def _quietly(_reading: NameReading) -> None:
    pass


def _documentation(folder: Path) -> Path:
    """Copy the pages of this project's documentation."""
    shutil.copytree(ROOT / "docs", folder, ignore=lambda _at, names: [name for name in names if name == "images"])
    return folder


def _prose(folder: Path) -> Path:
    folder.mkdir()
    for at, text in enumerate(pages(_PAGES, paragraphs=_PARAGRAPHS, sentences=_SENTENCES)):
        (folder / f"{at}.txt").write_text(text, "utf-8")
    return folder
