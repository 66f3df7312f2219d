"""A command that asks the service imports little: importing what it does not need would take longer than the answer."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from graphpalace.client import service_file
from graphpalace.client.service_file import RunningService
from graphpalace.process_start import created_at
from graphpalace.settings.load import Settings
from tests.acceptance.commands import Ran, environ_of
from tests.acceptance.served import changed, in_data_folder, served
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

HEAVY = {"pydantic", "httpx", "rich", "numpy", "torch", "neo4j", "asyncio", "logging", "http.client", "ssl", "hashlib"}
MOST = 260  # modules, of which typer and Python itself are 155
TEXT = "The spare key lies under the third pot."


@pytest.fixture(scope="module")
def environ(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of commands that find a service with a drawer."""
    folder = tmp_path_factory.mktemp("home")
    own = changed(settings, neo4j=in_data_folder(settings, folder), palace={"name": spare_name()})
    with served(own, embedder=WordEmbedder()) as http:
        found = RunningService(
            str(http.base_url).rstrip("/"), "", os.getpid(), created_at(os.getpid()) or 0.0, "0.1.0", str(folder)
        )
        service_file.write(folder, found)
        yield environ_of({"data_dir": str(folder)}, own.palace.name)
        http.delete(f"/v1/palaces/{own.palace.name}", params={"confirm": own.palace.name})


def imported(environ: Mapping[str, str], cwd: Path, *words: str) -> tuple[Ran, set[str]]:
    """Run a command, and return what it imported."""
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "graphpalace", *words],
        env=environ,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    lines = ran.stderr.splitlines()
    modules = {line.rpartition("|")[2].strip() for line in lines if line.startswith("import time:")}
    said = [line for line in lines if not line.startswith("import time:")]
    return Ran(ran.returncode, ran.stdout, "\n".join(said)), modules


@pytest.fixture(scope="module")
def drawer(environ: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The id of a drawer, stored by a command that imports little as well."""
    ran, modules = imported(environ, tmp_path_factory.mktemp("cwd"), "add", TEXT, "--wing", "home")
    assert ran.code == 0, ran.err
    assert modules & HEAVY == set()
    assert len(modules) <= MOST
    return ran.out.split()[0]


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("--version", "0.1"),
        ("--help", "A memory palace"),
        ("status", "running, http"),
        ("search spare-key --top-k 3 --wing home", TEXT),
        ("search spare-key --json", TEXT),
        ("show DRAWER", TEXT),
        ("list --limit 2", "home/general"),
        ("feedback --list", "."),
        ("feedback --useful 1", "1 useful"),
        ("palace list", "drawers"),
        ("wing list", "home"),
        ("room list", "general"),
        ("names list", "drawers"),
        ("kg list", "0 facts"),
        ("wake-up", "."),
    ],
)
def test_a_command_that_asks_the_service_imports_neither_pydantic_nor_rich(
    environ: dict[str, str], drawer: str, tmp_path: Path, words: str, shown: str
) -> None:
    ran, modules = imported(
        environ, tmp_path, *words.replace("DRAWER", drawer).replace("spare key", "spare-key").split()
    )
    assert ran.code == 0, ran.err
    assert re.search(shown, ran.out), ran.out
    assert modules & HEAVY == set()
    assert len(modules) <= MOST


def test_an_error_of_the_service_is_told_without_more(environ: dict[str, str], tmp_path: Path) -> None:
    ran, modules = imported(environ, tmp_path, "show", "drawer-none")
    assert (ran.code, ran.out) == (3, "")
    assert "error NOT_FOUND" in ran.err
    assert modules & HEAVY == set()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_without_reading_settings_or_asking(
    environ: dict[str, str], tmp_path: Path, shell: str
) -> None:
    asked = {
        "_GRAPHPALACE_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": "graphpalace search --we",
        "COMP_CWORD": "2",
        "_TYPER_COMPLETE_ARGS": "graphpalace search --we",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    program = "import sys; sys.argv = ['graphpalace']; from graphpalace.serve.cli.main import main; main()"
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", program],
        env=environ | asked, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert "--weights" in ran.stdout
    if shell != "bash":
        assert "[search] weights" in ran.stdout.replace("\\", "")
    modules = {line.rpartition("|")[2].strip() for line in ran.stderr.splitlines()}
    assert modules & HEAVY == set()
    assert "graphpalace.client.synchronous.palace" not in modules
