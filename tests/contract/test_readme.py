"""The lines of Python in the README run as they stand."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from graphpalace.app import GraphPalace
from graphpalace.settings.load import Settings
from tests.spare_palaces import spare_name

_README = Path(__file__).parents[2] / "README.md"


async def test_the_lines_of_python_in_the_readme_find_what_they_store(
    settings: Settings, app: GraphPalace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    block = next(
        block
        for block in re.findall(r"```python\n(.*?)```", _README.read_text("utf-8"), re.DOTALL)
        if "from graphpalace import Palace" in block
    )
    neo4j, palace = settings.neo4j, spare_name()  # the default palace of the lines, made with the bundled model
    for name, value in {
        "NEO4J__URI": neo4j.uri,
        "NEO4J__USER": neo4j.user,
        "NEO4J__PASSWORD": neo4j.password.get_secret_value(),
        "NEO4J__DATA_DIR": neo4j.data_dir,
        "PALACE__NAME": palace,
    }.items():
        monkeypatch.setenv(f"GRAPHPALACE_{name}", value)
    try:
        await asyncio.to_thread(exec, block, {})
    finally:
        await app.drop_palace(palace)
    assert capsys.readouterr().out == "The door code is 4711.\n"
