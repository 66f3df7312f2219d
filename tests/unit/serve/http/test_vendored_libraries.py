"""The libraries that the page brings along are the files that their README names."""

from __future__ import annotations

import re
from hashlib import sha256
from importlib import resources
from pathlib import Path

VENDOR = Path(str(resources.files("graphpalace.serve") / "web" / "vendor"))
_ROW = re.compile(r"^\| `(\S+\.js)` \| (\S+) \d+\.\d+\.\d+.* \| MIT, `(\S+)` \| `([0-9a-f]{64})` \|$", re.MULTILINE)


def test_each_library_is_as_it_was_published_and_has_its_licence() -> None:
    rows = _ROW.findall((VENDOR / "README.md").read_text("utf-8"))
    assert {name for name, *_ in rows} == {file.name for file in VENDOR.glob("*.js")}
    for name, package, licence, digest in rows:
        assert sha256((VENDOR / name).read_bytes()).hexdigest() == digest
        assert licence == f"{package}.LICENSE"
        assert "Permission is hereby granted, free of charge" in (VENDOR / licence).read_text("utf-8")
