"""`graphpalace-hook` as each host runs it: a process that reads the host's JSON, and never stands in its way."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from graphpalace import Palace
from graphpalace.client import service_file
from graphpalace.client.service_file import RunningService
from graphpalace.domain.conversations import conversation_uri
from graphpalace.process_start import created_at
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, failure, in_data_folder, until
from tests.hook_inputs import EVENTS, SESSIONS, hook_input, transcript_file
from tests.spare_palaces import spare_name

HOOK = str(Path(sys.executable).with_name("graphpalace-hook"))
QUESTIONS = {  # each with words of the answer that its transcript has
    "claude-code": ("At which hour does the valve of the greenhouse open?", "The valve opens at noon."),
    "codex": ("Count the seedlings, how many?", "Count the seedlings."),
    "cursor": ("Shall we rename the shed?", "Rename the shed."),
    "gemini": ("How many degrees has the water?", "It has 21 degrees."),
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The home of the service's user, in which the hosts keep their transcripts."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("user")
        patch.setenv("HOME", str(folder))
        yield folder


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the service."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def own(settings: Settings, home: Path, data_dir: Path) -> Settings:
    """A service that reads the transcripts below the user's home, and is soon sure."""
    return changed(
        settings,
        neo4j=in_data_folder(settings, data_dir),
        palace={"name": spare_name()},
        conversations={"folders": (str(home),)},
        hooks={"prompt_confidence": 0.05},
    )


@pytest.fixture(scope="module")
def filled(own: Settings) -> str:
    """The palace of the service."""
    return own.palace.name


@pytest.fixture(scope="module")
def service(http: httpx.Client, data_dir: Path) -> Iterator[RunningService]:
    """The service, as its file says."""
    yield announced(data_dir, str(http.base_url))
    service_file.path_of(data_dir).unlink(missing_ok=True)


def announced(data_dir: Path, url: str) -> RunningService:
    """Write the file of a service that runs in this process."""
    found = RunningService(url.rstrip("/"), "", os.getpid(), created_at(os.getpid()) or 0.0, "0.1.0", str(data_dir))
    service_file.write(data_dir, found)
    return found


def hook(data_dir: Path, host: str, event: str, said: Any, *options: str) -> str:
    """Run the command as a host does; it always ends well, and within its deadline. Return what it prints."""
    sent = said if isinstance(said, str) else json.dumps(said)
    ran = subprocess.run(
        [HOOK, "--home", data_dir, "--deadline-s", "20", *options, host, event],  # the machine may be busy
        input=sent,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd="/",
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def context(host: str, event: str, output: str) -> str:
    """Return what a host would add to its conversation; "" if it is told nothing."""
    if not output:
        return ""
    answer = json.loads(output)
    if host == "cursor":
        assert set(answer) <= {"continue", "additional_context"}
        assert answer.get("continue", True) is True
        return answer["additional_context"]
    assert set(answer) == {"hookSpecificOutput"}
    assert answer["hookSpecificOutput"].keys() == {"hookEventName", "additionalContext"}
    assert answer["hookSpecificOutput"]["hookEventName"] == event
    return answer["hookSpecificOutput"]["additionalContext"]


def noted(data_dir: Path, host: str, event: str) -> dict[str, Any]:
    path = data_dir / "hooks" / f"{host}.{event}.json"
    return json.loads(path.read_text()) if path.exists() else {"runs": 0}


def log(data_dir: Path) -> str:
    path = data_dir / "hooks" / "hooks.log"
    return path.read_text() if path.exists() else ""


@pytest.mark.parametrize("host", SESSIONS)
def test_a_session_is_filed_as_it_goes_and_later_ones_are_told_what_fits(
    host: str, home: Path, data_dir: Path, service: RunningService, http: httpx.Client
) -> None:
    start, prompt, filing = EVENTS[host]
    path, content = transcript_file(home, host)
    question, answer = QUESTIONS[host]

    def run(event: str, transcript: Path | None, **more: Any) -> str:
        return hook(data_dir, host, event, hook_input(host, event, transcript, **more))

    def filed(times: int) -> dict[str, Any]:
        until(lambda: noted(data_dir, host, "filing")["runs"] >= times, seconds=30)
        return noted(data_dir, host, "filing")

    # The first session: the project is new, and the host has written nothing yet.
    assert answer not in context(host, start, run(start, path))
    assert answer not in context(host, prompt, run(prompt, path, prompt=question))
    assert run(filing[0], path) == ""
    assert noted(data_dir, host, filing[0])["did"] == "nothing"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    for times, event in enumerate(filing, start=1):
        assert run(event, path) == ""
        assert noted(data_dir, host, event)["did"] == "files"
        assert filed(times)["error"] is None
    source = conversation_uri(host, SESSIONS[host])
    kept = http.get("/v1/conversations", params={"host": host}).json()["conversations"]
    assert [one["source_uri"] for one in kept] == [source]
    assert run(filing[0], None) == ""  # the transcript is found by the id of the conversation
    assert filed(len(filing) + 1)["did"] == "nothing"
    assert http.get("/v1/conversations", params={"host": host}).json()["conversations"] == kept
    # What the conversation has is not told to it.
    assert answer not in context(host, prompt, run(prompt, path, prompt=question))

    # The next session of the project.
    other = {"session_id": str(uuid.uuid4()), "conversation_id": str(uuid.uuid4())}
    woken = context(host, start, run(start, None, **other))
    assert woken.startswith("<graphpalace-memory>")
    assert answer in woken
    short = hook_input(host, prompt, None, prompt="go on", **other)
    assert hook(data_dir, host, prompt, short) == ""
    strange = {"session_id": str(uuid.uuid4()), "conversation_id": str(uuid.uuid4())}
    fits = context(host, prompt, run(prompt, None, prompt=question, **strange))
    assert answer in fits
    assert len(fits.encode()) <= 1500
    again = context(host, prompt, run(prompt, None, prompt=question, **strange))
    assert answer not in again

    report = http.get("/v1/hooks").json()
    runs = {(one["host"], one["event"]): one for one in report["runs"]}
    assert runs[host, prompt]["failures"] == 0
    assert runs[host, "filing"]["failures"] == 0


def test_what_a_host_cannot_be_told_never_stands_in_its_way(
    data_dir: Path, service: RunningService, home: Path
) -> None:
    said = hook_input("claude-code", "UserPromptSubmit", None, prompt="When does the valve open at noon?")
    tried = [
        ("claude-code", "UserPromptSubmit", "", "is not JSON"),
        ("claude-code", "UserPromptSubmit", '{"prompt": "cut o', "is not JSON"),
        ("claude-code", "UserPromptSubmit", "[" * 100_000, "is not JSON"),
        ("claude-code", "UserPromptSubmit", "[1]", "but no object"),
        ("claude-code", "PostToolUse", said, "claude-code has SessionStart, UserPromptSubmit, Stop"),
        ("emacs", "UserPromptSubmit", said, "the service answered 422"),
        ("../../x", "Stop", said, "the service answered 404"),
        ("claude-code", "Stop", {"transcript_path": "/etc/passwd"}, "[conversations] folders allows"),
    ]
    for host, event, sent, why in tried:
        assert hook(data_dir, host, event, sent) == ""
        assert why in log(data_dir).splitlines()[-1], host
    assert "When does the valve" not in log(data_dir)
    missing = hook(data_dir, "claude-code", "UserPromptSubmit", said, "--palace", "nowhere")
    assert missing == ""
    assert "nowhere" in log(data_dir).splitlines()[-1]
    for strange in ({}, {"prompt": 7, "session_id": [1]}, {"transcript_path": "a\0b", "prompt": "x" * 100_000}):
        assert hook(data_dir, "claude-code", "UserPromptSubmit", strange) == ""
        assert noted(data_dir, "claude-code", "UserPromptSubmit")["error"] is None
    assert not list(data_dir.parent.rglob("x.Stop.json"))


def test_a_conversation_that_ends_while_no_service_answers_is_filed_at_the_next_hook(
    home: Path, data_dir: Path, service: RunningService, http: httpx.Client
) -> None:
    path, content = transcript_file(home / "late", "claude-code")
    session = str(uuid.uuid4())
    path = path.with_name(f"{session}.jsonl")
    path.parent.mkdir(parents=True)
    path.write_bytes(content.replace(SESSIONS["claude-code"].encode(), session.encode()).replace(b"pump", b"hose"))
    said = hook_input("claude-code", "SessionEnd", path, session_id=session)
    with socket.create_server(("127.0.0.1", 0)) as deaf:  # accepts, and never answers
        announced(data_dir, f"http://127.0.0.1:{deaf.getsockname()[1]}")
        assert hook(data_dir, "claude-code", "SessionEnd", said, "--deadline-s", "1") == ""
        assert "did not answer in time" in log(data_dir).splitlines()[-1]
    assert hook(data_dir, "claude-code", "SessionEnd", said) == ""
    assert "cannot be reached" in log(data_dir).splitlines()[-1]
    service_file.path_of(data_dir).unlink()
    assert hook(data_dir, "claude-code", "SessionEnd", said) == ""
    assert "no service runs" in log(data_dir).splitlines()[-1]
    announced(data_dir, service.url)
    report = http.get("/v1/hooks").json()
    assert report["unfiled"] == 1
    assert Path(report["log"]) == data_dir / "hooks" / "hooks.log"
    assert hook(data_dir, "codex", "UserPromptSubmit", hook_input("codex", "UserPromptSubmit", None, prompt="hi")) == ""
    until(lambda: http.get("/v1/hooks").json()["unfiled"] == 0, seconds=30)
    assert http.get(f"/v1/conversations/claude-code/{session}").status_code == 200


def test_a_session_is_told_again_only_if_its_context_began_anew(
    data_dir: Path, service: RunningService, http: httpx.Client
) -> None:
    http.post("/v1/drawers", json={"text": "Water the ferns on Mondays.", "wing": "winter", "room": "r"})
    folder = {"cwd": "C:\\Users\\ann\\winter", "session_id": str(uuid.uuid4())}

    def start(source: str) -> bool:
        said = hook_input("claude-code", "SessionStart", None, source=source, **folder)
        return "ferns" in hook(data_dir, "claude-code", "SessionStart", said)

    def ask() -> bool:
        said = hook_input("claude-code", "UserPromptSubmit", None, prompt="when to water the ferns", **folder)
        return "ferns" in hook(data_dir, "claude-code", "UserPromptSubmit", said)

    assert [start("startup"), ask(), start("resume"), ask()] == [True, False, False, False]
    assert [start("compact"), start("clear"), start("startup")] == [True, True, True]
    http.post("/v1/drawers", json={"text": "The ferns are sold.", "wing": "winter", "room": "r"})
    assert start("resume")
    # Cursor runs the hooks of Claude Code too, besides its own.
    relayed = hook_input("claude-code", "SessionStart", None, source="startup", cursor_version="3.8", **folder)
    assert hook(data_dir, "claude-code", "SessionStart", relayed) == ""


def test_the_doors_say_the_same(http: httpx.Client, filled: str) -> None:
    failure(http.post("/v1/hooks/codex/Stop", json={}), 422, "VALIDATION_ERROR")
    failure(http.post("/v1/hooks/codex/SessionEnd", json={"input": {}}), 422, "VALIDATION_ERROR")
    with Palace.connect(str(http.base_url), name=filled) as palace:
        nothing = palace.hooks.run("codex", "SessionStart", {"cwd": "/home/ann/new"})
        assert (nothing.did, nothing.output, nothing.wing) == ("nothing", "", "new")
        assert palace.hooks.report().runs
