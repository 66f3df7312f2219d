"""The manifest of an export is read only if it is one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphpalace.domain.transfer.manifest import ExportedFile, ExportedPalace, Manifest, read_manifest
from graphpalace.errors import Conflict, GraphPalaceError, InvalidInput

PALACE = ExportedPalace(
    "main", "0.1.0", "0017", "2026-05-31T12:00:00Z", "bundled", 256, "english", 24, 3600.0, True, False, False
)
MANIFEST = Manifest(PALACE, {"wings": ExportedFile(2, "0" * 64)})


def changed(**values: Any) -> str:
    return json.dumps(json.loads(MANIFEST.text()) | values)


def test_a_manifest_is_read_as_it_was_written() -> None:
    assert read_manifest(MANIFEST.text(), path="m") == MANIFEST
    assert MANIFEST.rows == 2
    assert MANIFEST.import_id == read_manifest(MANIFEST.text(), path="m").import_id


@pytest.mark.parametrize(
    ("text", "said", "kind"),
    [
        ("{", "damaged", InvalidInput),
        ("[]", "not the manifest", InvalidInput),
        ('{"format": "other"}', "not the manifest", InvalidInput),
        (changed(format_version=2), "upgrade", Conflict),
        (changed(format_version=True), "format_version", InvalidInput),
        (changed(schema_version="0003"), "0003", Conflict),
        (changed(palace="Not A Name"), "Not A Name", InvalidInput),
        (changed(rights="all"), "unknown key 'rights'", InvalidInput),
        (changed(dimension="256"), "dimension", InvalidInput),
        (changed(files=[]), "files", InvalidInput),
        (changed(files={"../x.jsonl": {"rows": 1, "sha256": ""}}), "../x.jsonl", InvalidInput),
        (changed(files={"wings.jsonl": {"rows": 1}}), "sha256", InvalidInput),
        (changed(files={"wings.jsonl": 1}), "wings", InvalidInput),
        (
            json.dumps({k: v for k, v in json.loads(MANIFEST.text()).items() if k != "model"}),
            "no 'model'",
            InvalidInput,
        ),
    ],
)
def test_what_is_wrong_is_named(text: str, said: str, kind: type[GraphPalaceError]) -> None:
    with pytest.raises(kind, match=r"m\b|palace") as raised:
        read_manifest(text, path="m")
    assert said in str(raised.value)
