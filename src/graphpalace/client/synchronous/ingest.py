# Written by `make client` from ../asynchronous/ingest.py; change that file.
"""Storing files and folders."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from graphpalace.client import wire
from graphpalace.client.synchronous.pruning import Pruning
from graphpalace.domain.drawers.files import as_text
from graphpalace.domain.palaces.places import WingType
from graphpalace.errors import (
    Forbidden,
    GraphPalaceError,
    InvalidInput,
    NotFound,
    ServiceUnavailable,
    UnreadableDocument,
)

if TYPE_CHECKING:
    from graphpalace.domain.drawers.ingest import IngestReport
    from graphpalace.domain.knowledge.names import NameReading


class Ingesting(Pruning):
    """The part of a palace that stores files and folders."""

    def ingest(
        self,
        paths: str | Path | Iterable[str | Path],
        *,
        wing: str,
        wing_type: WingType | str = WingType.TOPIC,
        rooms: Literal["auto", "folders", "headings", "clusters"] | None = None,
        max_files: int | None = None,
        windows: Sequence[int] | None = None,
        again: bool = False,
        uris: Mapping[Path, str] | None = None,
        read_names: bool = False,
        progress: Callable[[IngestReport], object] | None = None,
        reading: Callable[[NameReading], object] | None = None,
    ) -> IngestReport:
        """Store files and folders word for word. Sources that did not change since the last ingest are skipped.

        To stop it, cancel the call or leave it with Ctrl-C: what is already stored is kept, and the same call stores
        the rest.

        Args:
            paths: Files and folders. A service of the same user reads them itself, any other one those in the folders
                that its setting `[ingest] folders` allows. Otherwise this process reads them and sends what is in them.
                Relative paths start from the current folder of this process.
            wing: Where to put them; it is made if it is missing.
            wing_type: What a new wing is about: person, project, domain or topic.
            rooms: What rooms are made from; default: as the settings say.
            max_files: The largest number of files; 0 is no limit; default: as the settings say.
            windows: The sizes in lines of windows into which code is split; default: as the settings say.
            again: Whether to file what was forgotten of conversations, too.
            uris: What to keep as the source of paths whose content came from elsewhere, such as `stdin:report.md`.
            read_names: Whether to read the names in the texts, too, before it returns. Otherwise they are read in the
                background.
            progress: Called now and then with what has been done so far.
            reading: Called now and then with how far the reading of names is.
        Returns:
            What was stored. `gone` lists the sources that no longer exist, for `prune`.
        Raises:
            NotFound: If the palace or a path does not exist.
            InvalidInput: If a name or a value is not possible.
        """
        listed = [absolute(path) for path in ([paths] if isinstance(paths, str | Path) else paths)]
        tell = progress or (lambda _report: None)
        try:
            lines = self._link.stream(
                "/v1/ingest",
                paths=[as_text(path) for path in listed],
                wing=wing,
                wing_type=wing_type,
                rooms=rooms,
                max_files=max_files,
                windows=windows,
                again=again,
                uris={as_text(absolute(path)): uri for path, uri in (uris or {}).items()} or None,
                read_names=read_names,
                proof=None if self._link.proof is None else self._link.proof(),
            )
            return _followed(lines, tell, reading)
        except (InvalidInput, NotFound, Forbidden) as error:
            if self._link.proof is None or not only_here(error, listed):
                raise
        given = {"wing": wing, "rooms": rooms}
        planned = given | {"max_files": max_files, "windows": windows}
        stored = given | {"wing_type": wing_type, "read_names": read_names}
        return self._send_files(listed, planned, stored, uris=uris or {}, again=again, tell=tell, reading=reading)

    def _send_files(
        self,
        paths: Sequence[Path],
        planned: Mapping[str, Any],
        stored: Mapping[str, Any],
        *,
        uris: Mapping[Path, str],
        again: bool,
        tell: Callable[[IngestReport], object],
        reading: Callable[[NameReading], object] | None,
    ) -> IngestReport:
        """Read files in this process and send what is in them.

        Args:
            planned, stored: What the plan is asked for, and what is sent with documents.
        """
        from graphpalace.client.local_files import LocalFiles, transcript_of
        from graphpalace.domain.conversations import FiledConversation
        from graphpalace.offers.ingest import PLAN_INGEST

        started = monotonic()
        files = LocalFiles(self._link.call(PLAN_INGEST, **planned), paths, uris=uris)
        report = files.report
        for part in files.batches():
            lines = self._link.stream(
                "/v1/ingest/documents", **({**stored} | part | {"last": False, "read_names": False})
            )
            report.count_stored(_followed(lines, lambda now: tell(report.with_stored(now)), None))
            tell(report)
        for path in files.transcripts:
            try:
                filed = self._link.post(
                    FiledConversation | None,  # pyright: ignore[reportArgumentType]
                    "/v1/conversations/content",
                    wing=planned["wing"],
                    again=again,
                    **transcript_of(path),
                )
                report.count_filed(filed)
            except UnreadableDocument as error:
                report.unreadable.append(error.message)
            report.files_done += 1
            tell(report)
        lines = self._link.stream("/v1/ingest/documents", **stored, documents=[])
        _followed(lines, lambda _now: None, reading)
        report.gone = files.gone(self._link.call(PLAN_INGEST, **planned))
        report.seconds = monotonic() - started
        tell(report)
        return report


def _followed(
    lines: Generator[dict[str, Any], None, None],
    progress: Callable[[IngestReport], object],
    reading: Callable[[NameReading], object] | None,
) -> IngestReport:
    """Return the report in the last line of an answer, and tell what those before it say."""
    from graphpalace.domain.drawers.ingest import IngestReport
    from graphpalace.domain.knowledge.names import NameReading

    with closing(lines) as said:
        for line in said:
            report = wire.read(wire.encoded(line["report"]), IngestReport)
            if line["done"]:
                return report
            if line.get("names") is None:
                progress(report)
            elif reading is not None:
                reading(wire.read(wire.encoded(line["names"]), NameReading))
    raise ServiceUnavailable("the service went away during the ingest; what is already stored is kept")


def absolute(path: str | Path) -> Path:
    """Return a path that starts from the root, not from the current folder of this process."""
    return Path(path).expanduser().absolute()


def only_here(error: GraphPalaceError, paths: Sequence[Path], *, field: str = "paths") -> bool:
    """Return whether a service cannot or may not read files that are here, but may take what is in them.

    Args:
        field: What the paths are called in errors.
    """
    named = str(error.detail.get("field", "")).startswith(field)
    outside = named and (isinstance(error, NotFound) or "setting" in error.detail)
    return (outside or isinstance(error, Forbidden)) and all(map(Path.exists, paths))
