"""Filing and reading conversations behind every door."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from graphpalace.domain.conversations import Message
from graphpalace.errors import InvalidInput, NotFound, UnreadableDocument
from tests import transcripts
from tests.acceptance.served import failure


async def test_a_transcript_is_filed_listed_and_shown(
    door: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rollout-1.jsonl").write_bytes(transcripts.lines(transcripts.CODEX))
    monkeypatch.chdir(tmp_path)
    done = await door.conversations.file("rollout-1.jsonl")
    assert (done.host, done.conversation, done.wing, done.drawers_created) == ("codex", "0199-codex", "greenhouse", 6)
    assert (await door.conversations.file("rollout-1.jsonl", host="codex")).drawers_created == 0
    assert (
        await door.conversations.file("rollout-1.jsonl", wing="copy", project="beds", conversation="own")
    ).wing == "copy"
    listed = [(one.conversation, one.wing, one.project) async for one in door.conversations.list(page=1)]
    assert listed == [("own", "copy", "beds"), ("0199-codex", "greenhouse", "greenhouse")]
    assert [one.wing async for one in door.conversations.list(project="greenhouse", host="codex")] == ["greenhouse"]
    shown = await door.conversations.show("codex", "0199-codex", wing="greenhouse")
    assert shown.drawers[0].text == "Count the seedlings."
    assert sorted(shown.conversation.speakers) == ["assistant", "user"]
    (tmp_path / "empty.jsonl").write_bytes(b"")
    assert await door.conversations.file(tmp_path / "empty.jsonl") is None


async def test_messages_are_filed_as_values_and_as_mappings(door: Any) -> None:
    token = "hf" + "_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3h"
    said = datetime(2026, 5, 31, 9, tzinfo=UTC)
    done = await door.conversations.file_messages(
        [Message("sow the tomatoes", "Ann", said, "1"), {"speaker": "bot", "text": f"use {token} now", "id": "2"}],
        host="my-agent",
        conversation="day/1",
        project="greenhouse",
    )
    assert (done.drawers_created, done.wing, done.masked) == (2, "greenhouse", {"Hugging Face token": 1})
    shown = await door.conversations.show("my-agent", "day/1")
    assert [(drawer.author, drawer.text) for drawer in shown.drawers] == [
        ("Ann", "sow the tomatoes"),
        ("bot", "use [masked: Hugging Face token] now"),
    ]
    assert shown.drawers[0].occurred_at == "2026-05-31T09:00:00Z"


async def test_a_name_that_several_wings_have_is_listed_and_never_chosen(door: Any) -> None:
    async def filed(text: str, wing: str, conversation: str = "day/2") -> None:
        said = [{"speaker": "Ann", "text": text}]
        await door.conversations.file_messages(said, host="my-agent", conversation=conversation, wing=wing)

    await filed("sow the tomatoes", "greenhouse")
    assert (await door.conversations.show("my-agent", "day/2")).conversation.wing == "greenhouse"
    await filed("burn the tomatoes", "shed")
    await filed("something else", "shed", "day/3")
    with pytest.raises(InvalidInput, match="'greenhouse', 'shed': name one of them") as raised:
        await door.conversations.show("my-agent", "day/2")
    assert (raised.value.detail["field"], raised.value.detail["wings"]) == ("wing", ["greenhouse", "shed"])
    for wing, text in (("greenhouse", "sow the tomatoes"), ("shed", "burn the tomatoes")):
        shown = await door.conversations.show("my-agent", "day/2", wing=wing)
        assert [drawer.text for drawer in shown.drawers] == [text]
        found = await door.search("tomatoes", wing=wing, conversation="my-agent/day/2")
        assert [hit.text for hit in found.hits] == [text]
    assert (await door.conversations.show("my-agent", "day/3")).conversation.wing == "shed"
    found = await door.search("tomatoes", conversation="my-agent/day/2")
    assert {(hit.wing, hit.text) for hit in found.hits} == {
        ("greenhouse", "sow the tomatoes"),
        ("shed", "burn the tomatoes"),
    }


async def test_what_was_forgotten_is_filed_again_only_if_somebody_says_so(door: Any, tmp_path: Path) -> None:
    said = {"messages": [{"speaker": "Ann", "text": "the code is 4711"}], "host": "my-agent", "conversation": "c"}
    (tmp_path / "rollout-1.jsonl").write_bytes(transcripts.lines(transcripts.CODEX))
    assert (await door.conversations.file_messages(**said)).drawers_created == 1
    assert (await door.conversations.file(tmp_path / "rollout-1.jsonl")).drawers_created == 6
    assert (await door.forget(conversation="my-agent/c")).deleted == 1
    assert (await door.forget(pattern="seedlings")).deleted >= 1
    assert (await door.conversations.file_messages(**said)).forgotten_at is not None
    assert (await door.conversations.file(tmp_path / "rollout-1.jsonl")).drawers_created == 0
    again = await door.conversations.file_messages(**said, again=True)
    assert (again.forgotten_at, again.drawers_created) == (None, 1)
    assert (await door.conversations.file(tmp_path / "rollout-1.jsonl", again=True)).drawers_created >= 1
    assert (await door.forget(wing="greenhouse")).deleted == 6
    report = await door.ingest(tmp_path, wing="greenhouse")
    assert (report.drawers_created, report.skipped["forgotten"]) == (0, 1)
    assert (await door.ingest(tmp_path, wing="greenhouse", again=True)).drawers_created == 6


async def test_what_cannot_be_filed_is_named_and_nothing_is_stored(door: Any, tmp_path: Path) -> None:
    (tmp_path / "notes.jsonl").write_text('{"a": 1}\n')
    one = [{"speaker": "a", "text": "b"}]
    for call, match in (
        (door.conversations.file_messages([], host="h", conversation="c"), "messages"),
        (door.conversations.file_messages([{"speaker": "a"}], host="h", conversation="c"), "text"),
        (
            door.conversations.file_messages([{"speaker": "a", "text": " "}], host="h", conversation="c"),
            r"messages\.0\.text",
        ),
        (door.conversations.file_messages(one, host="a/b", conversation="c"), "host is 'a/b'"),
        (door.conversations.file_messages(one, host="h", conversation="c", wing=" "), "wing"),
        (door.conversations.file(tmp_path / "notes.jsonl", host="emacs"), "host"),
    ):
        with pytest.raises(InvalidInput, match=match):
            await call
    with pytest.raises(UnreadableDocument, match="no transcript"):
        await door.conversations.file(tmp_path / "notes.jsonl")
    with pytest.raises(NotFound):
        await door.conversations.file(tmp_path / "gone.jsonl")
    with pytest.raises(NotFound):
        await door.conversations.show("h", "c")
    assert await door.wings() == []


def test_a_service_files_only_transcripts_in_the_folders_that_its_settings_allow(service_url: str, palace: str) -> None:
    with httpx.Client(base_url=service_url) as http:
        body = {"palace": palace, "path": "/etc/hosts"}
        error = failure(http.post("/v1/conversations", json=body), 422, "VALIDATION_ERROR")
        assert "path is '/etc/hosts'; [conversations] folders allows" in error["message"]
        for path, content in (("/a.jsonl", "no base64"), ("/a.jsonl", 1), ("", "")):
            sent = {"palace": palace, "path": path, "content": content}
            failure(http.post("/v1/conversations/content", json=sent), 422, "VALIDATION_ERROR")
