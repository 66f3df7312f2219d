# Written by `make client` from ../asynchronous/ingest.py; change that file.
"""Storing files and folders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from graphpalace.client import wire
from graphpalace.client.synchronous.link import Link
from graphpalace.domain.room import WingType
from graphpalace.errors import ServiceUnavailable

if TYPE_CHECKING:
    from graphpalace.domain.ingest_report import IngestReport


class Ingesting:
    """The part of a palace that stores files and folders."""

    _link: Link

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
        progress: Callable[[IngestReport], object] | None = None,
    ) -> IngestReport:
        """Store files and folders word for word. Sources that did not change since the last ingest are skipped.

        To stop it, cancel the call or leave it with Ctrl-C: what is already stored is kept, and the same call stores
        the rest.

        Args:
            paths: Files and folders. A service reads them on its own machine, and only in the folders that its setting
                `[ingest] folders` allows. Relative paths start from the current folder of this process.
            wing: Where to put them; it is made if it is missing.
            wing_type: What a new wing is about: person, project, domain or topic.
            rooms: What rooms are made from; default: as the settings say.
            max_files: The largest number of files; 0 is no limit; default: as the settings say.
            windows: The sizes in lines of windows into which code is split; default: as the settings say.
            again: Whether to file what was forgotten of conversations, too.
            progress: Called now and then with what has been done so far.
        Returns:
            What was stored. `gone` lists the sources that no longer exist, for `prune`.
        Raises:
            NotFound: If the palace or a path does not exist.
            InvalidInput: If a name or a value is not possible, or the service may not read a path.
        """
        from graphpalace.domain.ingest_report import IngestReport

        listed = [paths] if isinstance(paths, str | Path) else paths
        lines = self._link.stream(
            "/v1/ingest",
            paths=[_absolute(path) for path in listed],
            wing=wing,
            wing_type=wing_type,
            rooms=rooms,
            max_files=max_files,
            windows=windows,
            again=again,
        )
        with closing(lines) as said:
            for line in said:
                report = wire.read(wire.encoded(line["report"]), IngestReport)
                if line["done"]:
                    return report
                if progress is not None:
                    progress(report)
        raise ServiceUnavailable("the service went away during the ingest; what is already stored is kept")

    def prune(self, wing: str, sources: Sequence[str]) -> int:
        """Delete the drawers of sources of a wing, and return how many there were.

        Args:
            sources: URIs, such as those that an ingest reports as `gone`; 1 to 10,000.
        Raises:
            NotFound: If the palace does not exist.
            InvalidInput: If there are no sources, or too many.
        """
        from graphpalace.domain.receipts import Deleted

        return (self._link.post(Deleted, "/v1/prune", wing=wing, sources=sources)).deleted


def _absolute(path: str | Path) -> str:
    return str(Path(path).expanduser().absolute())
