"""The main job on real input: start Neo4j, ingest two wings, search three times, stop what was started.

Everything it makes is under `.demo/`, so that it touches no palace of yours, and a second run is quicker.
"""

from __future__ import annotations

import asyncio
import shutil
import time
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from graphpalace.app import GraphPalace, managed_server, opened
from graphpalace.domain.search.request import SearchRequest
from graphpalace.serve.cli import show
from graphpalace.serve.cli.commands.ingest import ingest_step, show_report
from graphpalace.serve.cli.progress import shown_progress
from graphpalace.serve.cli.show_answer import show_answer
from graphpalace.settings.load import Settings, load

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / ".demo"
SEARCHES = (
    SearchRequest("how do I write a decorator", wing="python", top_k=2),
    SearchRequest("what happens when an exception is not handled", wing="python", top_k=2),
    SearchRequest("why are vectors kept as bytes", wing="graphpalace", top_k=2),
)
out = Console()


def language_reference() -> Path:
    """Write the language reference that CPython carries for its `help()`, one file a topic, and return the folder.

    A topic on a statement stands in the topic on all statements too, word for word: the answers fold such passages.
    """
    from pydoc_data.topics import topics

    folder = HOME / "python"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in topics.items():
        (folder / f"{name}.rst").write_text(text, "utf-8")
    return folder


async def show_off(palace: GraphPalace) -> None:
    """Ingest and search."""
    name = palace.settings.palace.name
    reference = await asyncio.to_thread(language_reference)
    for wing, paths in (("python", [reference]), ("graphpalace", [ROOT / "README.md", ROOT / "docs"])):
        out.rule(f"graphpalace ingest --wing {wing}")
        with shown_progress("ingesting", out) as tell:
            report = await palace.ingesting.files(
                paths, palace=name, wing=wing, progress=lambda now, tell=tell: tell(ingest_step(now))
            )
        show_report(out, report, as_json=False, prune=True)
        await palace.drawers.prune(name, wing, report.gone)  # what an earlier demo stored, and is gone now
    rooms = sorted(await palace.drawers.rooms(name), key=lambda room: -room.drawers)
    show.table(out, [asdict(room) for room in rooms[:8]], ["wing", "name", "hall_type", "closets", "drawers"])
    for question in SEARCHES:
        out.rule(f'graphpalace search "{question.query}" --wing {question.wing}')
        show_answer(out, await palace.recall.search(name, question), as_json=False)


def main() -> None:
    """Run the demo."""
    started = time.monotonic()
    settings = load()
    # Free ports and a folder of its own: a server of yours is left alone.
    own = {"uri": "", "data_dir": str(HOME), "bolt_port": 0, "http_port": 0}
    settings = Settings.model_validate(settings.model_dump() | {"neo4j": settings.neo4j.model_dump() | own})
    server = managed_server(settings)
    out.rule("graphpalace up")
    with show.download_progress(out) as progress:
        running = server.up(progress=progress)
    out.print(f"Neo4j {running.version} runs ({time.monotonic() - started:.0f} s)")

    async def run() -> None:
        async with opened(settings) as palace:
            await show_off(palace)

    try:
        asyncio.run(run())
        out.rule("where it was")
        show.server(out, server)
        out.print("Start your own with `graphpalace up`, and open its page with `graphpalace page`")
    finally:
        server.down()
        out.print(f"Neo4j stopped; {time.monotonic() - started:.0f} s in all")


if __name__ == "__main__":
    main()
