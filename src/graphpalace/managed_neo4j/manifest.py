"""The jars that a version of Neo4j consists of, each pinned by its checksum."""

from __future__ import annotations

from importlib.resources import files

from graphpalace.errors import SettingsInvalid
from graphpalace.maven.jar import Jar

_HERE = files("graphpalace.managed_neo4j")


def pinned_versions() -> list[str]:
    """Return the versions of Neo4j that GraphPalace can start, oldest first."""
    names = [entry.name for entry in _HERE.iterdir() if entry.name.endswith(".sha256")]
    versions = [name.removeprefix("neo4j-").removesuffix(".sha256") for name in names]
    return sorted(versions, key=lambda version: [int(part) for part in version.split(".")])


def read_manifest(version: str) -> list[Jar]:
    """Return the pinned jars of a version of Neo4j, in the order of the class path.

    Raises:
        SettingsInvalid: If the version is not pinned.
    """
    if version not in pinned_versions():
        known = ", ".join(pinned_versions())
        raise SettingsInvalid(f"GraphPalace cannot start Neo4j {version}. Choose one of {known}.", version=version)
    lines = (_HERE / f"neo4j-{version}.sha256").read_text(encoding="utf-8").splitlines()
    rows = (line.split() for line in lines if line and not line.startswith("#"))
    return [Jar(coordinate, sha256, int(size)) for sha256, size, coordinate in rows]
