"""Runs `graphpalace` on the tests' server, in this process or as a process of its own."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from graphpalace.app import models
from graphpalace.embedding.embedder import Embedder
from graphpalace.serve.cli.main import main
from graphpalace.settings.load import Settings

_MAKE_EMBEDDER = models.make_embedder
_EMBEDDERS: dict[str, Embedder] = {}
GRAPHPALACE = str(Path(sys.executable).parent / "graphpalace")


class Ran(NamedTuple):
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str


def environ_of(section: Mapping[str, object], palace: str = "main") -> dict[str, str]:
    """Return the environment without settings but the section [neo4j] and the palace, for wide tables.

    The palace is the default one of a settings file, so that the first command creates it. Commands start no service,
    and read no names. Without a data folder in the section, they get one that holds nothing,
    so that no service of the user's is seen.
    """
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHPALACE_")}
    section = {"data_dir": _empty_home()} | dict(section)
    server = {f"GRAPHPALACE_NEO4J__{name.upper()}": str(value) for name, value in section.items()}
    own = {"GRAPHPALACE_CONFIG": _file_of(palace), "GRAPHPALACE_PALACE__NAME": palace}
    own |= {"GRAPHPALACE_SERVICE__AUTOSTART": "false", "COLUMNS": "200"}
    own |= {f"GRAPHPALACE_SERVICE__{kind}_DEADLINE_S": "60" for kind in ("READ", "WRITE")}  # the first plans take long
    return clean | server | own | {"GRAPHPALACE_ENTITIES__RECOGNISER": "off"}


def loaded_once(settings: Settings) -> Embedder:
    """Return the model that the settings name, which the commands before may have loaded."""
    key = settings.embeddings.model_dump_json()
    if key not in _EMBEDDERS:
        _EMBEDDERS[key] = _MAKE_EMBEDDER(settings)
    return _EMBEDDERS[key]


@cache
def _file_of(palace: str) -> str:
    file = Path(_empty_home()) / f"{palace}.toml"
    file.write_text(f'[palace]\nname = "{palace}"\n', "utf-8")
    return str(file)


@cache
def _empty_home() -> str:
    folder = tempfile.mkdtemp(prefix="graphpalace-home-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def in_process(
    environ: Mapping[str, str], cwd: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """Return what runs a command in this process, which has the large libraries loaded.

    It also takes variables of the environment for the one command.
    """
    monkeypatch.chdir(cwd)
    for name in os.environ:
        if name.startswith("GRAPHPALACE_"):
            monkeypatch.delenv(name)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    def run(*words: str | Path, **more: str) -> Ran:
        capsys.readouterr()
        with monkeypatch.context() as patch, pytest.raises(SystemExit) as end:
            patch.setattr(sys, "argv", ["graphpalace", *map(str, words)])
            if models.make_embedder is _MAKE_EMBEDDER:  # no test gives another
                patch.setattr(models, "make_embedder", loaded_once)
            for name, value in more.items():
                patch.setenv(name, value)
            main()
        said = capsys.readouterr()
        return Ran(int(end.value.code or 0), said.out, said.err)

    return run


def apart(environ: Mapping[str, str], cwd: Path, *words: str | Path) -> Ran:
    """Run a command as a process of its own."""
    ran = subprocess.run(
        [GRAPHPALACE, *words],
        env=environ,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def printed(ran: Ran) -> Any:
    """Return what a command that went well printed for programs."""
    assert ran.code == 0, ran.err
    return json.loads(ran.out)
