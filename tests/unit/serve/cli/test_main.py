"""What the command line settles before anything else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from graphpalace.errors import DatabaseFailed, GraphPalaceError, NotFound
from graphpalace.serve.cli import application
from graphpalace.serve.cli.main import main

_SHOWN = """
import os, sys
from graphpalace.serve.cli.main import main
name, sys.argv = sys.argv[1], ["graphpalace", "--version"]
try:
    main()
except SystemExit:
    print({"torch", "numpy"} & set(sys.modules), os.environ[name])
"""


@pytest.mark.parametrize(("name", "usual"), [("GOMP_SPINCOUNT", "20000"), ("OPENBLAS_THREAD_TIMEOUT", "14")])
@pytest.mark.parametrize("given", [None, "7"])
def test_how_long_threads_wait_busily_is_said_before_torch_and_numpy_are_there(
    name: str, usual: str, given: str | None
) -> None:
    environ = {key: value for key, value in os.environ.items() if key != name} | ({name: given} if given else {})
    command = [sys.executable, "-c", _SHOWN, name]
    shown = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == f"set() {given or usual}"


@pytest.mark.parametrize(
    ("error", "request_id", "shown"),
    [(DatabaseFailed("no"), "order-7", True), (DatabaseFailed("no"), "", False), (NotFound("no"), "order-7", False)],
)
def test_a_failure_of_the_service_is_shown_with_the_id_of_its_request(
    error: GraphPalaceError,
    request_id: str,
    shown: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def app() -> None:
        error.request_id = request_id
        raise error

    monkeypatch.setattr(application, "app", app)
    monkeypatch.setattr(sys, "argv", ["graphpalace", "status"])
    with pytest.raises(SystemExit):
        main()
    assert ("the service's log has more under the request id order-7" in capsys.readouterr().err) == shown
