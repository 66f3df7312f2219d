from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def test_every_shape_that_a_type_names_is_the_shape_of_what_is_passed() -> None:
    # In a process of its own, because types are checked in modules that are imported under a hook.
    script = Path(__file__).with_name("checked_shapes.py")
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == ["forces", "question", "trails"]
