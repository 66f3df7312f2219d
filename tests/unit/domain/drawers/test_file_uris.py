"""Any path is written as a text and read again, also if its name is none."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from graphpalace.domain.drawers.files import as_text, path_of


@pytest.mark.parametrize(
    "name", [b"/notes/a.md", b"/notes/a b#1 100%.md", b"/notes/caf\xe9.md", "/notes/é.md".encode()]
)
def test_a_path_comes_back_from_its_uri_and_from_json(name: bytes) -> None:
    path = Path(os.fsdecode(name))
    assert path_of(path.as_uri()) == path
    sent = json.loads(json.dumps(as_text(path)).encode())
    assert (path_of(sent) or Path(sent)) == path
    sent.encode()


@pytest.mark.parametrize("uri", ["stdin:a.md", "https://example.com/a", "file://host/a", "file:///a%00b"])
def test_other_uris_have_no_path(uri: str) -> None:
    assert path_of(uri) is None
