"""What each conversation was told already, or says itself, so that nothing is told twice."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Sequence, Set
from contextlib import suppress
from pathlib import Path

from graphpalace.domain.identity import text_hash
from graphpalace.domain.quoting import quotation, quoted
from graphpalace.private_files import write_private

_MOST_SESSIONS = 200
_MOST_IDS = 500  # of one conversation

_MOST_BYTES = 16 << 20  # of the end of a transcript
_PROBE_CHARS = 160


class ToldDrawers:
    """Remembers which drawers each of the latest conversations was told, also after the process has ended.

    Args:
        folder: For a file of each conversation; it is made when it is needed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: OrderedDict[str, dict[str, None]] = OrderedDict()

    def of(self, conversation: str) -> Set[str]:
        """Return the ids of the drawers that a conversation was told."""
        return self._told(conversation).keys()

    def add(self, conversation: str, ids: Iterable[str]) -> None:
        """Remember that a conversation was told drawers."""
        told = self._told(conversation)
        told.update(dict.fromkeys(ids))
        for old in list(told)[:-_MOST_IDS]:
            del told[old]
        self._write(conversation, told)

    def forget(self, conversation: str) -> None:
        """Forget what a conversation was told, because its context begins anew."""
        self._told(conversation).clear()
        with suppress(OSError):
            self._path(conversation).unlink(missing_ok=True)

    def _told(self, conversation: str) -> dict[str, None]:
        if conversation not in self._known:
            self._known[conversation] = self._read(conversation)
        self._known.move_to_end(conversation)
        if len(self._known) > _MOST_SESSIONS:
            self._known.popitem(last=False)
        return self._known[conversation]

    def _path(self, conversation: str) -> Path:
        return self._folder / f"{text_hash(conversation)}.json"

    def _read(self, conversation: str) -> dict[str, None]:
        with suppress(OSError, ValueError):
            found = json.loads(self._path(conversation).read_text("utf-8"))
            if isinstance(found, list):
                return dict.fromkeys(one for one in found if isinstance(one, str))
        return {}

    def _write(self, conversation: str, told: dict[str, None]) -> None:
        with suppress(OSError):  # then it is remembered in this process only
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private(self._path(conversation), json.dumps(list(told)))
            files = sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime)
            for old in files[:-_MOST_SESSIONS]:
                old.unlink(missing_ok=True)


def said_already(transcript: Path, texts: Sequence[str]) -> list[bool]:
    """Return for each text whether its longest line, or the beginning of that, is in the transcript.

    A tool may have read the text from a file, for example. Without a transcript, nothing was said.
    """
    try:
        with transcript.open("rb") as file:
            file.seek(max(0, transcript.stat().st_size - _MOST_BYTES))
            data = file.read(_MOST_BYTES)
    except OSError:
        return [False] * len(texts)
    return [any(probe in data for probe in _probes(text)) for text in texts]


def _probes(text: str) -> set[bytes]:
    """Return a part of a text as JSON writes it, quoted and not, with and without escaped letters."""
    line = max(text.splitlines() or [""], key=len).strip()[:_PROBE_CHARS]
    return {
        json.dumps(shown, ensure_ascii=escaped)[1:-1].encode("utf-8", "replace")
        for shown in (line, quoted(line), quotation(line)[1:-1])
        for escaped in (True, False)
    }
