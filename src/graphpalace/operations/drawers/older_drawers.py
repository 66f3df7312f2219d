"""Find the older drawers that new ones may be news on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain

import numpy as np

from graphpalace.domain.drawers.records import DrawerRecord
from graphpalace.domain.search.evidence import EvidenceScale
from graphpalace.domain.vectors import Matrix
from graphpalace.ingest.news import NEAREST
from graphpalace.vectors.drawer_matrix import DrawerMatrix
from graphpalace.vectors.drawer_rows import DrawerRows

NO_TIME = 2**62  # of a drawer whose time is not known, so that it is older than none


def find_older(
    records: Sequence[DrawerRecord],
    wings: Sequence[str],
    matrix: DrawerMatrix,
    *,
    scale: EvidenceScale,
    now: datetime | None,
) -> None:
    """Give new drawers the nearest older drawers of their wings, among those of a matrix and each other.

    Args:
        records: Drawers with vectors.
        wings: Id of the wing of each of them.
        matrix: May have some of them.
        scale: That of the model.
        now: When those are said whose time is not known, which are not older than each other; None: what has no time
            is news on nothing.
    """
    said = [record.occurred_at or now for record in records]
    by_wing: dict[str, list[int]] = defaultdict(list)
    for at, (record, wing) in enumerate(zip(records, wings, strict=True)):
        if said[at] is not None and record.indexed and record.vector is not None:
            by_wing[wing].append(at)
    for wing, places in by_wing.items():
        own = [records[at] for at in places]
        vectors = np.stack([record.vector for record in own if record.vector is not None])
        times = [time_ms(said[at]) for at in places]
        matrices = [matrix]
        if len(own) > 1 and own[0].id not in matrix:
            beside = DrawerMatrix(matrix.dimension)
            beside.put(DrawerRows([one.id for one in own], [wing] * len(own), [""] * len(own), times, vectors))
            matrices.append(beside)
        for record, older in zip(own, older_of_each(matrices, vectors, wing, times, scale=scale), strict=True):
            record.older = older


def older_of_each(
    matrices: Sequence[DrawerMatrix],
    vectors: Matrix,
    wing: str,
    before_ms: Sequence[int],
    *,
    scale: EvidenceScale,
    itself: str = "",
) -> list[list[tuple[str, float]]]:
    """Return for each vector the nearest older drawers of a wing in some matrices, with their cosines on a scale.

    Args:
        vectors: Unit vectors.
        before_ms: When each was said, as `time_ms` has it.
        itself: Id of a drawer that is left out.
    """
    found = [matrix.nearest_older(vectors, wing=wing, before_ms=before_ms, limit=NEAREST + 1) for matrix in matrices]

    def best(near: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
        ordered = sorted((one for one in near if one[0] != itself), key=lambda one: (-one[1], one[0]))
        return [(drawer, round(float(scale.placed(cosine)), 6)) for drawer, cosine in ordered[:NEAREST]]

    return [best(chain.from_iterable(some)) for some in zip(*found, strict=True)]


def time_ms(moment: datetime | None) -> int:
    """Return a time in milliseconds since 1970, as a matrix has it; `NO_TIME` if it is not known."""
    return NO_TIME if moment is None else int(moment.timestamp() * 1000)
