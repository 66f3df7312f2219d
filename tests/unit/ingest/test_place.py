from __future__ import annotations

import numpy as np

from graphpalace.domain.document import Document, Passage
from graphpalace.ingest.cluster import cluster
from graphpalace.ingest.place import rooms_of


def _document(*headings: tuple[str, ...], folders: tuple[str, ...] = ()) -> Document:
    return Document("u", "t", "text/markdown", "h", folders, tuple(Passage("x", 1, 1, h) for h in headings))


def test_a_file_goes_to_the_room_of_its_first_folder() -> None:
    assert rooms_of(_document((), (), folders=("api", "v1")), mode="auto") == ["api", "api"]


def test_a_file_without_a_folder_goes_to_the_common_room() -> None:
    assert rooms_of(_document(()), mode="auto") == ["general"]


def test_headings_make_rooms_below_a_lone_title() -> None:
    document = _document(("Guide",), ("Guide", "Install"), ("Guide", "Use", "Search"))
    assert rooms_of(document, mode="headings") == ["general", "Install", "Use"]


def test_clusters_start_in_the_common_room() -> None:
    assert rooms_of(_document((), folders=("api",)), mode="clusters") == ["general"]


def test_the_same_closets_give_the_same_clusters() -> None:
    vectors = np.random.default_rng(0).standard_normal((30, 8)).astype(np.float32)
    assert cluster(vectors).tolist() == cluster(vectors).tolist()
    assert len(set(cluster(vectors).tolist())) == 4  # round(sqrt(30 / 2))
