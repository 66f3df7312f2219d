"""What a release says of itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scripts.release_notes import notes

from graphpalace import __version__

_ROOT = Path(__file__).resolve().parents[2]
_CHANGES = "# Changelog\n\n## 0.2.0 (2026-12-01)\n\n- New.\n\n### Fixed\n\n- Old.\n\n## 0.1.0\n\n- First.\n"


def test_the_notes_of_a_release_are_its_section_of_the_changelog() -> None:
    assert notes("v0.2.0", _CHANGES) == "- New.\n\n### Fixed\n\n- Old."
    assert notes("0.1.0", _CHANGES) == "- First."
    with pytest.raises(ValueError, match=r"version is '0\.3\.0'"):
        notes("0.3.0", _CHANGES)


def test_the_changelog_and_the_citation_have_the_version_of_the_package() -> None:
    assert notes(__version__, (_ROOT / "CHANGELOG.md").read_text("utf-8"))
    cited = re.search(r"^version: (.+)$", (_ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert cited
    assert cited[1] == __version__
