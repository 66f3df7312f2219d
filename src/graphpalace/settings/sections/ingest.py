"""The sections on what is stored: `[ingest]`, `[conversations]` and `[hooks]`."""

from __future__ import annotations

import os
from typing import Annotated, Literal

from pydantic import Field

from graphpalace.domain.drawers.files import (
    LARGEST_WINDOW,
    LEAST_PASSAGE_CHARS,
    MAX_WINDOWS,
    MOST_PASSAGE_CHARS,
    SMALLEST_WINDOW,
    ReadLimits,
    RoomMode,
    SplitOptions,
)
from graphpalace.domain.palaces.languages import Language
from graphpalace.settings.sections.section import SettingsSection

_SPLIT, _LIMITS = SplitOptions(), ReadLimits()


class IngestSettings(SettingsSection):
    """How files become drawers."""

    max_chars: int = Field(
        default=_SPLIT.max_chars,
        ge=LEAST_PASSAGE_CHARS,
        le=MOST_PASSAGE_CHARS,
        description="The largest number of characters in a drawer.",
    )
    overlap_chars: int = Field(
        default=_SPLIT.overlap_chars,
        ge=0,
        le=2000,
        description="The number of characters that neighbouring drawers share.",
    )
    windows: tuple[Annotated[int, Field(ge=SMALLEST_WINDOW, le=LARGEST_WINDOW)], ...] = Field(
        default=_SPLIT.windows,
        max_length=MAX_WINDOWS,
        description="The sizes in lines of windows into which code is split, for example [1000, 2000, 4000]. If it is "
        "empty, code is split at its definitions.",
    )
    max_files: int = Field(default=0, ge=0, description="The largest number of files that one run reads. 0: no limit.")
    exclude_dirs: tuple[str, ...] = Field(
        default=(".venv", "node_modules", ".git", "external"),
        description="The names of directories to skip.",
    )
    folders: tuple[str, ...] = Field(
        default=(),
        description="The folders whose files the service reads for everybody who may ingest. It reads other files only "
        "for the user that it runs as. The programs of other users read such files themselves, and send them.",
    )
    follow_links: bool = Field(default=False, description="Whether to follow links that lead out of the given folders.")
    chunk_workers: int = Field(
        default_factory=lambda: max(4, os.cpu_count() or 4),
        ge=1,
        le=128,
        description="The number of threads that read and split files.",
        json_schema_extra={"shown_default": "one for each core, at least 4", "shown_value": 4},
    )
    read_limit_s: float = Field(
        default=_LIMITS.processor_s,
        gt=0,
        le=86400,
        description="The processor time in seconds that reading a file of 1 MiB may take, if its format is read in a "
        "process of its own (PDF, DOCX, HTML, RST, notebooks, mail). Larger files may take up to ten times as long.",
    )
    read_limit_mb: int = Field(
        default=_LIMITS.memory_mb,
        ge=16,
        le=1048576,
        description="The memory in MiB that reading such a file may take.",
    )
    slow_limit_s: float = Field(
        default=_LIMITS.slow_s,
        gt=0,
        le=86400,
        description="The processor time in seconds that all files of an ingest together may take that are slow to read "
        "for the little text that they have. One of them may take half of what is left, and at least 2 s.",
    )
    rooms: RoomMode = Field(
        default="auto",
        description="What rooms are made from: folders, headings, or clusters, which are topics. auto makes them from "
        "folders, from topics for the documents that are in no folder, and from the chapters of a book that is alone.",
    )
    language: Literal["auto", Language] = Field(
        default="auto",
        description="The language of the wings that are written to, as an ISO 639-1 code such as de, by which their "
        "words are stemmed. auto guesses it, once, from the first texts of a wing.",
    )
    similar_k: int = Field(
        default=5, ge=0, le=50, description="The largest number of SIMILAR_TO edges that a new drawer gets."
    )
    similar_threshold: float = Field(
        default=0.5, ge=-1, le=1, description="The least cosine between two drawers for a SIMILAR_TO edge."
    )
    tunnel_threshold: float = Field(
        default=0.7, ge=-1, le=1, description="The least cosine between two rooms for a TUNNEL edge."
    )
    settle_after_s: float = Field(
        default=5.0,
        ge=0,
        le=86400,
        description="After single drawers were added or deleted, halls and tunnels are updated when no change came for "
        "this number of seconds. With 0, the next ingest updates them.",
    )

    @property
    def fixed_language(self) -> str | None:
        """The language of every wing that is written to; None: guess it."""
        return None if self.language == "auto" else self.language

    @property
    def split(self) -> SplitOptions:
        """The options for splitting documents.

        Raises:
            InvalidInput: If neighbouring drawers share more than half of the longest drawer.
        """
        return SplitOptions(self.max_chars, self.overlap_chars, tuple(self.windows))

    @property
    def read_limits(self) -> ReadLimits:
        """The limits of time and memory for reading files."""
        return ReadLimits(self.read_limit_s, self.read_limit_mb, self.slow_limit_s)


class ConversationSettings(SettingsSection):
    """How conversations are filed."""

    mask_secrets: bool = Field(
        default=True,
        description="Whether keys, tokens and private keys are masked in conversations before they are stored.",
    )
    folders: tuple[str, ...] = Field(
        default=("~/.claude/projects", "~/.codex/sessions", "~/.cursor/projects", "~/.gemini/tmp"),
        description="The folders whose transcripts the service files for a caller over HTTP, who gives their paths. If "
        "it is empty, the service files none. The command line, and programs that open a palace in their own process, "
        "file everything that their user may read.",
    )


class HookSettings(SettingsSection):
    """What the hooks of agent hosts add to conversations, and what they file. `graphpalace install` sets them up."""

    wing: str = Field(
        default="",
        max_length=200,
        description="The wing into which conversations are filed, and from which an agent gets what to know when a "
        "session begins. If it is empty, it is the wing of the project.",
    )
    wake_up_bytes: int = Field(
        default=2048,
        ge=0,
        le=65_536,
        description="The largest number of bytes that an agent gets when a session begins, without the introductory "
        "line. With less than 256, it gets nothing.",
    )
    prompt_bytes: int = Field(
        default=1500,
        ge=0,
        le=65_536,
        description="The largest number of bytes that are added to a prompt. With 0, nothing is added.",
    )
    prompt_confidence: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="The least confidence of a hit that is added to a prompt.",
    )
    prompt_scope: Literal["palace", "wing"] = Field(
        default="palace", description="Where a prompt is searched: in the whole palace, or in the wing."
    )
    file: bool = Field(default=True, description="Whether conversations are filed.")
