"""How long commands take: in starts of Python and against `curl` with the service, and by themselves without it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.result import Result
from benchmarks.turns import spent_in_turns
from benchmarks.workbench import Workbench, say
from graphpalace.client import service_file
from graphpalace.client.asynchronous.palace import AsyncPalace

_PALACE = "commands"
_QUESTION = "where is the spare key"
_AT_ONCE, _ASKS = 8, 15  # times `python -c pass`, which takes 12 to 30 ms, so that the speed of the machine cancels out
_COLD_S = 3.0
_TURNS, _WARM_UP = 25, 5
_COLD_TURNS = 5


async def measure_warm(bench: Workbench) -> Result:
    """Run each command, `python -c pass` and `curl` of the same route in turns, while the service runs."""
    assert bench.running
    with bench.service(_PALACE) as service:
        service.ready_s()
        running = service_file.read(Path(bench.settings.neo4j.data_dir or ""))
        assert running is not None
        headers = {"Authorization": f"Bearer {running.key}"} if running.key else {}
        drawer = ""
        async with AsyncPalace.connect(running.url, running.key or None, name=_PALACE) as palace:
            for number in range(200):
                note = f"Note {number}: the spare key lies under pot {number}."
                drawer = (await palace.add(note, wing="home")).id
        say(f"each command and curl of its route {_TURNS} times")
        commands = _commands(bench, drawer)
        works = commands | {f"curl {name}": work for name, work in _curls(running.url, headers, drawer).items()}
        spent = spent_in_turns(works, _TURNS)
    middle = {name: median(times[_WARM_UP:]) for name, times in spent.items()}
    targets = {name: _AT_ONCE if name.startswith("--") else _ASKS for name in commands}
    times = {name: middle[name] / middle["curl python"] for name in targets}
    slowest = max(times[name] / target for name, target in targets.items())
    figures = {
        "ratio_is": "p50 of a command in starts of Python, divided by its target, the largest of all commands; at most",
        "targets": targets,
        "times_python": times,
        "times_python_is": "p50 of a command divided by that of `python -c pass` in the same turns",
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
    run("palace", "create", _PALACE)
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


def _commands(bench: Workbench, drawer: str) -> dict[str, Callable[[], object]]:
    run = _runner(bench.home, bench.environment(GRAPHPALACE_PALACE__NAME=_PALACE))
    numbers = count(1000)  # a text that is there already takes less time
    return {
        "--version": lambda: run("--version"),
        "--help": lambda: run("--help"),
        "status": lambda: run("status"),
        "search": lambda: run("search", _QUESTION),
        "feedback": lambda: run("feedback", "--list"),
        "palace list": lambda: run("palace", "list"),
        "show": lambda: run("show", drawer),
        "add": lambda: run("add", f"Note {next(numbers)}: the spare key lies under another pot.", "--wing", "home"),
    }


def _runner(home: Path, environment: Mapping[str, str]) -> Callable[..., None]:
    command = str(Path(sys.executable).with_name("graphpalace"))

    def run(*words: str) -> None:
        subprocess.run([command, *words], cwd=home, env=environment, check=True, stdout=subprocess.DEVNULL)

    return run


def _curls(url: str, headers: Mapping[str, str], drawer: str) -> dict[str, Callable[[], object]]:
    given = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]

    def curl(*words: str) -> Callable[[], object]:
        command = ["curl", "--silent", "--fail", "--output", "/dev/null", *given, *words]
        return lambda: subprocess.run(command, check=True)

    body: dict[str, Any] = {"query": _QUESTION, "palace": _PALACE}
    return {
        "search": curl("-H", "Content-Type: application/json", "-d", json.dumps(body), f"{url}/v1/search"),
        "feedback": curl(f"{url}/v1/feedback?palace={_PALACE}"),
        "palace list": curl(f"{url}/v1/palaces"),
        "show": curl(f"{url}/v1/drawers/{drawer}?palace={_PALACE}"),
        "python": lambda: subprocess.run([sys.executable, "-c", "pass"], check=True),
    }
