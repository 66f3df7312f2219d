"""What the container image runs, where no folder can be written to but those that the Helm chart mounts.

No engine is needed: a namespace of mounts, whose root is read-only, stands for the container.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import yaml

from graphpalace.settings.load import Settings
from tests.acceptance.commands import GRAPHPALACE, environ_of
from tests.acceptance.served import in_data_folder, served, until

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "docker" / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
BACKUP = (ROOT / "docker" / "helm" / "graphpalace" / "templates" / "backup.yaml").read_text("utf-8")
KEY = "k" * 32
_MOUNTED = ("data", "cache", "tmp")
_NAMESPACE = """
set -e
mount --make-rprivate /
for folder in $FOLDERS; do mount -t tmpfs tmpfs "$folder"; done
mount -o remount,bind,ro /
cd "$HOME"
exec "$@"
"""


def command_of(instruction: str) -> list[str]:
    """Return the command of CMD or HEALTHCHECK, with this environment's programs."""
    (text,) = re.findall(rf"^{instruction}\b.*?(\[.+\])$", DOCKERFILE, re.MULTILINE)
    program, *arguments = json.loads(text)
    return [{"graphpalace": GRAPHPALACE, "python": sys.executable}[program], *arguments]


def variables_of_the_image() -> dict[str, str]:
    (line,) = re.findall(r"^ENV (.+)$", DOCKERFILE, re.MULTILINE)
    return dict(pair.split("=", 1) for pair in line.split())


@pytest.fixture
def environ(settings: Settings, tmp_path: Path) -> dict[str, str]:
    """The environment of a pod: what the image sets, the settings file, and two secrets."""
    for name in (*_MOUNTED, "home"):
        (tmp_path / name).mkdir()
    section = in_data_folder(settings, tmp_path / "data")
    own = {"uri": section["uri"], "user": section["user"], "data_dir": str(tmp_path / "data")}
    lines = [f"{key} = {json.dumps(value)}" for key, value in (own | {"cache_dir": str(tmp_path / "cache")}).items()]
    palace = f"pod{uuid.uuid4().hex[:8]}"
    models = '[embeddings]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "elsewhere"'  # no model has to be loaded
    file = tmp_path / "graphpalace.toml"
    file.write_text("\n".join(["[neo4j]", *lines, models, f'[palace]\nname = "{palace}"', "[service]\nport = 0\n"]))
    clean = {name: value for name, value in environ_of({}).items() if not name.startswith("GRAPHPALACE_")}
    password = section["password"]
    return clean | variables_of_the_image() | {
        "GRAPHPALACE_CONFIG": str(file),
        "GRAPHPALACE_NEO4J__PASSWORD": getattr(password, "get_secret_value", lambda: password)(),
        "GRAPHPALACE_SERVICE__API_KEY": KEY,
        "HOME": str(tmp_path / "home"),
        "TMPDIR": str(tmp_path / "tmp"),
        "FOLDERS": " ".join(str(tmp_path / name) for name in _MOUNTED),
    }  # fmt: skip


@pytest.fixture
def pod(environ: dict[str, str], tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that runs the command of the image."""
    probe = subprocess.run(["unshare", "-m", "true"], capture_output=True, text=True, check=False)
    if probe.returncode:
        pytest.skip(f"no namespace of mounts can be made here: {probe.stderr.strip()}")
    with (tmp_path / "log").open("wb") as log:
        command = ["unshare", "-m", "sh", "-c", _NAMESPACE, "sh", *command_of("CMD")]
        process = subprocess.Popen(command, env=environ, stdout=log, stderr=log)
    yield process
    process.terminate()
    process.wait(60)


def inside(pod: subprocess.Popen[bytes], path: Path) -> Path:
    """Return the path to a file as the process sees it."""
    return Path(f"/proc/{pod.pid}/root{path}")


def test_the_service_and_a_backup_write_only_to_the_folders_of_the_chart(
    pod: subprocess.Popen[bytes], environ: dict[str, str], tmp_path: Path
) -> None:
    record = inside(pod, tmp_path / "data" / "service.json")
    until(record.exists, seconds=60)
    with pytest.raises(OSError, match="Read-only file system"):
        inside(pod, tmp_path / "home" / "file").touch()
    url = re.sub(r"//[^:/]+", "//127.0.0.1", json.loads(record.read_text())["url"])
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {KEY}"}, timeout=30) as client:
        assert client.get("/health/live").status_code == 200
        until(lambda: client.get("/health/ready?lenient").status_code == 200, seconds=90)
        (palace,) = re.findall(r'\[palace\]\nname = "(\w+)"', Path(environ["GRAPHPALACE_CONFIG"]).read_text())
        assert palace in [one["name"] for one in client.get("/v1/palaces").json()]
        (arguments,) = re.findall(r"args: (\[.+\])", BACKUP)
        command = [GRAPHPALACE, *yaml.safe_load(arguments)[1:]]
        enter = ["nsenter", "-t", str(pod.pid), "-m"]
        made = subprocess.run([*enter, *command], env=environ, capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr
        assert list(inside(pod, tmp_path / "data" / "backups").glob("*.backup"))
        client.delete(f"/v1/palaces/{palace}", params={"confirm": palace}).raise_for_status()
    pod.terminate()
    assert pod.wait(60) == 0
    assert "Read-only file system" not in (tmp_path / "log").read_text()


def test_the_health_check_of_the_image_tells_a_service_that_is_ready(settings: Settings) -> None:
    def healthy(port: int) -> bool:
        command = [part.replace(":8600/", f":{port}/") for part in command_of("HEALTHCHECK")]
        assert command != command_of("HEALTHCHECK")
        return subprocess.run(command, env=os.environ, capture_output=True, check=False).returncode == 0

    with served(settings) as client:
        assert healthy(client.base_url.port or 0)
    assert not healthy(9)
