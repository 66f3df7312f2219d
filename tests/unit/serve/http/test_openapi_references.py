"""The OpenAPI description can be read by any program: what it refers to is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.words import WordEmbedder

from graphpalace.serve.http.app import create_app
from graphpalace.settings.load import Settings


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(found := value.get("$ref"), str):
            yield found
        for one in value.values():
            yield from _references(one)
    elif isinstance(value, list):
        for one in value:
            yield from _references(one)


def test_every_reference_leads_to_a_schema() -> None:
    described = create_app(Settings(), embedder=WordEmbedder()).openapi()
    found = set(_references(described))
    assert len(found) > 100
    for reference in found:
        root, *steps = reference.split("/")
        assert root == "#", reference
        at: Any = described
        for step in steps:
            assert step in at, f"{reference} leads nowhere"
            at = at[step]


def test_answers_in_lines_say_what_a_line_is() -> None:
    paths = create_app(Settings(), embedder=WordEmbedder()).openapi()["paths"]
    for path in ("ingest", "export", "import/finish", "facts/propose", "names/build", "palaces/reembed"):
        content = paths[f"/v1/{path}"]["post"]["responses"]["200"]["content"]
        assert list(content) == ["application/x-ndjson"], path
        assert content["application/x-ndjson"]["schema"]["$ref"].startswith("#/components/schemas/")
