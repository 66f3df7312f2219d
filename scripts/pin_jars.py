"""Pin the jars of a version of Neo4j Community, so that the managed server can start it.

    python scripts/pin_jars.py 2026.08.1

Resolves the version's dependencies, fetches every jar and writes the manifest that
`graphpalace.managed_neo4j.jars` reads. Commit it, and run the integration tests with the new version.
"""

from __future__ import annotations

import hashlib
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jgo
from jgo.maven import Artifact

BROWSER = "5.24.0"
MANIFESTS = Path(__file__).resolve().parents[1] / "src/graphpalace/managed_neo4j"
HEADER = "# The jars of Neo4j Community {0}, made by `python scripts/pin_jars.py {0}`: sha256  bytes  coordinate\n"


def line(artifact: Artifact) -> tuple[str, str]:
    """Fetch an artifact and return its coordinate and its line of the manifest."""
    parts = [artifact.groupId, artifact.artifactId, artifact.version, artifact.classifier]
    coordinate = ":".join(part for part in parts if part)
    content = artifact.resolve().read_bytes()
    return coordinate, f"{hashlib.sha256(content).hexdigest()}  {len(content)}  {coordinate}\n"


def pin(version: str) -> Path:
    """Write the manifest of a version and return its path."""
    endpoints = [f"org.neo4j:neo4j:{version}", f"org.neo4j.app:neo4j-server:{version}"]
    artifacts = jgo.resolve("+".join([*endpoints, f"org.neo4j.client:neo4j-browser:{BROWSER}"]))
    other = [str(artifact) for artifact in artifacts if artifact.packaging != "jar"]
    if other:
        raise SystemExit(f"not jars: {', '.join(other)}")
    with ThreadPoolExecutor(16) as pool:
        lines = [text for _, text in sorted(pool.map(line, artifacts))]
    manifest = MANIFESTS / f"neo4j-{version}.sha256"
    manifest.write_text(HEADER.format(version) + "".join(lines), encoding="utf-8")
    print(f"{manifest.name}: {len(lines)} jars")
    return manifest


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    pin(sys.argv[1])
