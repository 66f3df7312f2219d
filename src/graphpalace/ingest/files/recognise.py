"""Tells which stored source each file on the disk is: by its content, its place, or the folder that it moved with."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

_ON_DISK = "file:///"


@dataclass(frozen=True, slots=True)
class StoredSource:
    """A source as a wing has it.

    Attributes:
        closet: Id of its closet.
        uri: As it is stored.
        place: URI of the same file without links in its path.
        content_hash: Of what was stored; None if that is not complete.
        missing: Whether its file is not on the disk.
    """

    closet: str
    uri: str
    place: str
    content_hash: str | None = None
    missing: bool = False

    @property
    def file(self) -> str:
        """The place of the whole file, if the source is a part of it."""
        return self.place.partition("#")[0]


@dataclass(slots=True)
class Recognised:
    """Which stored source each document is.

    Attributes:
        sources: By the URI of the document.
        left_folders: URIs of folders that were moved away as a whole.
    """

    sources: dict[str, StoredSource] = field(default_factory=dict)
    left_folders: set[str] = field(default_factory=set)


def recognise(
    files: Mapping[str, str],
    stored: Sequence[StoredSource],
    *,
    alike: Callable[[str, str], bool] = lambda _one, _other: False,
    exists: Callable[[str], bool] = lambda _uri: False,
) -> Recognised:
    """Recognise stored sources among the files on the disk.

    A file is, in this order:

    1. the source at its place, if the content is the same;
    2. a source with the same content that is missing, or at whose place another text stands now;
    3. the source at its place;
    4. the source at its place in a folder that has become the folder of the file, as others that moved with it tell.

    No source is given to two files. Of equal contents, those go together whose paths end alike.

    Args:
        files: Hash of the content of each file, by its URI.
        stored: Sources of a wing. A part of a file has the URI of the file with `#` and its name.
        alike: Tells whether two files have much in common, so that the first one was edited and not replaced.
        exists: Tells whether a folder is on the disk, by its URI.
    """
    at: dict[str, list[StoredSource]] = defaultdict(list)
    for source in sorted(stored, key=lambda source: (source.uri != source.place, source.closet)):
        at[source.place].append(source)
    found = Recognised()
    for uri, content in files.items():
        same = next((source for source in at.get(uri, ()) if source.content_hash == content), None)
        if same is not None:
            found.sources[uri] = same
    by_content = _by_content(files, stored, at, found.sources)
    while wrong := [
        uri
        for uri, source in by_content.items()
        if not source.missing
        and source.place not in found.sources
        and source.place not in by_content
        and alike(source.place, uri)
    ]:
        for uri in wrong:
            del by_content[uri]
    found.sources |= by_content
    used = {source.closet for source in found.sources.values()}
    for place, sources in at.items():
        free = next((source for source in sources if source.closet not in used), None)
        if sources[0].file in files and place not in found.sources and free is not None:
            found.sources[place] = free
            used.add(free.closet)
    _by_folder(files, [source for source in stored if source.closet not in used], at, by_content, found, exists)
    return found


def _by_content(
    files: Mapping[str, str],
    stored: Sequence[StoredSource],
    at: Mapping[str, Sequence[StoredSource]],
    sources: Mapping[str, StoredSource],
) -> dict[str, StoredSource]:
    used = {source.closet for source in sources.values()}
    free = [source for source in stored if source.closet not in used and source.place.startswith(_ON_DISK)]
    movable = ([s for s in free if s.missing], [s for s in free if not s.missing and s.place in files])
    asking = [uri for uri in files if uri not in sources and uri.startswith(_ON_DISK)]
    matched: dict[str, StoredSource] = {}
    for candidates in movable:
        for new in (True, False):
            wanted = [uri for uri in asking if uri not in matched and (uri not in at) is new]
            _match([(files[uri], uri) for uri in wanted], candidates, matched)
    return matched


def _match(
    wanted: Sequence[tuple[str, str]], candidates: Sequence[StoredSource], matched: dict[str, StoredSource]
) -> None:
    """Match contents and URIs with sources of the same content, those first whose paths have the longest end alike."""
    contents = {content for content, _ in wanted}
    used = {source.closet for source in matched.values()}
    left = [source for source in candidates if source.content_hash in contents and source.closet not in used]
    deepest = max((source.place.count("/") for source in left), default=0)
    for length in range(deepest + 1, -1, -1):
        ends: dict[tuple[str | None, tuple[str, ...]], list[StoredSource]] = defaultdict(list)
        for source in sorted(left, key=lambda source: (source.place, source.closet), reverse=True):
            ends[source.content_hash, _end(source.place, length)].append(source)
        for content, uri in sorted(wanted, key=lambda each: each[1]):
            alike = ends.get((content, _end(uri, length)))
            if uri not in matched and alike:
                matched[uri] = alike.pop()
        left = [source for sources in ends.values() for source in sources]
        if not left:
            return


def _end(uri: str, length: int) -> tuple[str, ...]:
    return tuple(uri.split("/")[-length:]) if length else ()


def _by_folder(
    files: Mapping[str, str],
    left: Iterable[StoredSource],
    at: Mapping[str, Sequence[StoredSource]],
    by_content: Mapping[str, StoredSource],
    found: Recognised,
    exists: Callable[[str], bool],
) -> None:
    """Find the files that were changed after their folder was moved, and note the folders that were moved."""
    moves = Counter(_folders(source.place, uri) for uri, source in by_content.items() if source.missing)
    gone = {old for old, _ in moves if not exists(old)}
    found.left_folders = gone
    targets = [(old, new) for (old, new), _ in moves.most_common() if old in gone]
    targets.sort(key=lambda move: -len(move[0]))
    for source in sorted(left, key=lambda source: (source.place, source.closet)):
        if not source.missing:
            continue
        for old, new in targets:
            place = new + source.place.removeprefix(old)
            file = place.partition("#")[0]
            if source.place.startswith(f"{old}/") and file in files and place not in found.sources and file not in at:
                found.sources[place] = source
                break


def _folders(old: str, new: str) -> tuple[str, str]:
    """Return the folder that was moved, and where it is, after one of its files.

    >>> _folders("file:///home/proj/deep/a.md", "file:///home/proj2/deep/a.md")
    ('file:///home/proj', 'file:///home/proj2')
    """
    before, after = old.split("/"), new.split("/")
    while len(before) > 1 and len(after) > 1 and before[-1] == after[-1]:
        before.pop()
        after.pop()
    return "/".join(before), "/".join(after)
