"""What tests of `graphpalace eval` share: the command, in this process, beside a palace that it must not touch."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from graphpalace import options
from graphpalace.bootstrap import GraphPalace
from graphpalace.operations.drawers import NewDrawer
from graphpalace.serve.cli.main import main
from graphpalace.settings import Settings
from tests.beir import Ran
from tests.graphs import edges_of, nodes_of
from tests.words import WordEmbedder


@pytest.fixture
async def users_palace(app: GraphPalace, palace: str) -> str:
    """A palace of the user's, with something in it."""
    await app.drawers.add(palace, NewDrawer(text="apples are mine", wing="a"))
    return palace


@pytest.fixture
async def untouched(app: GraphPalace, users_palace: str) -> AsyncIterator[None]:
    """Whatever the test does, all palaces are afterwards as they were before."""

    async def state() -> Any:
        return (
            await app.palaces(),
            await nodes_of(app.database, users_palace),
            await edges_of(app.database, users_palace),
        )

    before = await state()
    yield
    assert await state() == before


@pytest.fixture
def eval_environ(neo4j_settings: dict[str, object], users_palace: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHPALACE_")}
    server = {f"GRAPHPALACE_NEO4J__{name.upper()}": str(value) for name, value in neo4j_settings.items()}
    return clean | server | {"GRAPHPALACE_PALACE__NAME": users_palace, "COLUMNS": "200"}


@pytest.fixture
def evaluate(
    eval_environ: dict[str, str],
    untouched: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> Callable[..., Ran]:
    """Run `graphpalace eval` in this process, with an embedder that knows only words."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(options, "make_embedder", _words)
    for name, value in eval_environ.items():
        monkeypatch.setenv(name, value)

    def run(*words: str | Path) -> Ran:
        monkeypatch.setattr(sys, "argv", ["graphpalace", "eval", *map(str, words)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        return Ran(int(end.value.code or 0), *capsys.readouterr())

    return run


def _words(settings: Settings) -> WordEmbedder:
    embedder = WordEmbedder()
    embedder.dimension = settings.embeddings.dimension
    return embedder
