"""How long commands take: against `curl` of the same route with the service running, and by themselves without it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.result import Result
from benchmarks.turns import spent_in_turns
from benchmarks.workbench import Workbench, say
from graphpalace.client import AsyncPalace, service_file

_PALACE = "commands"
_QUESTION = "where is the spare key"
_AT_ONCE_S, _ASKS_S, _COLD_S = 0.15, 0.35, 3.0
_TURNS, _WARM_UP = 25, 5
_COLD_TURNS = 5


async def measure_warm(bench: Workbench) -> Result:
    """Run each command and `curl` of the same route in turns, while the service runs."""
    assert bench.running
    with bench.service(_PALACE) as service:
        service.ready_s()
        running = service_file.read(Path(bench.settings.neo4j.data_dir or ""))
        assert running is not None
        headers = {"Authorization": f"Bearer {running.key}"} if running.key else {}
        async with AsyncPalace.connect(running.url, running.key or None, name=_PALACE) as palace:
            for number in range(200):
                await palace.add(f"Note {number}: the spare key lies under pot {number}.", wing="home")
        say(f"each command and curl of its route {_TURNS} times")
        works = _commands(bench) | {f"curl {name}": work for name, work in _curls(running.url, headers).items()}
        spent = spent_in_turns(works, _TURNS)
    middle = {name: median(times[_WARM_UP:]) for name, times in spent.items()}
    targets = {name: _AT_ONCE_S if name.startswith("--") else _ASKS_S for name in _commands(bench)}
    slowest = max(middle[name] / target for name, target in targets.items())
    figures = {
        "ratio_is": "p50 of a command divided by its target, the largest of all commands; at most",
        "targets_s": targets,
        "seconds": {name: middle[name] for name in targets},
        "per_s": {name: 1 / middle[name] for name in targets},
        "curl_per_s": {name: 1 / middle[f"curl {name}"] for name in targets if f"curl {name}" in middle},
        "against_curl": {name: middle[f"curl {name}"] / middle[name] for name in targets if f"curl {name}" in middle},
        "against_curl_is": "commands/s divided by requests/s of curl, which starts a process too",
        "bare_python_s": middle["curl python"],
        "bare_python_is": "seconds of `python -c pass`, which no command can beat",
        "turns": _TURNS - _WARM_UP,
    }
    return bench.result("cli_warm", ratio=slowest, target=1.0, met=slowest <= 1, figures=figures)


async def measure_cold(bench: Workbench) -> Result:
    """Run commands that find no service, each in a process that does all the work itself."""
    assert bench.running
    environment = bench.environment(GRAPHPALACE_PALACE__NAME=_PALACE, GRAPHPALACE_SERVICE__AUTOSTART="false")
    run = _runner(bench.home, environment)
    run("add", "The spare key lies under the third pot.", "--wing", "home")
    say(f"each command {_COLD_TURNS} times")
    works: dict[str, Callable[[], object]] = {
        "search": lambda: run("search", _QUESTION),
        "palace list": lambda: run("palace", "list"),
    }
    middle = {name: median(times) for name, times in spent_in_turns(works, _COLD_TURNS).items()}
    ratio = middle["search"] / _COLD_S
    figures = {
        "ratio_is": f"p50 of a first search without a service, divided by {_COLD_S:g} s; at most",
        "seconds": middle,
        "turns": _COLD_TURNS,
    }
    return bench.result("cli_cold", ratio=ratio, target=1.0, met=ratio <= 1, figures=figures)


def _commands(bench: Workbench) -> dict[str, Callable[[], object]]:
    run = _runner(bench.home, bench.environment(GRAPHPALACE_PALACE__NAME=_PALACE))
    return {
        "--version": lambda: run("--version"),
        "--help": lambda: run("--help"),
        "status": lambda: run("status"),
        "search": lambda: run("search", _QUESTION),
        "feedback": lambda: run("feedback", "--list"),
        "palace list": lambda: run("palace", "list"),
    }


def _runner(home: Path, environment: Mapping[str, str]) -> Callable[..., None]:
    command = str(Path(sys.executable).with_name("graphpalace"))

    def run(*words: str) -> None:
        subprocess.run([command, *words], cwd=home, env=environment, check=True, stdout=subprocess.DEVNULL)

    return run


def _curls(url: str, headers: Mapping[str, str]) -> dict[str, Callable[[], object]]:
    given = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]

    def curl(*words: str) -> Callable[[], object]:
        command = ["curl", "--silent", "--fail", "--output", "/dev/null", *given, *words]
        return lambda: subprocess.run(command, check=True)

    body: dict[str, Any] = {"query": _QUESTION, "palace": _PALACE}
    return {
        "search": curl("-H", "Content-Type: application/json", "-d", json.dumps(body), f"{url}/v1/search"),
        "feedback": curl(f"{url}/v1/feedback?palace={_PALACE}"),
        "palace list": curl(f"{url}/v1/palaces"),
        "python": lambda: subprocess.run([sys.executable, "-c", "pass"], check=True),
    }
