"""Draw docs/images/session.svg: a search, feedback and the search again, as a terminal shows them.

`python -m scripts.draw_session` runs the commands on a Neo4j of its own, with the notes of the first tutorial.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

from benchmarks.workbench import Workbench

_ROOT = Path(__file__).resolve().parents[1]
_COMMANDS = (
    "graphpalace ingest notes --wing home",
    'graphpalace search "how do I stop the water when a pipe bursts" --top-k 3',
    "graphpalace feedback --useful 3",
    'graphpalace search "stop the water, a pipe bursts" --top-k 1',
)
_AFRESH = ("graphpalace palace drop main --yes", "graphpalace palace create main")
_WIDTH, _LINE, _LETTER, _MARGIN = 104, 19, 8.0, 18  # letters a line; pixels
_TYPED_S, _READ_S, _LAST_S = 1.2, 2.5, 6.0
_COLOURS = {"sure": "#7ee787", "maybe": "#e3b341"}
_DIM = re.compile(r"\(.*|…?/\S*notes/\S*.*|drawer-\w+|feedback-\w+|run search-\w+")


def answers() -> list[list[str]]:
    """Run the commands, and return the lines that each printed."""
    with tempfile.TemporaryDirectory(prefix="graphpalace-") as home:
        folder = Path(home) / "here"
        folder.mkdir()
        tutorial = (_ROOT / "docs/tutorial/first-palace.md").read_text("utf-8")
        notes = re.search(r"^```sh\n(mkdir -p notes.*?)^```$", tutorial, re.MULTILINE | re.DOTALL)
        assert notes
        subprocess.run(["bash", "-c", notes[1]], cwd=folder, check=True)
        bench = Workbench(Path(home) / "bench")
        assert bench.running
        environ = bench.environment(GRAPHPALACE_SERVICE__AUTOSTART="false", COLUMNS="200")
        program = str(Path(sys.executable).with_name("graphpalace"))

        def printed_by(command: str) -> str:
            words = [program, *shlex.split(command)[1:]]
            return subprocess.run(words, cwd=folder, env=environ, capture_output=True, text=True, check=True).stdout

        try:
            with bench.service("main") as service:
                service.ready_s()
                for command in (*_COMMANDS, *_AFRESH):  # Neo4j plans each query the first time
                    printed_by(command)
                printed = [printed_by(command) for command in _COMMANDS]
        finally:
            bench.close()
    return [_cut(text.replace(f"{folder}/", "")) for text in printed]


def _cut(text: str) -> list[str]:
    lines = [line for line in text.rstrip().splitlines() if line.strip()]
    return [line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…" for line in lines]


def drawn(printed: list[list[str]]) -> str:
    """Return the picture. Each line appears in its turn, and the whole begins again; at rest it shows all lines."""
    rows: list[tuple[float, str, bool]] = []
    now = 0.5
    for command, lines in zip(_COMMANDS, printed, strict=True):
        rows.append((now, command, True))
        now += _TYPED_S
        rows.extend((now, line, False) for line in lines)
        now += _READ_S
    whole = now + _LAST_S
    height = 2 * _MARGIN + _LINE * len(rows) + 22
    width = int(2 * _MARGIN + _LETTER * _WIDTH)
    texts, style = list[str](), list[str]()
    for number, (at, line, typed) in enumerate(rows):
        start = 100 * at / whole
        style.append(
            f"@keyframes r{number} {{ 0%, {start:.2f}% {{ opacity: 0 }} {start + 0.3:.2f}%, 99% {{ opacity: 1 }} "
            f"100% {{ opacity: 0 }} }} .r{number} {{ animation: r{number} {whole:.1f}s infinite }}"
        )
        y = _MARGIN + 22 + _LINE * (number + 0.8)
        shown = f'<tspan fill="#58a6ff">$</tspan> {escape(line)}' if typed else _coloured(line)
        texts.append(f'<text class="r{number}" x="{_MARGIN}" y="{y:.0f}" xml:space="preserve">{shown}</text>')
    dots = "".join(
        f'<circle cx="{_MARGIN + 16 * at}" cy="18" r="5" fill="{colour}"/>'
        for at, colour in enumerate(("#f85149", "#d29922", "#3fb950"))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-labelledby="title">\n'
        '<title id="title">The right note is third; after feedback, the next search has it first.</title>\n'
        "<style>text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #e6edf3 }\n"
        + "\n".join(style)
        + "\n@media (prefers-reduced-motion: reduce) { text { animation: none !important } }</style>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>{dots}\n' + "\n".join(texts) + "\n</svg>\n"
    )


def _coloured(line: str) -> str:
    found = _DIM.search(line)
    plain, dim = (line, "") if found is None else (line[: found.start()], line[found.start() :])
    shown = escape(plain)
    for word, colour in _COLOURS.items():
        shown = re.sub(rf"\b{word}\b", f'<tspan fill="{colour}">{word}</tspan>', shown, count=1)
    return shown + (f'<tspan fill="#8b949e">{escape(dim)}</tspan>' if dim else "")


if __name__ == "__main__":
    (_ROOT / "docs/images/session.svg").write_text(drawn(answers()), "utf-8")
