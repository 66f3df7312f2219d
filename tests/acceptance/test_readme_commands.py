"""The commands that the README and the first tutorial show answer as they say."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import subprocess
from pathlib import Path

import pytest

from graphpalace import Palace
from graphpalace.settings.load import Settings
from tests.acceptance.commands import environ_of, in_process, loaded_once
from tests.acceptance.served import changed, served
from tests.spare_palaces import spare_name

_ROOT = Path(__file__).parents[2]
_SECTION = re.search(
    r"^## Two things that a plain search cannot do$(.*?)^## ",
    (_ROOT / "README.md").read_text("utf-8"),
    re.MULTILINE | re.DOTALL,
)
_FREE = re.compile(r"(…)|(drawer-[0-9a-f]{26})|(-?\d+\.\d\d+)")  # anything, an id, a score
_TUTORIAL = _ROOT / "docs/tutorial/first-palace.md"
_APART = {"up", "down", "page"}  # what the tutorial starts, stops and opens


def test_the_readme_shows_what_its_commands_answer(
    neo4j_settings: dict[str, object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _SECTION is not None
    palace = spare_name()
    environ = environ_of(neo4j_settings, palace) | {"GRAPHPALACE_ENTITIES__RECOGNISER": "auto", "COLUMNS": "200"}
    run = in_process(environ, _ROOT, monkeypatch, capsys)
    blocks = re.findall(r"^```\n(.*?)^```$", _SECTION[1], re.MULTILINE | re.DOTALL)
    shown = [part.strip().split("\n", 1) for block in blocks for part in re.split(r"^\$ ", block, flags=re.M) if part]
    assert [command.split()[1] for command, _ in shown] == ["ingest", "search", "kg", "search", "kg", "search"]
    ids: dict[str, str] = {}
    try:
        for command, answer in shown:
            words = [ids.get(word, word) for word in shlex.split(command)[1:]]
            ran = run(*words)
            assert ran.code == 0, ran
            found = re.fullmatch(_pattern(answer.strip().replace("main >", f"{palace} >"), ids), ran.out.strip())
            assert found, f"{command}\n{ran.out}"
            ids |= {f"drawer-{name[1:]}": real for name, real in found.groupdict().items()}
    finally:
        run("palace", "drop", palace, "--yes")


def test_the_first_tutorial_shows_what_its_commands_answer(
    neo4j_settings: dict[str, object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    palace = spare_name()
    environ = environ_of(neo4j_settings, palace) | {"GRAPHPALACE_ENTITIES__RECOGNISER": "auto", "COLUMNS": "200"}
    run = in_process(environ, tmp_path, monkeypatch, capsys)
    answered, compared = "", 0
    try:
        for kind, block in re.findall(r"^```(\w*)\n(.*?)^```$", _TUTORIAL.read_text("utf-8"), re.MULTILINE | re.DOTALL):
            if not kind:
                shown = _pattern(block.strip().replace("tutorial >", f"{palace} >"), {})
                assert shown.fullmatch(answered), answered
                compared += 1
            elif "<<" in block:
                subprocess.run(["bash", "-c", block], cwd=tmp_path, check=True)
            else:
                commands = [shlex.split(line, comments=True) for line in block.splitlines()]
                for words in (words[1:] for words in commands if words[0] == "graphpalace"):
                    if words[0] not in _APART and words[:2] != ["palace", "drop"]:
                        ran = run(*(palace if word == "tutorial" else word for word in words))
                        assert ran.code == 0, ran
                        answered = ran.out.strip()
    finally:
        run("palace", "drop", palace, "--yes")
    assert compared == 6


def test_the_tutorial_for_agents_shows_what_its_commands_answer(
    neo4j_settings: dict[str, object],
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    palace = spare_name()
    environ = environ_of(neo4j_settings, palace) | {"GRAPHPALACE_ENTITIES__RECOGNISER": "rules"}
    run = in_process(environ | {"HOME": str(tmp_path)}, tmp_path, monkeypatch, capsys)
    here = changed(settings, palace={"name": palace})
    monkeypatch.setattr(Palace, "connect", lambda: Palace.open(palace, here, embedder=loaded_once(settings)))
    text = (_ROOT / "docs/tutorial/agent-memory.md").read_text("utf-8")
    said = dict[str, list[str]]()  # by the first words of the command
    answered, compared = "", 0

    def follow(line: str) -> str:
        words = shlex.split(line, comments=True)
        if line.startswith("python talks.py"):
            capsys.readouterr()
            runpy.run_path(str(tmp_path / "talks.py"))
            return capsys.readouterr().out
        if words[0] != "graphpalace" or words[1] in _APART or words[1:3] == ["palace", "drop"]:
            return answered
        known = {"agent": palace, "OLD": _drawer(said.get("search")), "NEW": _drawer(said.get("add"))}
        ran = run(*(known.get(word, word) for word in words[1:]))
        assert ran.code == 0, ran
        said.setdefault(words[1], []).append(ran.out)
        return ran.out

    try:
        for kind, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            if not kind:
                if block.startswith("day "):
                    continue  # what the last example prints, which has a test of its own
                shown = _pattern(block.strip().replace("palace agent", f"palace {palace}"), {})
                assert shown.fullmatch(answered.strip()), answered
                compared += 1
                continue
            heredoc = re.match(r"cat > .*?^END\n", block, re.MULTILINE | re.DOTALL)
            if heredoc:
                subprocess.run(["bash", "-c", heredoc[0]], cwd=tmp_path, check=True)
            for line in block[heredoc.end() if heredoc else 0 :].splitlines():
                answered = follow(line)
    finally:
        run("palace", "drop", palace, "--yes")
    assert compared == 2
    friday, _, machine, _, after, forgotten = said["search"]
    assert "thursday" in friday.split("\n\n")[0]
    assert "called heron" in machine
    assert after.index("ship.py") < after.index("release.sh")
    assert "heron" not in forgotten
    assert not (tmp_path / ".claude").exists()  # --dry-run


def _drawer(answers: list[str] | None) -> str:
    """Return the first drawer that the last of some answers names."""
    found = re.search(r"drawer-[0-9a-f]{26}", answers[-1]) if answers else None
    return found[0] if found else "missing"


def test_the_guide_for_patents_can_be_followed(
    neo4j_settings: dict[str, object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    settings: Settings,
) -> None:
    palace, asked = spare_name(), 0
    environ = environ_of(neo4j_settings, palace) | {"GRAPHPALACE_ENTITIES__RECOGNISER": "rules", "COLUMNS": "200"}
    run = in_process(environ, tmp_path, monkeypatch, capsys)
    guide = (_ROOT / "docs/how-to/search-patents.md").read_text("utf-8")
    try:
        for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL):
            if language == "cypher":
                continue
            if body := re.search(r"--json '(.*)'$", block.strip(), re.DOTALL):
                with served(changed(settings, palace={"name": palace}), embedder=loaded_once(settings)) as http:
                    answer = http.post("/v1/search", json=json.loads(body[1]) | {"palace": palace})
                assert answer.status_code == 200, answer.text
                assert all(hit["source"]["uri"] for hit in answer.json()["hits"])
                asked += 1
                continue
            for words in (shlex.split(line, comments=True)[1:] for line in block.splitlines()):
                ran = run(*words)
                assert ran.code == 0, ran
                asked += words[0] == "search" and "hit" in ran.out
    finally:
        run("palace", "drop", palace, "--yes")
    assert asked == 2


def _pattern(answer: str, ids: dict[str, str]) -> re.Pattern[str]:
    """Return what an answer must look like; an id that is shown twice is the same one."""
    seen: set[str] = set()

    def free(found: re.Match[str]) -> str:
        anything, drawer, _score = found.groups()
        if anything:
            return ".*"
        if not drawer:
            return r"-?\d+(?:\.\d+)?"
        if drawer in ids:
            return ids[drawer]
        name = f"d{drawer.removeprefix('drawer-')}"
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>drawer-[0-9a-f]{{26}})"

    pattern, end = "", 0
    for one in _FREE.finditer(answer):
        pattern += re.escape(answer[end : one.start()]) + free(one)
        end = one.end()
    return re.compile(pattern + re.escape(answer[end:]), re.DOTALL)
