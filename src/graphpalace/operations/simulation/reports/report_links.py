"""Link findings that belong together, by trails, imports or a common file, and group them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from graphpalace.domain.simulation.simulations import FoundTrail
from graphpalace.operations.simulation.reports.chunk_facts import ChunkFacts

_STRONG_SHARE = 0.5
_WHOLE_FOLDER = frozenset({"__init__", "index", "mod"})


@dataclass(frozen=True, slots=True)
class FindingLink:
    """Two findings that belong together, by row, with the better one first, and the reason."""

    first: int
    second: int
    why: str


def links_of(facts: Sequence[ChunkFacts], ids: Sequence[str], trails: Sequence[FoundTrail]) -> list[FindingLink]:
    """Return the links between findings.

    A trail counts as a link if it is at least half as strong as the strongest, because weak trails exist between nearly
    any two documents.
    """
    rows = {document: row for row, document in enumerate(ids)}
    known = [trail for trail in trails if trail.first in rows and trail.second in rows]
    strongest = max((trail.strength for trail in known), default=0.0)
    found: list[FindingLink] = []
    for trail in known:
        if trail.strength >= _STRONG_SHARE * strongest > 0:
            first, second = sorted((rows[trail.first], rows[trail.second]))
            found.append(FindingLink(first, second, f"trail {trail.strength:.2f}"))
    for first, one in enumerate(facts):
        for second in range(first + 1, len(facts)):
            other = facts[second]
            if one.file_path == other.file_path:
                found.append(FindingLink(first, second, "same file"))
                continue
            used = [*imported_from(one, other), *imported_from(other, one)]
            found.extend(FindingLink(first, second, f"import of {name}") for name in used[:1])
    return found


def imported_from(importer: ChunkFacts, other: ChunkFacts) -> list[str]:
    """Return the imports of a finding that refer to another finding's file.

    An import with a single part, such as `json`, refers to a file only if that is in the importer's own folder.
    """
    if not importer.dependencies:
        return []
    target = _module(other.file_path)
    folder = PurePosixPath(importer.file_path).parts[:-1]
    found = []
    for name in importer.dependencies:
        wanted = _parts(name, importer.language)
        ways = [wanted, wanted[:-1]] if importer.language == "rust" and len(wanted) > 1 else [wanted]
        if any(target == (*folder, *way) or (len(way) > 1 and target[-len(way) :] == way) for way in ways if way):
            found.append(name)
    return found


def _module(path: str) -> tuple[str, ...]:
    parts = PurePosixPath(path).with_suffix("").parts if PurePosixPath(path).name else ()
    return parts[:-1] if parts and parts[-1] in _WHOLE_FOLDER else parts


def _parts(name: str, language: str | None) -> tuple[str, ...]:
    if language in ("python", "java"):
        return tuple(part for part in name.split(".") if part)
    if language == "rust":
        return tuple(part for part in name.split("::") if part not in ("crate", "self", "super"))
    path = PurePosixPath(name)
    if path.suffix in (".h", ".hh", ".hpp", ".hxx", ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs"):
        path = path.with_suffix("")
    return tuple(part for part in path.parts if part not in (".", ".."))


def groups_of(count: int, links: Sequence[FindingLink]) -> list[list[int]]:
    """Return groups of findings that are linked directly or indirectly, as rows.

    Larger groups come first, and among equal ones those with the better finding.
    """
    group = list(range(count))

    def root(row: int) -> int:
        while group[row] != row:
            row = group[row]
        return row

    for link in links:
        first, second = sorted((root(link.first), root(link.second)))
        group[second] = first
    members: dict[int, list[int]] = defaultdict(list)
    for row in range(count):
        members[root(row)].append(row)
    return sorted(members.values(), key=lambda rows: (-len(rows), rows[0]))
