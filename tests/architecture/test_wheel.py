"""An installed wheel carries the queries and the migrations."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from graphpalace import __version__

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


def test_a_wheel_finds_its_queries_and_migrations_inside_itself(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    code = (
        "from graphpalace.store.connection.queries import query, resource_dir\n"
        "from graphpalace.managed_neo4j.jars import read_manifest\n"
        "from graphpalace.serve.cli.version import version_line\n"
        "from graphpalace.store.connection.schema import migrations\n"
        "print(resource_dir('cypher'), query('search/search_fulltext').name, migrations()[0].version,\n"
        "      len(read_manifest('2026.08.1')), version_line())"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(site)},
    )
    said = [str(site / "graphpalace" / "cypher"), "search/search_fulltext", "0001", "238", __version__]
    told = shown.stdout.split()
    assert told[:5] == said
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    if commit.returncode == 0:
        assert commit.stdout.startswith(told[5].strip("()").removesuffix("-dirty"))
