"""What the command line settles before anything else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_SHOWN = """
import os, sys
from graphpalace.serve.cli.main import main
sys.argv = ["graphpalace", "--version"]
try:
    main()
except SystemExit:
    print("torch" in sys.modules, os.environ["GOMP_SPINCOUNT"])
"""


@pytest.mark.parametrize(("given", "kept"), [({}, "20000"), ({"GOMP_SPINCOUNT": "7"}, "7")])
def test_how_long_torch_s_threads_wait_busily_is_said_before_torch_is_there(given: dict[str, str], kept: str) -> None:
    environ = {name: value for name, value in os.environ.items() if name != "GOMP_SPINCOUNT"} | given
    shown = subprocess.run([sys.executable, "-c", _SHOWN], env=environ, capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == f"False {kept}"
