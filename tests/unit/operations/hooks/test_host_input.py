"""What each host says is understood, and what it does not say is no error."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.hook_inputs import EVENTS, SESSIONS, hook_input, transcript_file

from graphpalace.domain.hooks import HOST_EVENTS, HostName
from graphpalace.ingest.transcripts.hosts import read_transcript
from graphpalace.operations.hooks.hosts import host_input, transcript_of

_HOSTS: tuple[HostName, ...] = ("claude-code", "codex", "cursor", "gemini")


@pytest.mark.parametrize("host", _HOSTS)
def test_the_wing_of_a_session_is_the_one_its_transcript_is_filed_into(host: HostName, tmp_path: Path) -> None:
    path, content = transcript_file(tmp_path, host)
    if host == "gemini":
        path.parent.mkdir(parents=True)
        (path.parents[1] / ".project_root").write_text("/home/ann/greenhouse")
    read = read_transcript(content, path, host=host)
    assert read is not None
    start, prompt, _ = EVENTS[host]
    for event, transcript in ((start, path), (start, None), (prompt, path)):
        told = host_input(host, hook_input(host, event, transcript, prompt="Why?"))
        assert (told.session, told.wing) == (SESSIONS[host], read.project)
    assert host_input(host, hook_input(host, prompt, None, prompt="Why?")).prompt == "Why?"


@pytest.mark.parametrize("host", _HOSTS)
def test_a_transcript_is_found_by_the_id_of_its_conversation(host: HostName, tmp_path: Path) -> None:
    path, content = transcript_file(tmp_path, host)
    told = host_input(host, hook_input(host, EVENTS[host][2][0], None))
    assert transcript_of(host, told, home=tmp_path) is None
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    assert transcript_of(host, told, home=tmp_path) == path
    for session in ("*", "../../x", "", "a"):
        strange = host_input(host, {"session_id": session})
        assert transcript_of(host, strange, home=tmp_path) is None


@pytest.mark.parametrize("host", _HOSTS)
def test_what_is_missing_or_of_another_type_is_as_if_it_was_not_said(host: HostName) -> None:
    for said in ({}, {"session_id": 1, "cwd": [], "workspace_roots": [3], "prompt": None, "transcript_path": {}}):
        told = host_input(host, said)
        assert (told.session, told.transcript, told.wing, told.prompt) == ("", None, None, "")


def test_only_the_recorded_events_are_known() -> None:
    for host, events in HOST_EVENTS.items():
        start, prompt, filing = EVENTS[host]
        assert [one.name for one in events] == [start, prompt, *filing]
        assert [one.does for one in events] == ["wake up", "recall", *["file"] * len(filing)]
