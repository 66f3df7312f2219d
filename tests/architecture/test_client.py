"""The client is written once, is quick to import, and has an argument for everything that a route takes."""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import Any

import pytest
from scripts.make_client import written

from graphpalace import AsyncPalace, Palace

_HEAVY = {"torch", "numpy", "scipy", "neo4j", "fastapi", "httpx", "sentence_transformers", "pydantic_settings"}


def test_the_synchronous_palace_is_written_from_the_asynchronous_one() -> None:
    for path, text in written().items():
        assert path.read_text("utf-8") == text, f"run `make client`: {path.name} is not what ../asynchronous says"


def test_importing_the_client_imports_nothing_heavy() -> None:
    code = "import sys, graphpalace.client; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not _HEAVY & set(done.stdout.split())


@pytest.mark.parametrize("name", [name for name in dir(AsyncPalace) if not name.startswith("_")])
def test_both_palaces_have_the_same_methods_with_the_same_arguments(name: str) -> None:
    assert _arguments(getattr(AsyncPalace, name)) == _arguments(getattr(Palace, name))


def _arguments(method: Any) -> dict[str, Any]:
    return {one.name: (one.kind, one.default) for one in inspect.signature(method).parameters.values()}
