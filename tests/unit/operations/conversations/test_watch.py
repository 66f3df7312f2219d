"""Transcripts are seen wherever they come from while their folder is watched."""

from __future__ import annotations

import asyncio
from pathlib import Path

from graphpalace.operations.conversations.watch import WatchedFolder, watch


async def test_transcripts_in_a_folder_that_is_renamed_or_moved_here_are_seen(tmp_path: Path) -> None:
    watched, elsewhere, here = tmp_path / "watched", tmp_path / "elsewhere", tmp_path / "watched" / "here"
    watched.mkdir()
    (elsewhere / "deep").mkdir(parents=True)
    (elsewhere / "deep" / "one.jsonl").write_text("{}")
    (elsewhere / "deep" / "one.txt").write_text("no transcript")
    seen: asyncio.Queue[Path] = asyncio.Queue()
    stop = asyncio.Event()

    async def file(path: Path, _host: str | None) -> None:
        seen.put_nowait(path)

    async def follow() -> None:
        async for _ in watch([WatchedFolder(watched, "**/*")], file, stop=stop):
            pass

    following = asyncio.create_task(follow())
    found = None
    while found is None:  # it is not told when the system has begun to watch
        elsewhere.rename(here)
        try:
            found = await asyncio.wait_for(seen.get(), 5)
        except TimeoutError:
            here.rename(elsewhere)
    assert found == here / "deep" / "one.jsonl"
    (here / "deep" / "one.jsonl").rename(here / "two.jsonl")
    assert await asyncio.wait_for(seen.get(), 30) == here / "two.jsonl"
    stop.set()
    await asyncio.wait_for(following, 30)
