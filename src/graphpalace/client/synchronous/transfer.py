# Written by `make client` from ../asynchronous/transfer.py; change that file.
"""Whole palaces: computing their vectors anew, dropping, exporting and importing them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphpalace.client import wire
from graphpalace.client.synchronous.link import Link
from graphpalace.client.synchronous.listed_palaces import ListedPalaces
from graphpalace.errors import Conflict, InvalidInput, ServiceUnavailable

if TYPE_CHECKING:
    from graphpalace.domain.palaces.palaces import Reembedded, ReembedProgress
    from graphpalace.domain.transfer.answers import Exported, Imported, TransferProgress


class Palaces(ListedPalaces):
    """The palaces of a database."""

    def __init__(self, link: Link) -> None:
        """Use the transport of a palace, but not its name."""
        self._link = Link(link.transport, None, timeout_s=link.timeout_s)

    def reembed(self, name: str, *, progress: Callable[[ReembedProgress], object] | None = None) -> Reembedded:
        """Compute the vectors of a palace anew with the configured model. Until all are there, the old ones answer.

        To stop it, cancel the call or leave it with Ctrl-C: the same call goes on from there.

        Args:
            progress: Called now and then with how far it is.
        Raises:
            NotFound: If there is no such palace.
            EmbeddingFailed: If the model cannot be loaded.
            Conflict: If somebody began to change the palace to another model meanwhile.
        """
        from graphpalace.domain.palaces.palaces import Reembedded, ReembedProgress

        with closing(self._link.stream("/v1/palaces/reembed", name=name)) as said:
            for line in said:
                if "result" in line:
                    return wire.read(wire.encoded(line["result"]), Reembedded)
                if progress is not None:
                    progress(wire.read(wire.encoded(line["progress"]), ReembedProgress))
        raise ServiceUnavailable("the service went away while it computed vectors; the same call goes on from there")

    def drop(self, name: str) -> int:
        """Remove a palace and everything in it; return how many nodes it had.

        Raises:
            NotFound: If there is no such palace.
        """
        from graphpalace.offers.palaces import DROP_PALACE

        return (self._link.call(DROP_PALACE, name=name, confirm=name)).deleted


_MOST_NAMED = 100
_AT_ONCE = 2  # batches: the service checks one while Neo4j writes the other


class Transfers:
    """The part of a palace that exports and imports it."""

    _link: Link

    def export(
        self,
        folder: str | Path,
        *,
        runs: bool = False,
        vectors: bool = True,
        progress: Callable[[TransferProgress], object] | None = None,
    ) -> Exported:
        """Write everything that the palace has into a folder of JSON lines, which this process writes.

        The folder appears when the export is complete. What is interrupted leaves nothing.

        Args:
            folder: It must not exist yet, or be empty.
            runs: Also searches and runs, which expire after some hours.
            vectors: Also vectors; without them the export is smaller, and an import computes them again.
            progress: Called after each batch of rows.
        Raises:
            NotFound: If the palace does not exist, or the folder that the export is to be in.
            Conflict: If the folder is not empty, or the palace is changing its embedding model.
        """
        from graphpalace.client.export_folder import ExportWriter
        from graphpalace.domain.transfer.answers import Exported, TransferProgress
        from graphpalace.domain.transfer.manifest import ExportedPalace

        writer = ExportWriter(Path(folder))
        try:
            with closing(self._link.stream("/v1/export", runs=runs, vectors=vectors)) as said:
                for line in said:
                    if line.get("exported") is not None:
                        exported = wire.read(wire.encoded(line["exported"]), ExportedPalace)
                        writer.finish(exported)
                        return Exported(exported.palace, writer.rows, exported.changed_meanwhile)
                    if line.get("again"):
                        writer.begin_again(line["file"])
                    writer.add(line["file"], line["rows"])
                    if progress is not None:
                        progress(TransferProgress(line["file"], sum(writer.rows.values()), None))
        finally:
            writer.abandon()
        raise ServiceUnavailable("the service went away during the export; nothing is left of it")

    def import_(
        self,
        folder: str | Path,
        *,
        vectors: bool = True,
        progress: Callable[[TransferProgress], object] | None = None,
    ) -> Imported:
        """Bring an export into the palace, which is created if it is missing. This process reads the folder.

        What the palace has already stays as it is, so an import that was interrupted can be repeated. The rows are
        checked before the first is sent, and a palace that was created for an import that is refused is dropped again.

        Args:
            folder: From `export`.
            vectors: Whether to use the vectors of the export; if not, they are computed again.
            progress: Called after each batch of rows.
        Returns:
            How many rows were new and how many were there, and which were there with another content.
        Raises:
            NotFound: If the folder does not exist, or has no manifest.
            InvalidInput: If the export is damaged or incomplete, or has something that no export has.
            Conflict: If a later version of GraphPalace wrote it, or the palace has vectors of another model.
        """
        from graphpalace.client.export_folder import ExportFolder
        from graphpalace.client.in_flight import InFlight
        from graphpalace.domain.transfer.answers import (
            Imported,
            ImportedRows,
            ImportFinished,
            ImportPlan,
            TransferProgress,
        )
        from graphpalace.domain.transfer.kinds import KINDS, NodeKind
        from graphpalace.domain.transfer.renaming import LEARNED_FROM, Renaming

        export = ExportFolder(Path(folder))
        manifest = export.manifest

        def tell(file: str, done: int, total: int) -> None:
            if progress is not None:
                progress(TransferProgress(file, done, total))

        for number, file in enumerate(export.check()):
            tell(f"checking {file}", number + 1, len(manifest.files))
        plan = self._link.post(
            ImportPlan,
            "/v1/import/begin",
            exported=manifest.palace,
            import_id=manifest.import_id,
            vectors=vectors,
        )
        try:
            renaming = Renaming(
                manifest.palace.palace, plan.palace, shift_cycles=plan.shift_cycles, vectors=plan.send_vectors
            )
            if renaming.changes_ids:
                for file in LEARNED_FROM:
                    for row in export.rows(file):
                        renaming.learn(KINDS[file], row)
            created, kept, left_out = Counter[str](), Counter[str](), Counter[str]()
            conflicts: list[str] = []
            done = others = 0

            def take(found: ImportedRows, file: str, done: int) -> None:
                nonlocal others
                created[file] += found.created
                kept[file] += found.kept
                left_out[file] += found.left_out
                others += len(found.conflicts)
                conflicts.extend(found.conflicts[: _MOST_NAMED - len(conflicts)])
                tell(file, done, manifest.rows)

            with InFlight(_AT_ONCE) as calls:
                for file, kind in KINDS.items():
                    skipped = (file == "similar_to" and not plan.send_similar) or (
                        kind.only_same_name and renaming.changes_ids
                    )
                    for batch in export.batches(file):
                        done += len(batch)
                        if skipped:
                            left_out[file] += len(batch)
                            continue
                        rows: list[dict[str, Any]] = [
                            renaming.node(kind, row) if isinstance(kind, NodeKind) else renaming.edge(kind, row)
                            for row in batch
                        ]
                        sent = {"plan": plan, "file": file, "rows": rows}
                        calls.start(
                            lambda sent=sent: self._link.post(ImportedRows, "/v1/import/rows", **sent),
                            lambda found, file=file, done=done: take(found, file, done),
                        )
                    calls.finish()  # rows of the next file may refer to those of this one
            with closing(
                self._link.stream("/v1/import/finish", plan=plan, changed_meanwhile=manifest.palace.changed_meanwhile)
            ) as said:
                for line in said:
                    if line.get("result") is not None:
                        finished = wire.read(wire.encoded(line["result"]), ImportFinished)
                        return Imported(
                            plan.palace,
                            dict(+created),
                            dict(+kept),
                            dict(+left_out),
                            others,
                            conflicts,
                            finished.linked,
                        )
                    if progress is not None:
                        progress(wire.read(wire.encoded(line["progress"]), TransferProgress))
        except (InvalidInput, Conflict):
            if plan.made:  # for an import that is refused; one that was interrupted goes on
                Palaces(self._link).drop(plan.palace)
            raise
        raise ServiceUnavailable("the service went away during the import; the same call goes on from there")
