"""Whatever a client makes of the OpenAPI description, the service answers as described.

Schemathesis sends requests as described and requests that break the description, and applies all its checks.
`schemathesis.toml` and `openapi_checks.py` say what it needs to know besides. A test tries a few cases of each
operation, always the same. `make fuzz` sets GRAPHPALACE_FUZZ_CASES, and tries so many in all, besides those that
schemathesis derives from the limits of each field, and sequences of requests.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from graphpalace.settings.load import Settings
from tests.acceptance.openapi_checks import CASES, NEW_PALACE
from tests.acceptance.served import changed, served_apart
from tests.spare_palaces import spare_name

ROOT = Path(__file__).parents[2]
KEY = "the-key-of-this-test"
_METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


@pytest.fixture(scope="module")
def service(settings: Settings) -> Iterator[httpx.Client]:
    """A service with a key; the palaces made meanwhile are dropped."""
    own = changed(settings, palace={"name": spare_name()}, service={"api_key": SecretStr(KEY)})
    with served_apart(own) as client:
        before = {row["name"] for row in client.get("/v1/palaces").json()} - {own.palace.name}
        client.post("/v1/palaces", json={"name": NEW_PALACE})
        client.post("/v1/drawers", json={"text": "a drawer to be found", "wing": "python", "room": "decorators"})
        yield client
        for name in {row["name"] for row in client.get("/v1/palaces").json()} - before:
            client.delete(f"/v1/palaces/{name}?confirm={name}").raise_for_status()


@pytest.mark.timeout(3600 if CASES else 600)
def test_every_answer_is_as_described(service: httpx.Client, request: pytest.FixtureRequest) -> None:
    described = service.get("/openapi.json").json()["paths"]
    operations = sum(len(methods) for methods in described.values())
    assert operations > 100
    if CASES:
        seed = request.config.getoption("hypothesis_seed") or "0"
        chosen = ["--seed", seed, "--max-examples", str(max(1, CASES // operations))]
    else:
        chosen = ["--phases", "fuzzing", "--max-examples", "5", "--generation-deterministic", "--no-shrink"]
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", "tests/acceptance/schemathesis.toml", "run"),
            *(f"{service.base_url}/openapi.json", "--header", f"Authorization: Bearer {KEY}", "--no-color", *chosen),
        ],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    print(ran.stdout)
    assert ran.returncode == 0, ran.stdout[-20_000:] + ran.stderr[-5_000:]


def test_a_method_that_a_path_does_not_have_is_refused_with_those_that_it_has(service: httpx.Client) -> None:
    paths = service.get("/openapi.json").json()["paths"]
    patterns = {re.sub(r"{\w+}", "[^/]+", path): {one.upper() for one in methods} for path, methods in paths.items()}
    for path in paths:
        plain = path.replace("{", "").replace("}", "")
        # /v1/names/merge is also the path of the name "merge".
        has = {one for pattern, methods in patterns.items() if re.fullmatch(pattern, plain) for one in methods}
        for method in _METHODS - has:
            answer = service.request(method, plain)
            assert answer.status_code == 405, (method, path)
            assert set(answer.headers["allow"].split(", ")) == has, (method, path)
