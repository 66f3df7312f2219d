from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def test_search_links_lane_swarm_and_job_need_no_torch() -> None:
    script = Path(__file__).with_name("without_torch.py")
    program = "import runpy, sys; sys.modules['torch'] = None; runpy.run_path(sys.argv[1])"
    ran = subprocess.run([sys.executable, "-c", program, str(script)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    *found, refused = ran.stdout.splitlines()
    assert found == [
        "search d00007 d00008",
        "older d00009",
        "neighbours 5000 5001",
        "rooms r",
        "links 0",
        "lane d00011",
        "swarm 11 20",
        "job 11",
    ]
    assert 'pip install "graphpalace[torch]"' in refused
