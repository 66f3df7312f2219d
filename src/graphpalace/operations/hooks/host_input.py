"""Reads what a host says at an event."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphpalace.domain.conversations import HostName
from graphpalace.domain.identity import as_place_name
from graphpalace.ingest.transcripts.hosts import HOSTS
from graphpalace.ingest.transcripts.project import project_name, slug_project

_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{7,127}")
_NOT_IN_SLUG = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class HostInput:
    """What a host says at an event, as far as it is needed.

    Attributes:
        session: Id of the conversation; "" if the host does not say it.
        transcript: Path of the file in which the host keeps the conversation; None: it does not say it.
        wing: The wing of its project, as filing its transcript finds it; None if the project is not known.
        source: How the session began: startup, resume, clear or compact; "" if the host does not say it.
        prompt: What the user asks; "" at other events.
        relayed: Whether another program runs the hook, as Cursor does with the hooks of Claude Code.
    """

    session: str
    transcript: str | None
    wing: str | None
    source: str
    prompt: str
    relayed: bool


def host_input(host: HostName, told: Mapping[str, Any]) -> HostInput:
    """Read the object that a host sends on standard input. Missing fields are no error."""
    roots = told.get("workspace_roots")
    folder = _text(told, "cwd") or (roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else "")
    transcript = _text(told, "transcript_path") or None
    return HostInput(
        session=_text(told, "session_id") or _text(told, "conversation_id"),
        transcript=transcript,
        wing=_wing(host, folder, transcript),
        source=_text(told, "source"),
        prompt=_text(told, "prompt"),
        relayed=host != "cursor" and "cursor_version" in told,
    )


def transcript_of(host: HostName, told: HostInput, *, home: Path) -> Path | None:
    """Return where the transcript of a conversation is; None if there is none yet.

    If the host does not say it, it is looked for by the id of the conversation.

    Args:
        home: Where the folders of hosts are.
    """
    if told.transcript is not None:
        return Path(told.transcript)
    if not _SESSION.fullmatch(told.session):
        return None
    kept = HOSTS[host]
    ending = told.session[:8] if host == "gemini" else told.session  # as each host names its files
    found = (path for path in (home / kept.folder).glob(kept.files) if path.stem.endswith(ending))
    return next(found, None)


def _text(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name)
    return value if isinstance(value, str) and "\0" not in value else ""


def _wing(host: HostName, folder: str, transcript: str | None) -> str | None:
    if host == "cursor":  # its transcripts only have the path of the project, spelled as one word
        parents = Path(transcript).parents if transcript else ()
        named = next((at.parent.name for at in parents if at.name == "agent-transcripts"), "")
        slug = slug_project(named or _NOT_IN_SLUG.sub("-", folder).strip("-"))
        return as_place_name(slug or "") or None
    return as_place_name(project_name(folder) or "") or None
