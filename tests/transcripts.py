"""Transcripts as the hosts write them, of conversations that nobody held."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

SESSION = "0f8fad5b-d9cb-469f-a165-70867728950e"


def lines(records: Sequence[dict[str, Any]]) -> bytes:
    """Return records as JSON lines."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def claude(
    kind: str, content: Any, uuid: str, *, minute: int = 0, session: str = SESSION, **more: Any
) -> dict[str, Any]:
    """Return a line of Claude Code."""
    return {
        "parentUuid": None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/ann/greenhouse",
        "sessionId": session,
        "version": "2.1.0",
        "gitBranch": "main",
        "type": kind,
        "message": {"role": kind, "content": content},
        "uuid": uuid,
        "timestamp": f"2026-03-02T10:{minute:02}:00.000Z",
        **more,
    }


def text(said: str) -> dict[str, Any]:
    """Return a block of text."""
    return {"type": "text", "text": said}


def use(name: str, **arguments: Any) -> dict[str, Any]:
    """Return a block that calls a tool."""
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments}


CLAUDE_CODE = [
    {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
    {"type": "permission-mode", "permissionMode": "default", "sessionId": SESSION},
    claude("user", "Caveat: what follows was written by a command", "u0", isMeta=True),
    claude(
        "user",
        "<command-message>review</command-message>\n<command-name>/review</command-name>\n"
        "<command-args>the valves</command-args>",
        "u1",
    ),
    claude("assistant", [{"type": "thinking", "thinking": "hidden thoughts", "signature": "s"}], "a0", minute=1),
    claude("assistant", [text("I look at the valve first.")], "a1", minute=1),
    claude("assistant", [use("Read", file_path="/home/ann/greenhouse/valve.py", limit=9)], "a2", minute=2),
    claude(
        "user",
        [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "secret result of a tool"}],
        "u2",
        minute=2,
        toolUseResult={"file": {}},
    ),
    claude("assistant", [use("Bash", command="pytest -q  tests/", description="run tests")], "a3", minute=3),
    claude("assistant", [text("The valve opens at noon.")], "a4", minute=4),
    claude(
        "user",
        [text("Thanks.\nAnd the pump?<system-reminder>\nDo not tell.\n</system-reminder>")],
        "u3",
        minute=5,
    ),
    claude("user", "Look for the pump.", "s1", minute=6, isSidechain=True, agentId="a17"),
    claude("assistant", [text("The pump is in the cellar.")], "s2", minute=6, isSidechain=True, agentId="a17"),
    claude("assistant", [text("It is in the cellar.")], "a5", minute=7),
    claude("user", [text("[Request interrupted by user]")], "u4", minute=8),
    {"type": "custom-title", "customTitle": "Valves and pumps", "sessionId": SESSION},
]


def codex(kind: str, payload: dict[str, Any], *, minute: int = 0) -> dict[str, Any]:
    """Return a line of Codex."""
    return {"timestamp": f"2026-03-03T09:{minute:02}:00.000Z", "type": kind, "payload": payload}


def codex_says(role: str, said: str, *, minute: int = 0) -> dict[str, Any]:
    """Return a message in Codex."""
    block = {"type": "input_text" if role == "user" else "output_text", "text": said}
    return codex("response_item", {"type": "message", "role": role, "content": [block]}, minute=minute)


CODEX = [
    codex("session_meta", {"id": "0199-codex", "cwd": "/home/ann/greenhouse", "cli_version": "0.90.0", "git": {}}),
    codex_says("developer", "be brief"),
    codex_says("user", "<environment_context>\n<cwd>/home/ann/greenhouse</cwd>\n</environment_context>"),
    codex_says("user", "# AGENTS.md instructions for /home/ann/greenhouse\n\nUse tabs."),
    codex("turn_context", {"cwd": "/home/ann/greenhouse", "model": "m"}),
    codex_says("user", "Count the seedlings.", minute=1),
    codex("event_msg", {"type": "user_message", "message": "Count the seedlings."}, minute=1),
    codex("response_item", {"type": "reasoning", "summary": [], "encrypted_content": "x"}, minute=1),
    codex(
        "response_item",
        {"type": "function_call", "name": "shell", "arguments": '{"command":["ls","beds"]}', "call_id": "c"},
        minute=1,
    ),
    codex("response_item", {"type": "function_call_output", "call_id": "c", "output": "a b c"}, minute=1),
    codex(
        "response_item",
        {
            "type": "custom_tool_call",
            "name": "apply_patch",
            "input": "*** Begin Patch\n*** Update File: beds/one.md\n@@\n+three\n*** End Patch",
        },
        minute=1,
    ),
    codex_says("assistant", "There are three.", minute=2),
    codex("event_msg", {"type": "agent_message", "message": "There are three."}, minute=2),
    codex_says("user", "yes", minute=3),
    codex_says("assistant", "Done.", minute=4),
    codex_says("user", "yes", minute=5),
    codex_says("assistant", "Done.", minute=6),
]

GEMINI_ID = "92f625c6-a764-48e3-b922-3766d41f9c4c"
_GEMINI_META = {
    "sessionId": GEMINI_ID,
    "projectHash": "a" * 64,
    "startTime": "2026-03-04T08:00:00.000Z",
    "lastUpdated": "2026-03-04T08:05:00.000Z",
}


def gemini(kind: str, said: Any, own_id: str, *, minute: int = 0, **more: Any) -> dict[str, Any]:
    """Return a message of Gemini CLI."""
    return {"id": own_id, "timestamp": f"2026-03-04T08:{minute:02}:00.000Z", "type": kind, "content": said, **more}


_GEMINI = [
    gemini("user", [{"text": "<session_context>\nfolders\n</session_context>"}], "g0"),
    gemini("user", "Is the water warm?", "g1", minute=1),
    gemini(
        "gemini",
        "I ask the sensor.",
        "g2",
        minute=2,
        thoughts=[{"subject": "hidden"}],
        toolCalls=[{"id": "t", "name": "run_shell_command", "args": {"command": "sensor --read"}, "result": []}],
    ),
    gemini("gemini", "It has 21 degrees.", "g3", minute=3),
    gemini("info", "Request cancelled.", "g4", minute=4),
]
GEMINI_WHOLE = json.dumps({**_GEMINI_META, "messages": _GEMINI}, indent=2).encode()
GEMINI_LINES = lines(
    [
        {**_GEMINI_META, "kind": "main"},
        *_GEMINI[:2],
        {**_GEMINI[2], "content": "I ask", "toolCalls": []},
        {"$set": {"lastUpdated": "2026-03-04T08:02:00.000Z"}},
        _GEMINI[2],
        {"$set": {"messages": _GEMINI[:4]}},
        {"$rewindTo": "g3"},
    ]
)

CURSOR = [
    {
        "role": "user",
        "message": {
            "content": [
                text(
                    "<timestamp>Tuesday, Apr 28, 2026, 10:15 AM (UTC+3)</timestamp>\n"
                    "<attached_files>x</attached_files>\n<user_query>\nRename the shed.\n</user_query>"
                )
            ]
        },
    },
    {"role": "assistant", "message": {"content": [text("I rename it."), use("StrReplace", path="shed.py", old="a")]}},
    {"role": "assistant", "message": {"content": [use("Shell", command="git diff")]}},
    {"type": "turn_ended", "status": "success"},
]
