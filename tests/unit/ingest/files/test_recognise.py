"""Files are recognised as stored sources by content, by place, and by the folder that they moved with."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.ingest.files.recognise import Recognised, StoredSource, recognise


def _uri(path: str) -> str:
    return f"file:///home/{path}"


def _recognised(
    files: Mapping[str, str], stored: Mapping[str, str | None], *, alike: bool = False, there: tuple[str, ...] = ()
) -> dict[str, str]:
    """Return the paths of the stored sources by those of the files."""
    found = _result(files, stored, alike=alike, there=there)
    return {
        uri.removeprefix(_uri("")): source.uri.removeprefix(_uri("")) for uri, source in sorted(found.sources.items())
    }


def _result(
    files: Mapping[str, str], stored: Mapping[str, str | None], *, alike: bool = False, there: tuple[str, ...] = ()
) -> Recognised:
    sources = [
        StoredSource(f"closet of {path}", _uri(path), _uri(path), content, path.partition("#")[0] not in files)
        for path, content in stored.items()
    ]
    return recognise(
        {_uri(path): content for path, content in files.items()},
        sources,
        alike=lambda _one, _other: alike,
        exists=lambda uri: uri in map(_uri, there),
    )


@pytest.mark.parametrize(
    ("files", "stored", "expected"),
    [
        pytest.param({"a": "1"}, {"a": "1"}, {"a": "a"}, id="as it was"),
        pytest.param({"a": "2"}, {"a": "1"}, {"a": "a"}, id="changed"),
        pytest.param({"b": "1"}, {"a": "1"}, {"b": "a"}, id="renamed"),
        pytest.param({"b": "2"}, {"a": "1"}, {}, id="another file"),
        pytest.param({"a": "1", "b": "1"}, {"a": "1"}, {"a": "a"}, id="copied"),
        pytest.param({"a": "2", "b": "1"}, {"a": "1", "b": "2"}, {"a": "b", "b": "a"}, id="exchanged"),
        pytest.param(
            {"a": "0", "b": "1", "c": "2"}, {"a": "1", "b": "2"}, {"b": "a", "c": "b"}, id="moved up in a row"
        ),
        pytest.param({"a": "2"}, {"a": "1", "b": "2"}, {"a": "b"}, id="overwritten"),
        pytest.param(
            {"q/x/l": "1", "q/y/l": "1", "q/z/l": "1"},
            {"p/y/l": "1", "p/x/l": "1"},
            {"q/x/l": "p/x/l", "q/y/l": "p/y/l"},
            id="equal contents by the ends of their paths",
        ),
        pytest.param(
            {"q/a": "1", "q/d/b": "changed"},
            {"p/a": "1", "p/d/b": "2"},
            {"q/a": "p/a", "q/d/b": "p/d/b"},
            id="changed in a folder that moved",
        ),
        pytest.param(
            {"q/a": "1", "q/e": "any"}, {"p/a": "1", "p/e#one": "2"}, {"q/a": "p/a", "q/e#one": "p/e#one"}, id="a part"
        ),
    ],
)
def test_a_file_is_the_source_that(files: dict[str, str], stored: dict[str, str | None], expected: object) -> None:
    assert _recognised(files, stored) == expected


def test_a_changed_file_is_not_the_one_of_its_name_in_another_folder_that_is_still_there() -> None:
    files, stored = {"q/a": "1", "q/b": "changed"}, {"p/a": "1", "p/b": "2"}
    assert _recognised(files, stored, there=("p",)) == {"q/a": "p/a"}
    assert _result(files, stored, there=("p",)).left_folders == set()
    assert _result(files, stored).left_folders == {_uri("p")}


def test_a_file_that_was_copied_and_then_edited_stays_itself() -> None:
    assert _recognised({"a": "2", "b": "1"}, {"a": "1"}, alike=True) == {"a": "a"}
    assert _recognised({"a": "2", "b": "1"}, {"a": "1"}, alike=False) == {"b": "a"}


def test_of_two_closets_of_one_source_the_one_with_its_content_is_the_source() -> None:
    closets = [StoredSource("x", _uri("a"), _uri("a"), "old"), StoredSource("y", _uri("a"), _uri("a"), "new")]
    assert recognise({_uri("a"): "new"}, closets).sources == {_uri("a"): closets[1]}
    assert recognise({_uri("a"): "other"}, closets).sources == {_uri("a"): closets[0]}


def test_a_source_that_was_reached_by_a_link_is_the_file_that_the_link_leads_to() -> None:
    linked = StoredSource("x", _uri("link/a"), _uri("real/a"), "1")
    assert recognise({_uri("real/a"): "1"}, [linked]).sources == {_uri("real/a"): linked}


_PATHS = st.sampled_from([f"{folder}/{name}" for folder in "pqr" for name in "abc"])
_FOLDERS = st.dictionaries(_PATHS, st.sampled_from("123"), max_size=6)


@given(_FOLDERS, _FOLDERS, st.booleans())
def test_no_source_is_two_files_and_equal_contents_are_never_left_alone(
    files: dict[str, str], stored: dict[str, str], alike: bool
) -> None:
    found = _recognised(files, stored, alike=alike)
    assert len(set(found.values())) == len(found)
    assert set(found) <= set(files)
    for path, content in files.items():
        if stored.get(path) == content:
            assert found[path] == path
        elif path not in found:
            assert path not in stored or path in found.values()
            assert not [
                p for p, other in stored.items() if other == content and p not in files and p not in found.values()
            ]
    assert _recognised(files, files) == {path: path for path in files}
