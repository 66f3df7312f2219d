"""How long the hooks of hosts take, as processes that ask the service, and against a Python that does nothing."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.result import Result
from benchmarks.turns import spent_in_turns
from benchmarks.workbench import Workbench, say
from graphpalace.client import service_file
from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.domain.hooks import FILING, HOST_EVENTS

TARGET = 30.0  # starts of Python that the slowest hook may take at p95
TARGET_S = 0.3  # the same in seconds, on a machine that starts Python in .01 s
_PALACE = "hooks"
_DRAWERS = 2000
_TURNS, _WARM_UP = 60, 10
_SAID = {
    "session_id": "0f8fad5b-d9cb-469f-a165-70867728950e",
    "cwd": "/home/ann/greenhouse",
    "source": "startup",
    "prompt": "At which hour does the valve of bed 1200 open, and who opens it?",
}


async def measure(bench: Workbench) -> Result:
    """Run each hook of Claude Code, one without a service, and `python -c pass`, in turns, the transcript filed."""
    assert bench.running
    folder = bench.home / "transcripts"
    folder.mkdir()
    transcript = folder / f"{_SAID['session_id']}.jsonl"
    transcript.write_text("".join(_line(number) for number in range(400)), "utf-8")
    readable = json.dumps([str(folder)])
    with bench.service(_PALACE, GRAPHPALACE_CONVERSATIONS__FOLDERS=readable) as service:
        service.ready_s()
        running = service_file.read(Path(bench.settings.neo4j.data_dir or ""))
        assert running is not None
        async with AsyncPalace.connect(running.url, running.key or None, name=_PALACE) as palace:
            texts = [f"The valve of bed {number} opens at noon." for number in range(_DRAWERS)]
            await palace.add_many(texts, wing="greenhouse", room="beds")
        home = str(bench.settings.neo4j.data_dir)
        works = {event.name: _hook(home, event.name, transcript) for event in HOST_EVENTS["claude-code"]}
        works["no service"] = _hook(str(bench.home / "nothing"), "Stop", transcript)
        works["python"] = lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)
        spent_in_turns(works, 1)
        await asyncio.to_thread(_wait_for, Path(home) / "hooks" / f"claude-code.{FILING}.json")
        say(f"rested after {bench.rest():.0f} s; each hook {_TURNS} times")
        spent = spent_in_turns(works, _TURNS)
    p50 = {name: median(times[_WARM_UP:]) for name, times in spent.items()}
    p95 = {name: quantiles(times[_WARM_UP:], n=20)[-1] for name, times in spent.items()}
    slowest = max(seconds for name, seconds in p95.items() if name != "python")
    ratio = slowest / p50["python"]
    figures: dict[str, Any] = {
        "ratio_is": "p95 of the slowest hook divided by p50 of `python -c pass`; at most",
        "seconds": {"ratio": slowest / TARGET_S, "target": 1.0},
        "seconds_is": f"p95 of the slowest hook divided by {TARGET_S:g} s; what else runs on the machine counts too",
        "p50_s": p50,
        "p95_s": p95,
        "against_python": {name: p50[name] / p50["python"] for name in works if name != "python"},
        "against_python_is": "p50 of a hook divided by that of `python -c pass`",
        "drawers": _DRAWERS,
        "turns": _TURNS - _WARM_UP,
    }
    met = ratio <= TARGET and slowest <= TARGET_S
    return bench.result("hooks", ratio=ratio, target=TARGET, met=met, figures=figures)


def _wait_for(noted: Path) -> None:
    """Wait until the whole transcript is filed; later turns find nothing new in it."""
    while not noted.exists():
        time.sleep(0.1)


def _hook(home: str, event: str, transcript: Path) -> Callable[[], object]:
    command = [str(Path(sys.executable).with_name("graphpalace-hook")), "--home", home, "claude-code", event]
    said = json.dumps(_SAID | {"transcript_path": str(transcript)})
    return lambda: subprocess.run(command, input=said, text=True, check=True, stdout=subprocess.DEVNULL)


def _line(number: int) -> str:
    kind = "assistant" if number % 2 else "user"
    record = {
        "type": kind,
        "sessionId": _SAID["session_id"],
        "uuid": f"u{number}",
        "cwd": _SAID["cwd"],
        "timestamp": "2026-03-02T10:00:00.000Z",
        "message": {"role": kind, "content": f"What was said as number {number}, at some length. " * 10},
    }
    return json.dumps(record) + "\n"
