"""Write the saved queries and the styles for Neo4j Browser, and a perspective for Bloom, for one palace."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from graphpalace.app.bloom_perspective import bloom_perspective
from graphpalace.domain.identity import palace_name
from graphpalace.store.connection.queries import resource_dir

FAVOURITES = "favourites.zip"
PERSPECTIVE = "bloom-perspective.json"


def write_browser_files(folder: Path, palace: str) -> list[Path]:
    """Write the files for Neo4j Browser, and the one that Bloom imports, and return them: favourites first, it last.

    Files of the same names are replaced. The folder is created.

    Args:
        palace: The palace that the queries ask.

    Raises:
        InvalidInput: If the name is none of a palace.
        OSError: If a file cannot be written.
    """
    source, palace = resource_dir("cypher") / "browser", palace_name(palace)
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / FAVOURITES, "w", zipfile.ZIP_DEFLATED) as archive:
        for query in sorted(source.glob("*.cypher")):
            archive.writestr(query.name, query.read_text("utf-8").replace("'main'", f"'{palace}'"))
    written = [folder / FAVOURITES]
    for style in sorted(source.glob("*.grass")):
        written.append(folder / style.name)
        written[-1].write_bytes(style.read_bytes())
    written.append(folder / PERSPECTIVE)
    written[-1].write_text(json.dumps(bloom_perspective(palace, source=source), indent=2) + "\n", encoding="utf-8")
    return written
