"""The input of a reader."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from graphpalace.domain.drawers.document import Document, Passage, Publication
from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.domain.identity import MOST_TITLE_CHARS, as_place_name
from graphpalace.ingest.files.decoding import decoded

# Raised when files are read or split in another way, so that the next ingest reads unchanged files again: for all
# formats, or for one.
_EDITION = 2
_EDITIONS = {
    "application/json": 4,
    "application/jsonl": 3,
    "text/markdown": 3,
    "application/x-ipynb+json": 3,
    "application/pdf": 3,
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": 3,
    "message/rfc822": 3,
    "text/csv": 4,
    "text/html": 4,
    "text/plain": 3,
    "text/tab-separated-values": 4,
}


@dataclass(frozen=True, slots=True)
class Source:
    """The input of a reader.

    Attributes:
        path: Path of the file; only its names are used.
        uri: URI of the whole file.
        data: Content of the file.
        options: How to split it.
        folders: Folder names between the ingested root and the file.
        on_disk: Whether `path` names a real file, whose neighbours may be read.
    """

    path: Path
    uri: str
    data: bytes
    options: SplitOptions
    folders: tuple[str, ...] = ()
    on_disk: bool = False

    @property
    def relative_path(self) -> str:
        """Path below the ingested root, with `/`. Characters that cannot be decoded become `?`."""
        return _decodable("/".join((*self.folders, self.path.name)))

    @property
    def stem(self) -> str:
        """Name of the file without its suffix. Characters that cannot be decoded become `?`."""
        return _decodable(self.path.stem)

    def text(self, *, declared: str | None = None) -> str:
        """Return the decoded content.

        Raises:
            UnreadableDocument: If it is not text.
        """
        return decoded(self.data, name=str(self.path), declared=declared)

    def document(
        self,
        passages: Iterable[Passage],
        *,
        media_type: str,
        title: str | None = None,
        fragment: str | None = None,
        content: Any = None,
        publication: Publication | None = None,
        tags: tuple[str, ...] = (),
        aliases: tuple[str, ...] = (),
    ) -> Document:
        """Return the document of the whole file, or of the part of it that `fragment` names.

        Args:
            passages: Passages in order.
            media_type: Media type as registered with IANA.
            title: Title, which is made one line; if it is None or blank, the name of the file is used.
            fragment: Id of a conversation of an export.
            content: JSON value of that conversation, which is hashed instead of the file.
            publication: Publication data, if it is a publication.
            tags, aliases: What front matter calls so.
        """
        hashed = self.data if content is None else _canonical(content)
        return Document(
            uri=self.uri if fragment is None else f"{self.uri}#{quote(fragment, safe='')}",
            title=as_place_name(title or "", most_chars=MOST_TITLE_CHARS)
            or as_place_name(self.path.name, most_chars=MOST_TITLE_CHARS)
            or "untitled",
            media_type=media_type,
            content_hash=_hashed(io.BytesIO(hashed), self.options, [_edition(media_type)])[0],
            folders=self.folders,
            passages=tuple(passages),
            publication=publication,
            tags=tags,
            aliases=aliases,
        )


def _decodable(name: str) -> str:
    return name.encode(errors="replace").decode()


def file_hashes(content: IO[bytes], options: SplitOptions) -> list[str]:
    """Return the hashes that the document of a whole file may have, one for each edition, the oldest first."""
    return _hashed(content, options, range(_EDITION, max(_EDITION, *_EDITIONS.values()) + 1))


def whole_hash(hashes: Sequence[str], media_type: str) -> str:
    """Return which of the hashes of a file its document has, if that is of a media type."""
    return hashes[_edition(media_type) - _EDITION]


def _edition(media_type: str) -> int:
    return _EDITIONS.get(media_type, _EDITION)


def _hashed(content: IO[bytes], options: SplitOptions, editions: Iterable[int]) -> list[str]:
    """Return the hash of a content and of how it is split in some editions, as 32 hexadecimal digits each."""
    read = blake2b(digest_size=16)
    while chunk := content.read(2**20):
        read.update(chunk)
    read.update(repr(options).encode())
    found = []
    for edition in editions:
        of_edition = read.copy()
        of_edition.update(str(edition).encode())
        found.append(of_edition.hexdigest())
    return found


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
