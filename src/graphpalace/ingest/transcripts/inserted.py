"""Removes what hosts put into the messages of users: reminders, the output of commands, and context of the editor."""

from __future__ import annotations

import re

_ANYWHERE = re.compile(
    r"<(system-reminder|system_reminder|hook_context|graphpalace-memory)>.*?</\1>\s*"
    r"|&lt;graphpalace-memory&gt;.*?^&lt;/graphpalace-memory&gt;\s*",  # within a line, it would be a quoted text
    re.DOTALL | re.MULTILINE,
)
_WHOLE = re.compile(
    r"\s*<(local-command-stdout|local-command-stderr|local-command-caveat|bash-stdout|bash-stderr|task-notification|"
    r"user-prompt-submit-hook|ide_opened_file|ide_selection|ide_diagnostics|environment_context|user_instructions|"
    r"permissions instructions|collaboration_mode|turn_aborted|subagent_notification|session_context|user_info|"
    r"git_status|INSTRUCTIONS)>.*",
    re.DOTALL,
)
_INTERRUPTED = re.compile(r"\s*\[Request interrupted by user[^\]]*\]\s*")
_COMMAND = re.compile(r"<command-name>(.*?)</command-name>", re.DOTALL)
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
_SHELL = re.compile(r"\s*<bash-input>(.*?)</bash-input>\s*", re.DOTALL)


def said_by_user(text: str) -> str:
    """Return what a user has written, word for word, without what the host has put in; "" if that is all there is.

    A slash command becomes one line, such as `/review main`, and a shell command `! ls`.
    """
    text = _ANYWHERE.sub("", text)
    if _WHOLE.fullmatch(text) or _INTERRUPTED.fullmatch(text):
        return ""
    if text.lstrip().startswith(("<command-name>", "<command-message>")) and (name := _COMMAND.search(text)):
        arguments = _ARGUMENTS.search(text)
        return f"{name[1].strip()} {arguments[1].strip() if arguments else ''}".strip()
    if (shell := _SHELL.fullmatch(text)) is not None:
        return f"! {shell[1].strip()}"
    return text.strip("\n") if text.strip() else ""
