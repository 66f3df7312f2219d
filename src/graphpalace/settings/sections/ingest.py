"""The section `[ingest]`."""

from __future__ import annotations

import os
from typing import Annotated, Literal

from pydantic import Field

from graphpalace.domain.read_limits import ReadLimits
from graphpalace.domain.split_options import (
    LARGEST_WINDOW,
    LEAST_CHARS,
    MAX_WINDOWS,
    MOST_CHARS,
    SMALLEST_WINDOW,
    SplitOptions,
)
from graphpalace.settings.sections.section import Section

_SPLIT, _LIMITS = SplitOptions(), ReadLimits()

RoomMode = Literal["auto", "folders", "headings", "clusters"]


class IngestSettings(Section):
    """How files become drawers."""

    max_chars: int = Field(
        default=_SPLIT.max_chars,
        ge=LEAST_CHARS,
        le=MOST_CHARS,
        description="The longest drawer has this number of characters.",
    )
    overlap_chars: int = Field(
        default=_SPLIT.overlap_chars, ge=0, le=2000, description="Neighbouring drawers share this number of characters."
    )
    windows: tuple[Annotated[int, Field(ge=SMALLEST_WINDOW, le=LARGEST_WINDOW)], ...] = Field(
        default=_SPLIT.windows,
        max_length=MAX_WINDOWS,
        description="The sizes in lines of the windows that cut code (seed 000), for example [1000, 2000, 4000]. If it "
        "is empty, code is cut at its definitions.",
    )
    max_files: int = Field(default=0, ge=0, description="One run reads at most this number of files. 0 sets no limit.")
    exclude_dirs: tuple[str, ...] = Field(
        default=(".venv", "node_modules", ".git", "external"),
        description="Directories of these names are skipped (seed 000).",
    )
    follow_links: bool = Field(default=False, description="Links that lead out of the given folders are followed.")
    chunk_workers: int = Field(
        default_factory=lambda: max(4, os.cpu_count() or 4),
        ge=1,
        le=128,
        description="The number of threads that read and split files (seed 000).",
        json_schema_extra={"shown_default": "one for each core, at least 4", "shown_value": 4},
    )
    read_limit_s: float = Field(
        default=_LIMITS.processor_s,
        gt=0,
        le=86400,
        description="Reading a PDF, DOCX, HTML or RST of 1 MiB may take this number of processor seconds. Larger files "
        "may take up to ten times as many.",
    )
    read_limit_mb: int = Field(
        default=_LIMITS.memory_mb,
        ge=16,
        le=1048576,
        description="Reading one of them may take this number of MiB of memory.",
    )
    rooms: RoomMode = Field(
        default="auto",
        description="Rooms are made of folders, of headings, of clusters of embeddings, or, with auto, of what fits.",
    )
    similar_k: int = Field(
        default=5, ge=0, le=50, description="A new drawer makes at most this number of SIMILAR_TO edges."
    )
    similar_threshold: float = Field(
        default=0.5, ge=-1, le=1, description="A SIMILAR_TO edge needs at least this cosine."
    )
    tunnel_threshold: float = Field(
        default=0.7, ge=-1, le=1, description="A TUNNEL between two rooms needs at least this cosine."
    )
    settle_after_s: float = Field(
        default=5.0,
        ge=0,
        le=86400,
        description="Halls and tunnels follow single new or removed drawers after a pause of this number of seconds. 0 "
        "leaves them to the next ingest.",
    )

    @property
    def split(self) -> SplitOptions:
        """How documents are cut.

        Raises:
            InvalidInput: If neighbouring drawers share more than half of the longest drawer.
        """
        return SplitOptions(self.max_chars, self.overlap_chars, tuple(self.windows))

    @property
    def read_limits(self) -> ReadLimits:
        """How much time and memory the reading of one file may take."""
        return ReadLimits(processor_s=self.read_limit_s, memory_mb=self.read_limit_mb)
