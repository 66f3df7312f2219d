"""Draw the house: docs/images/house.svg has its floors, docs/reference/house.md a line for each room.

The floors are the layers that import-linter keeps, read from pyproject.toml; a line is the docstring of a package.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "images" / "house.svg"
PAGE = ROOT / "docs" / "reference" / "house.md"
_SOURCE = ROOT / "src" / "graphpalace"
_DEEPEST = 2  # folders below src/graphpalace that are rooms of their own
_WIDTH, _ROOM, _FLOOR, _GAP = 780, 24, 4, 4
_CHAR = 7.3  # width of a letter
_HEAD = """# The house

What a folder of `src/graphpalace` is for, a line for each room. `make house` writes this page and the picture; do not
edit them. A room uses only what is on floors below its own, which `make check` enforces.
[CONTRIBUTING](../../CONTRIBUTING.md#where-to-change-what) says where usual changes belong.

![The floors of the house, from the doors down to the errors](../images/house.svg)

| room | what it is for |
|---|---|
"""


def floors() -> list[list[str]]:
    """Return the rooms of each floor, the highest first, by their names below `graphpalace`."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers = next(each for each in settings["tool"]["importlinter"]["contracts"] if each["name"] == "layers")["layers"]
    return [[room.strip().removeprefix("graphpalace.") for room in layer.split("|")] for layer in layers]


def rooms() -> Iterator[tuple[str, str]]:
    """Yield the path of each package below `src/graphpalace`, and the first line of its docstring."""
    for file in sorted(_SOURCE.glob("*/**/__init__.py")):
        path = file.parent.relative_to(_SOURCE)
        if len(path.parts) <= _DEEPEST:
            yield path.as_posix(), (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").partition("\n")[0]


def page() -> str:
    """Return the page."""
    return _HEAD + "".join(f"| `{room}` | {line} |\n" for room, line in rooms())


def picture() -> str:
    """Return the picture: a row for each floor, a box for each room."""
    boxes: list[str] = []
    top = _FLOOR
    for floor in floors():
        left, below = _GAP, top + _ROOM + 2 * _GAP
        for room in floor:
            width = len(room) * _CHAR + 16
            if left + width > _WIDTH - _GAP:
                left, below = _GAP, below + _ROOM + _GAP
            y = below - _ROOM - _GAP
            boxes.append(f'<rect class="room" x="{left:.0f}" y="{y}" width="{width:.0f}" height="{_ROOM}" rx="4"/>')
            boxes.append(f'<text x="{left + width / 2:.0f}" y="{y + 17}">{escape(room.replace(".", "/"))}</text>')
            left += width + _GAP
        boxes.insert(0, f'<rect class="floor" x="0" y="{top}" width="{_WIDTH}" height="{below - top}" rx="6"/>')
        top = below + _FLOOR - _GAP
    style = (
        ".floor{fill:#eef2f7}.room{fill:#fff;stroke:#5b7083}"
        "text{font:13px ui-monospace,monospace;text-anchor:middle;fill:#1c2733}"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {top}" width="{_WIDTH}" height="{top}">'
    return (
        "\n".join([head, "<title>The floors of the house</title>", f"<style>{style}</style>", *boxes, "</svg>"]) + "\n"
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
    PAGE.write_text(page(), "utf-8")
