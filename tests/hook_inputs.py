"""What each host sends to its hooks, as its documentation and its source say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests import transcripts

SESSIONS = {
    "claude-code": transcripts.SESSION,
    "codex": "0199a213-81c0-7800-8aa1-bbab2a035a53",
    "cursor": "668320d2-2fd8-4888-b33c-2a466fec86e7",
    "gemini": transcripts.GEMINI_ID,
}
EVENTS = {  # at its start, at a prompt, and as it goes
    "claude-code": ("SessionStart", "UserPromptSubmit", ("Stop", "PreCompact", "SessionEnd")),
    "codex": ("SessionStart", "UserPromptSubmit", ("Stop", "PreCompact")),
    "cursor": ("sessionStart", "beforeSubmitPrompt", ("stop", "preCompact", "sessionEnd")),
    "gemini": ("SessionStart", "BeforeAgent", ("AfterAgent", "PreCompress", "SessionEnd")),
}
_MORE: dict[str, dict[str, Any]] = {
    "claude-code SessionStart": {"source": "startup", "model": "claude-sonnet-5"},
    "claude-code UserPromptSubmit": {"permission_mode": "default"},
    "claude-code Stop": {"permission_mode": "default", "stop_hook_active": False, "last_assistant_message": "Done."},
    "claude-code PreCompact": {"trigger": "auto", "custom_instructions": ""},
    "claude-code SessionEnd": {"reason": "prompt_input_exit"},
    "codex SessionStart": {"source": "startup"},
    "codex UserPromptSubmit": {"turn_id": "1"},
    "codex Stop": {"turn_id": "1", "stop_hook_active": False, "last_assistant_message": None},
    "codex PreCompact": {"turn_id": "1", "trigger": "manual"},
    "cursor sessionStart": {"is_background_agent": False, "composer_mode": "agent"},
    "cursor beforeSubmitPrompt": {"attachments": [{"type": "file", "file_path": "/home/ann/greenhouse/valve.py"}]},
    "cursor stop": {"status": "completed", "loop_count": 0},
    "cursor preCompact": {"trigger": "auto", "context_usage_percent": 85, "is_first_compaction": True},
    "cursor sessionEnd": {"reason": "user_close", "duration_ms": 45000, "final_status": "completed"},
    "gemini SessionStart": {"source": "startup"},
    "gemini AfterAgent": {"prompt": "p", "prompt_response": "r", "stop_hook_active": False},
    "gemini PreCompress": {"trigger": "auto"},
    "gemini SessionEnd": {"reason": "exit"},
}


def hook_input(host: str, event: str, transcript: Path | str | None, **more: Any) -> dict[str, Any]:
    """Return what a host says at an event."""
    path = None if transcript is None else str(transcript)
    session = SESSIONS[host]
    common: dict[str, Any] = {"hook_event_name": event, "transcript_path": path}
    if host == "cursor":
        common |= {
            "conversation_id": session,
            "generation_id": "490b90b7-a2ce-4c2c-bb76-cb77b125df2f",
            "model": "gpt-6",
            "cursor_version": "2026.07.23",
            "workspace_roots": ["/home/ann/greenhouse"],
            "user_email": "ann@example.org",
        }
        if event in ("sessionStart", "sessionEnd"):
            common["session_id"] = session
    else:
        common |= {"session_id": session, "cwd": "/home/ann/greenhouse"}
    if host == "codex":
        common |= {"model": "gpt-6-codex", "permission_mode": "default"}
    if host == "gemini":
        common["timestamp"] = "2026-03-04T08:05:00.000Z"
    return common | _MORE.get(f"{host} {event}", {}) | more


def transcript_file(home: Path, host: str) -> tuple[Path, bytes]:
    """Return where a host would keep a conversation, and what is in it."""
    session = SESSIONS[host]
    if host == "claude-code":
        path = home / ".claude/projects/-home-ann-greenhouse" / f"{session}.jsonl"
        return path, transcripts.lines(transcripts.CLAUDE_CODE)
    if host == "codex":
        path = home / ".codex/sessions/2026/03/03" / f"rollout-2026-03-03T09-00-00-{session}.jsonl"
        return path, transcripts.lines(transcripts.CODEX).replace(b"0199-codex", session.encode())
    if host == "cursor":
        path = home / ".cursor/projects/home-ann-greenhouse/agent-transcripts" / session / f"{session}.jsonl"
        return path, transcripts.lines(transcripts.CURSOR)
    path = home / ".gemini/tmp/greenhouse/chats" / f"session-2026-03-04T08-00-{session[:8]}.json"
    return path, transcripts.GEMINI_WHOLE
