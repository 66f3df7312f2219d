"""Write what each schema of the past looked like in a database: one JSON file each in `tests/data/schemas`.

    python -m scripts.make_schema_dumps [VERSION ...]

For each migration it takes the last commit before the next one, unpacks that GraphPalace, and lets its own commands
store notes, a fact and a search in an empty Neo4j. Files that exist are kept: give their versions to write them again.
A schema that is about to be followed by another one is added in this way, before the new migration is.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.schema_dumps import DIMENSION, FOLDER, MODEL, NOTES, SixteenWords, dumped, emptied

from graphpalace.app import managed_server, open_database
from graphpalace.settings.load import Settings, cache_dir, load

ROOT = Path(__file__).resolve().parents[1]


# What versions store besides. The first ones have not all of these commands.
_MORE = [
    ["add", "Ann has moved to Oslo.", "--wing", "people"],
    ["kg", "add", "Ann", "lives_in", "Oslo", "--from", "2019-05"],
    ["search", "when do I prune roses"],
    ["decay", "--now"],
]


class _Embeddings(BaseHTTPRequestHandler):
    """An endpoint as OpenAI's, whose model has short vectors."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        vectors = SixteenWords().embed(asked["input"]).tolist()
        rows = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(vectors)]
        body = json.dumps({"object": "list", "model": MODEL, "data": rows}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


def schemas() -> dict[str, str]:
    """Return the commit of each schema: the last one before the next migration was added, or the current one."""
    added: dict[str, list[str]] = {}
    log = _git("log", "--reverse", "--diff-filter=A", "--format=>%H", "--name-only", "--", "migrations")
    for commit, files in re.findall(r">(\w+)\n([^>]*)", log):
        added[commit] = sorted(re.findall(r"V(\d{4})__", files))
    newest = [versions[-1] for versions in added.values()]
    followed = [f"{commit}^" for commit in [*added][1:]]
    return dict(zip(newest, [*followed, "HEAD"], strict=True))


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


@contextmanager
def _endpoint() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Embeddings) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def _store_notes(commit: str, folder: Path, notes: Path, environ: dict[str, str]) -> None:
    """Let the GraphPalace of a commit store the notes."""
    packed = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    (folder / "graphpalace.toml").unlink(missing_ok=True)
    environ = environ | {"GRAPHPALACE_NEO4J__DATA_DIR": str(folder / "home"), "PYTHONPATH": str(folder / "src")}
    if any("autostart" in path.read_text("utf-8") for path in (folder / "src").rglob("settings/**/*.py")):
        environ["GRAPHPALACE_SERVICE__AUTOSTART"] = "false"  # a command would start a service, which stays
    commands = [["ingest", str(notes), "--wing", "home"], *_MORE]
    for words in commands:
        ran = subprocess.run(
            [sys.executable, "-c", "from graphpalace.serve.cli.main import main; main()", *words],
            cwd=folder,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
        print(f"  {' '.join(words)}: {'stored' if ran.returncode == 0 else ran.stderr.strip()[-200:]}", flush=True)
        if ran.returncode and words is commands[0]:
            raise SystemExit(f"{commit}: {ran.stdout}{ran.stderr}")


def main() -> None:
    """Write the dumps that are missing, or those that are named."""
    wanted = sys.argv[1:] or [one for one in schemas() if not (FOLDER / f"V{one}.json").exists()]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, _endpoint() as url:
        here = Path(name)
        section = {"data_dir": str(here / "data"), "cache_dir": str(cache_dir(load())), "bolt_port": 0, "http_port": 0}
        settings = Settings.model_validate({"neo4j": section | {"heap_mb": 512}})
        notes = Path(tempfile.gettempdir()) / "graphpalace-notes"  # their addresses are in the dumps
        for place, text in NOTES.items():
            (notes / place).parent.mkdir(parents=True, exist_ok=True)
            (notes / place).write_text(text, "utf-8")
        server = managed_server(settings)
        server.up()
        try:
            clean = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHPALACE_")}
            told = {
                "NEO4J__URI": server.uri, "NEO4J__USER": server.user, "NEO4J__PASSWORD": server.password,
                "EMBEDDINGS__MODEL": MODEL, "EMBEDDINGS__BASE_URL": url,
                "EMBEDDINGS__DIMENSION": str(DIMENSION),
            }  # fmt: skip
            for version in wanted:
                given = {f"GRAPHPALACE_{name}": value for name, value in told.items()}
                print(f"V{version}", flush=True)
                asyncio.run(_write(settings, version, here / version, notes, clean | given))
        finally:
            server.down()


async def _write(settings: Settings, version: str, folder: Path, notes: Path, environ: dict[str, str]) -> None:
    database = open_database(settings)
    try:
        await emptied(database)
        _store_notes(schemas()[version], folder, notes, environ)
        found = json.dumps(await dumped(database), indent=0, ensure_ascii=False)
        (FOLDER / f"V{version}.json").write_text(found + "\n", "utf-8")
    finally:
        await database.close()


if __name__ == "__main__":
    main()
