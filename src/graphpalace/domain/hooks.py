"""The events of hosts at which they run a command, what is done at each, and what is known of past runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, cast

from graphpalace.domain.field import Field

HostName = Literal["claude-code", "codex", "cursor", "gemini"]
HookAction = Literal["wake up", "recall", "file"]
HostScope = Literal["user", "project"]


@dataclass(frozen=True, slots=True)
class HostEvent:
    """An event of a host.

    Attributes:
        name: As the host writes it.
        does: What is done: say what to know, say what fits the prompt, or file the conversation.
        note: What users should know of this host at this event; "" if nothing.
    """

    name: str
    does: HookAction
    note: str = ""


HOST_EVENTS: Mapping[HostName, tuple[HostEvent, ...]] = {
    "claude-code": (
        HostEvent("SessionStart", "wake up"),
        HostEvent("UserPromptSubmit", "recall"),
        HostEvent("Stop", "file"),
        HostEvent("PreCompact", "file"),
        HostEvent("SessionEnd", "file"),
    ),
    "codex": (
        HostEvent("SessionStart", "wake up"),
        HostEvent("UserPromptSubmit", "recall"),
        HostEvent("Stop", "file"),
        HostEvent("PreCompact", "file"),
    ),
    "cursor": (
        HostEvent("sessionStart", "wake up", "some versions of Cursor run the hook and drop what it says"),
        HostEvent("beforeSubmitPrompt", "recall", "Cursor takes context here, but does not document it"),
        HostEvent("stop", "file"),
        HostEvent("preCompact", "file"),
        HostEvent("sessionEnd", "file"),
    ),
    "gemini": (
        HostEvent("SessionStart", "wake up"),
        HostEvent("BeforeAgent", "recall"),
        HostEvent("AfterAgent", "file"),
        HostEvent("PreCompress", "file"),
        HostEvent("SessionEnd", "file"),
    ),
}
FILING = "filing"  # what is noted of work that goes on after a hook has ended


@dataclass(frozen=True, slots=True)
class HookQuery:
    """All hooks of hosts."""


@dataclass(frozen=True, slots=True)
class HookRequest:
    """What a host says at an event."""

    host: Annotated[HostName, Field(description="the program whose hook it is")]
    event: Annotated[str, Field(description="as the host names it", examples=["UserPromptSubmit"])]
    input: Annotated[Mapping[str, Any], Field(description="the object that the host sends to its hooks")]


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """What a hook did, and what its host shall read."""

    host: HostName
    event: str
    did: Annotated[
        Literal["told", "nothing", "files"],
        Field(description="told: it said something; files: the conversation is being filed"),
    ]
    output: Annotated[
        str, Field(description="what the host reads on standard output; empty: nothing", examples=["{…}"])
    ] = ""
    why: Annotated[str, Field(description="why there was nothing to do")] = ""
    wing: Annotated[str | None, Field(description="that it is about; null: the whole palace")] = None
    drawers: Annotated[Sequence[str], Field(description="that the output shows, by id")] = ()


@dataclass(frozen=True, slots=True)
class HookRun:
    """The last run of a hook of a host, or the last conversation of a host that was filed (`filing`)."""

    host: str
    event: Annotated[str, Field(examples=["SessionStart", FILING])]
    at: Annotated[str, Field(description="when it ended", examples=["2026-05-31T12:00:00Z"])]
    took_ms: Annotated[float, Field(description="with the start of its process")]
    did: Annotated[str, Field(examples=["told", "nothing", "files", "failed"])]
    error: Annotated[str | None, Field(description="what went wrong in this run; null: nothing")] = None
    runs: Annotated[int, Field(description="so far")] = 1
    failures: Annotated[int, Field(description="how many of them failed")] = 0
    failed_at: Annotated[str | None, Field(description="when the last one failed; null: none did")] = None
    failure: Annotated[str | None, Field(description="what went wrong then")] = None


@dataclass(frozen=True, slots=True)
class HookFailure:
    """A run of a hook in which something went wrong, as the log has it."""

    at: str
    host: str
    event: str
    took_ms: float
    error: str


@dataclass(frozen=True, slots=True)
class InstalledHost:
    """What of GraphPalace a host knows, as its configuration files say."""

    host: HostName
    scope: Annotated[HostScope, Field(description="whether the files are the user's, or those of a project")]
    files: Annotated[Sequence[str], Field(description="that were looked at; a file that is missing says nothing")]
    server: Annotated[bool, Field(description="whether it knows the MCP server")]
    hooks: Annotated[Sequence[str], Field(description="the events at which it runs a hook of GraphPalace")]
    missing: Annotated[Sequence[str], Field(description="the events at which it does not")]
    problem: Annotated[str, Field(description="why its files cannot be read; empty: they can")] = ""
    events: Annotated[Sequence[HostEvent], Field(description="all events, and what a hook does at each")] = ()


@dataclass(frozen=True, slots=True)
class HookReport:
    """Which hooks are installed, when each ran last, how long it took, and what went wrong."""

    runs: Annotated[Sequence[HookRun], Field(description="by host and event")] = field(default_factory=list)
    unfiled: Annotated[
        int, Field(description="conversations that are being filed, or wait for the next hook that reaches the service")
    ] = 0
    log: Annotated[str, Field(description="the file in which each failure has a line")] = ""
    failures: Annotated[Sequence[HookFailure], Field(description="the newest lines of the log, newest first")] = ()
    installed: Annotated[
        Sequence[InstalledHost],
        Field(description="each host with the files of the user that the service runs as"),
    ] = ()


def event_of(host: HostName, event: str) -> HostEvent | None:
    """Return an event of a host by the name that the host gives it, or None if nothing is done at it."""
    return next((one for one in HOST_EVENTS[host] if one.name == event), None)


def known_host(name: object) -> HostName | None:
    """Return the name of a host, or None if it is not one of a known host."""
    return cast(HostName, name) if name in HOST_EVENTS else None
