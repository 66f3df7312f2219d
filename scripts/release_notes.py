"""Print the notes of a release: its section of CHANGELOG.md, as `python -m scripts.release_notes 0.1.0`.

It fails if the package has another version, so that a tag and what is built from it cannot differ.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from graphpalace import __version__

_CHANGELOG = Path(__file__).resolve().parents[1] / "CHANGELOG.md"


def notes(version: str, changelog: str) -> str:
    """Return what the changelog says of a version, without its heading.

    Args:
        version: As `0.1.0`, or as the tag `v0.1.0`.
        changelog: Its text, with a section `## VERSION …` for each version.

    Raises:
        ValueError: If it has no section for the version.
    """
    number = version.removeprefix("v")
    for heading, section in re.findall(r"^## (.+)\n((?:(?!^## ).*\n?)*)", changelog, re.MULTILINE):
        if heading.split()[0] == number:
            return section.strip()
    raise ValueError(f"version is {version!r}; CHANGELOG.md has no section of it")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].removeprefix("v") != __version__:
        sys.exit(f"give the version of this source, which is {__version__}")
    print(notes(sys.argv[1], _CHANGELOG.read_text("utf-8")))
