"""Write the methods of the clients that `graphpalace.offers` declares, and the synchronous twin of all of them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from scripts import offered_clients

_CLIENT = Path(__file__).parent.parent / "src" / "graphpalace" / "client"
_SOURCE, _TARGET = _CLIENT / "asynchronous", _CLIENT / "synchronous"
_NOTE = "# Written by `make client` from ../asynchronous/{name}; change that file.\n"
_REPLACED = (
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\[line async for", "[line for"),
    (r"\b__aenter__\b", "__enter__"),
    (r"\b__aexit__\b", "__exit__"),
    (r"\banext\b", "next"),
    (r"\baclosing\b", "closing"),
    (r"\bAsyncGenerator\[(.*), None\]", r"Generator[\1, None, None]"),
    (r"\bAsync(Iterator|Iterable|Generator)\b", r"\1"),
    (r"\bfrom graphpalace\.client\.transports\.httpx_transport import HttpxTransport\b",
     "from graphpalace.client.transports.sockets import SocketTransport"),
    (r"\bHttpxTransport\b", "SocketTransport"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"^import asyncio$", "import time"),
    (r"\bAsync([A-Z]\w+)", r"\1"),
    (r"\bgraphpalace\.client\.asynchronous\b", "graphpalace.client.synchronous"),
    (r"The palace for asyncio\. `graphpalace\.client\.synchronous` is written from these modules by `make client`\.",
     "The palace without asyncio."),
)  # fmt: skip


def synchronous(name: str, text: str) -> str:
    """Return the synchronous twin of a module."""
    text = re.sub(r"\A# Written by .*\n", "", text)
    for pattern, replacement in _REPLACED:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return _formatted(name, _NOTE.format(name=name) + text)


def _formatted(name: str, text: str) -> str:
    ruff = Path(sys.executable).with_name("ruff")
    for command in (["check", "--quiet", "--fix-only", "--select", "I"], ["format", "--quiet"]):
        done = subprocess.run(
            [ruff, *command, "--stdin-filename", _TARGET / name, "-"],
            input=text, capture_output=True, text=True, check=True,
        )  # fmt: skip
        text = done.stdout
    return text


def written() -> dict[Path, str]:
    """Return the text of every module that is declared, and of every module of the synchronous palace."""
    declared = {_SOURCE / name: _formatted(name, text) for name, text in offered_clients.written().items()}
    sources = {path: path.read_text("utf-8") for path in sorted(_SOURCE.glob("*.py"))} | declared
    return declared | {_TARGET / path.name: synchronous(path.name, text) for path, text in sources.items()}


if __name__ == "__main__":
    texts = written()
    for old in set(_TARGET.glob("*.py")) - set(texts):
        old.unlink()
    for path, text in texts.items():
        path.write_text(text, "utf-8")
