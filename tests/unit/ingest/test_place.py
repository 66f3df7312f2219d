from __future__ import annotations

import pytest

from graphpalace.domain.drawers.document import Document, Passage
from graphpalace.ingest.place import FolderRooms, folder_name, is_book, rooms_of


def _document(*headings: tuple[str, ...]) -> Document:
    return Document("u", "t", "text/markdown", "h", (), tuple(Passage("x", 1, 1, h) for h in headings))


def test_a_file_goes_to_the_room_of_its_folder() -> None:
    assert rooms_of(_document((), ()), mode="auto", folder="api/v1") == ["api/v1", "api/v1"]


def test_a_file_without_a_folder_goes_to_the_common_room() -> None:
    assert rooms_of(_document(()), mode="auto") == ["general"]


def test_headings_make_rooms_below_a_lone_title() -> None:
    document = _document(("Guide",), ("Guide", "Install"), ("Guide", "Use", "Search"))
    assert rooms_of(document, mode="headings") == ["general", "Install", "Use"]


def test_clusters_start_in_the_common_room() -> None:
    assert rooms_of(_document(()), mode="clusters", folder="api") == ["general"]


def test_only_a_long_document_with_long_chapters_is_a_book() -> None:
    chapters = [(f"Chapter {at // 30}",) for at in range(120)]
    assert is_book(_document(*chapters))
    assert not is_book(_document(*chapters[:99]))
    assert not is_book(_document(*((f"1.{at}",) for at in range(120))))
    assert not is_book(_document(*[("The only one",)] * 120))


def test_a_chapter_in_capitals_is_named_in_small_letters() -> None:
    document = _document(("THE OPEN SEA",), ("NASA",))
    assert rooms_of(document, mode="headings") == ["The open sea", "NASA"]


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("file:///home/ann/my%20notes/soup.txt", "my notes"),
        ("file:///home/ann/mails/box.mbox#12", "mails"),
        ("file:///soup.txt", None),
        ("stdin:soup.txt", None),
        ("https://example.org/notes/soup", None),
    ],
)
def test_the_folder_of_a_file_has_a_name_and_what_is_no_file_has_none(uri: str, name: str | None) -> None:
    assert folder_name(uri) == name


def rooms(**files: int) -> FolderRooms:
    """Return the rooms of folders, given how many files each has; `a__b` is the folder b in the folder a."""
    return FolderRooms(tuple(folder.split("__")) for folder, count in files.items() for _ in range(count))


def test_a_folder_with_ten_files_is_a_room_and_a_smaller_one_belongs_to_the_folder_above() -> None:
    found = rooms(docs=3, ingest=12, ingest__readers=10, ingest__readers__mail=9, ingest__files=2)
    assert found.name(("ingest", "readers")) == "ingest/readers"
    assert found.name(("ingest", "readers", "mail")) == "ingest/readers"
    assert found.name(("ingest", "files")) == "ingest"


def test_files_of_the_folders_below_count() -> None:
    found = rooms(docs=1, tests=1, tests__unit__a=5, tests__unit__b=5)
    assert found.name(("tests", "unit", "b")) == "tests/unit"


def test_a_folder_below_the_root_is_a_room_whatever_its_size() -> None:
    assert rooms(docs=1, ingest=1).name(("docs",)) == "docs"


def test_files_in_no_folder_have_no_room_of_a_folder() -> None:
    assert rooms(docs=1).name(()) is None


def test_folders_that_all_files_share_or_that_hold_only_one_other_are_left_out_of_the_name() -> None:
    package = rooms(graphpalace=5, graphpalace__ingest=12, graphpalace__serve__http=12)
    assert package.name(("graphpalace",)) == "graphpalace"
    assert package.name(("graphpalace", "ingest")) == "ingest"
    project = rooms(docs=3, src__graphpalace=5, src__graphpalace__ingest=12)
    assert project.name(("src", "graphpalace")) == "graphpalace"
    assert project.name(("src", "graphpalace", "ingest")) == "graphpalace/ingest"


def test_two_folders_never_share_a_name() -> None:
    found = rooms(docs=3, graphpalace=12, src__graphpalace=12)
    assert found.name(("src", "graphpalace")) == "src/graphpalace"
    assert found.name(("graphpalace",)) == "graphpalace"


def test_a_folder_that_the_files_were_not_counted_of_is_in_the_room_above() -> None:
    assert rooms(docs=1).name(("new", "deep")) == "new"
