"""One file of a Maven repository, pinned by its checksum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[int, int], None]  # bytes downloaded so far, bytes in all


@dataclass(frozen=True)
class Jar:
    """One pinned jar: `coordinate` is group:artifact:version[:classifier]."""

    coordinate: str
    sha256: str
    size_bytes: int

    @property
    def location(self) -> str:
        """The path of the jar in a Maven repository and in the cache."""
        group, artifact, version, *classifier = self.coordinate.split(":")
        name = "-".join([artifact, version, *classifier])
        return f"{group.replace('.', '/')}/{artifact}/{version}/{name}.jar"
