"""What hooks tell a conversation, as far as it depends on what the palace has and on who still listens."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.served import until
from tests.hook_inputs import hook_input, transcript_file

from graphpalace.app import GraphPalace
from graphpalace.domain.conversations import ConversationListing
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.errors import DatabaseUnavailable, GraphPalaceError, InvalidInput, NotFound
from graphpalace.operations.hooks.hooks import Hooks
from graphpalace.settings.sections.ingest import HookSettings

SAID = {"session_id": "0199a213-81c0", "cwd": "/home/ann/greenhouse"}
PROMPT = SAID | {"prompt": "When does the valve open in the greenhouse?"}


async def _left() -> bool:
    return False


def hooks_of(app: GraphPalace, folder: Path, **settings: Any) -> Hooks:
    return Hooks(
        app.waking_up,
        app.recall,
        app.conversations,
        settings=HookSettings(**{"prompt_confidence": 0.05} | settings),
        data_dir=folder,
        usual_palace="main",
        folders=(str(folder),),
    )


async def test_what_nobody_waited_for_is_told_again(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    await app.drawers.add(palace, NewDrawer(text="the valve opens at noon", wing="greenhouse"))
    hooks = hooks_of(app, tmp_path)
    resumed = SAID | {"source": "resume"}

    async def did(event: str, said: dict[str, str], **more: Any) -> str:
        return (await hooks.run(palace, "codex", event, said, **more)).did

    assert await did("SessionStart", resumed, heard=_left) == "told"
    assert await did("UserPromptSubmit", PROMPT, heard=_left) == "told"
    assert await did("UserPromptSubmit", PROMPT) == "told"
    assert await did("UserPromptSubmit", PROMPT) == "nothing"
    assert await did("SessionStart", resumed) == "told"
    assert await did("SessionStart", resumed) == "nothing"


async def test_the_settings_say_where_a_prompt_is_looked_up_how_sure_a_hit_must_be_and_what_is_left_out(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    await app.drawers.add(palace, NewDrawer(text="the valve opens at noon", wing="cellar"))
    ran = [
        ({}, "told"),
        ({"prompt_scope": "wing"}, "nothing"),
        ({"prompt_scope": "wing", "wing": "cellar"}, "told"),
        ({"prompt_confidence": 1.0}, "nothing"),
        ({"prompt_bytes": 0}, "nothing"),
        ({"prompt_bytes": 200}, "nothing"),  # no room for a hit
    ]
    for number, (settings, did) in enumerate(ran):
        hooks = hooks_of(app, tmp_path / str(number), **settings)
        answer = await hooks.run(palace, "codex", "UserPromptSubmit", PROMPT)
        assert answer.did == did, settings
        assert bool(answer.why) == (did == "nothing")
    started = [
        ({}, "nothing of this project"),
        ({"wing": "cellar"}, ""),
        ({"wing": "cellar", "wake_up_bytes": 0}, "wake_up_bytes"),
    ]
    for settings, why in started:
        hooks = hooks_of(app, tmp_path / "start", **settings)
        answer = await hooks.run(palace, "codex", "SessionStart", SAID)
        assert (answer.did == "told") == (why == "")
        assert all(word in answer.why for word in why.split())
    transcript = tmp_path / "t.jsonl"
    transcript.write_text("")
    unfiled = await hooks_of(app, tmp_path, file=False).run(
        palace, "codex", "Stop", SAID | {"transcript_path": str(transcript)}
    )
    assert (unfiled.did, unfiled.why) == ("nothing", "[hooks] file is false")


async def test_an_outdated_hit_is_not_added(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    old = (await app.drawers.add(palace, NewDrawer(text="the valve opens at noon", wing="w"))).drawer.id
    new = (await app.drawers.add(palace, NewDrawer(text="the valve opens at nine", wing="w"))).drawer.id
    await app.drawers.supersede(palace, old, new)
    answer = await hooks_of(app, tmp_path).run(palace, "codex", "UserPromptSubmit", PROMPT)
    assert (answer.did, list(answer.drawers)) == ("told", [new])


async def test_what_was_handed_over_stays_marked_until_it_is_filed(
    app: GraphPalace, palace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, content = transcript_file(tmp_path, "codex")
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    said = hook_input("codex", "Stop", path)
    filing = app.conversations.file_transcript

    async def unreachable(*args: Any, **kwargs: Any) -> None:
        raise DatabaseUnavailable("Neo4j is away")

    monkeypatch.setattr(app.conversations, "file_transcript", unreachable)
    hooks = hooks_of(app, tmp_path)
    assert (await hooks.run(palace, "codex", "Stop", said)).did == "files"
    await hooks.close()
    report = await hooks.report()
    assert [(run.event, run.did, run.error) for run in report.runs] == [("filing", "failed", "Neo4j is away")]
    assert (report.unfiled, hooks.busy) == (1, False)

    monkeypatch.setattr(app.conversations, "file_transcript", filing)
    hooks = hooks_of(app, tmp_path)  # as after a restart
    await hooks.run(palace, "codex", "UserPromptSubmit", SAID)
    await asyncio.to_thread(until, lambda: not hooks.busy, seconds=60)
    report = await hooks.report()
    assert (report.runs[0].error, report.unfiled) == (None, 0)
    assert report.runs[0].did.endswith("turns into greenhouse")
    assert (await app.conversations.page(palace, ConversationListing())).conversations[0].host == "codex"


async def test_what_cannot_be_is_refused(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    hooks = hooks_of(app, tmp_path)
    with pytest.raises(InvalidInput, match="event is 'Nap'; codex has SessionStart"):
        await hooks.run(palace, "codex", "Nap", SAID)
    with pytest.raises(InvalidInput, match=r"\[conversations\] folders allows"):
        await hooks.run(palace, "codex", "Stop", SAID | {"transcript_path": "/etc/passwd"})
    for event in ("SessionStart", "UserPromptSubmit"):
        with pytest.raises(NotFound):
            await hooks.run("nowhere", "codex", event, PROMPT)


async def test_the_reason_of_a_failure_inside_the_service_is_told_and_what_was_left_is_not_in_the_way(
    app: GraphPalace, palace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await app.drawers.add(palace, NewDrawer(text="the valve opens at noon", wing="greenhouse"))
    hooks = hooks_of(app, tmp_path)
    (tmp_path / "hooks" / "unfiled" / "a.json").mkdir(parents=True)  # cannot be removed as a file
    assert (await hooks.run(palace, "codex", "SessionStart", SAID)).did == "told"
    (failure,) = (await hooks.report()).failures
    assert (failure.host, failure.event) == ("codex", "filing")

    async def broken(*_: object) -> None:
        raise ValueError("Invalid isoformat string: 'noon'")

    monkeypatch.setattr(hooks, "_file_what_was_left", broken)
    with pytest.raises(GraphPalaceError, match="ValueError: Invalid isoformat string: 'noon'"):
        await hooks.run(palace, "codex", "SessionStart", SAID)
