"""What findings have in common: links by trails, imports or a file, groups, and characteristic terms."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from pathlib import PurePosixPath

from graphpalace.domain.search.search_words import split_names
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


_WORD = re.compile(r"[^\W\d_]{3,}")
_STEM_CHARS = 4
_QUERY_WORDS = 5
_CODE_WORDS = """
args async await bool break case catch char class const continue def default del dict elif else enum except
export extends false final float func function impl import init instanceof int interface isinstance kwargs
lambda len let list match mod mut namespace new none null number object package pass private protected pub
public raise return self sizeof static str string struct super switch template this throw throws true try
tuple type typedef typeof union unsigned use using var void while with yield
"""


@lru_cache(maxsize=1)
def _stop_words() -> frozenset[str]:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS  # takes a second to import

    return frozenset(_CODE_WORDS.split()) | ENGLISH_STOP_WORDS


def content_words(text: str) -> list[str]:
    """Return the content words of a text in lower case, with identifiers split and stop words removed."""
    found = (word.lower() for word in _WORD.findall(split_names(text)))
    return [word for word in found if word not in _stop_words()]


def question_words_in(query: str, words: Iterable[str]) -> list[str]:
    """Return the content words of the question that are among the given words."""
    present = set(words)
    return [word for word in dict.fromkeys(content_words(query)) if word in present]


def distinctive_terms(counts: Counter[str], everywhere: Sequence[Counter[str]], query: str, *, most: int) -> list[str]:
    """Return terms that are frequent in a text, rare in the other findings, and not in the question.

    The weight of a term is its count times 1 + ln(findings / findings with it). Ties are sorted alphabetically.

    Args:
        counts: Word counts of the text; one of `everywhere`.
        everywhere: Word counts of each finding.
        most: Largest number of terms.
    """
    weights = {
        term: count * (1 + log(len(everywhere) / sum(term in other for other in everywhere)))
        for term, count in counts.most_common(50)
    }
    return _best(weights, query, most)


def shared_terms(everywhere: Sequence[Counter[str]], query: str, *, most: int) -> list[str]:
    """Return terms that are frequent in many findings and not in the question.

    The weight of a term is its total count times the number of findings with it.
    """
    documents = Counter(term for counts in everywhere for term in counts)
    total: Counter[str] = Counter()
    for counts in everywhere:
        total.update(counts)
    return _best({term: documents[term] * total[term] for term in total}, query, most)


def follow_up_queries(query: str, terms: Iterable[str]) -> list[str]:
    """Return a follow-up question for each term: the first content words of the question, and the term."""
    base = list(dict.fromkeys(content_words(query)))[:_QUERY_WORDS]
    return [" ".join([*base, term]) for term in terms]


def _best(weights: dict[str, float], query: str, most: int) -> list[str]:
    taken, found = content_words(query), []
    for term in sorted(weights, key=lambda term: (-weights[term], term)):
        if len(found) == most:
            break
        if not any(_alike(term, word) for word in taken):
            found.append(term)
            taken.append(term)
    return found


def _alike(first: str, second: str) -> bool:
    """Return whether two words are equal, or one of at least 4 characters is the beginning of the other."""
    short, long = sorted((first, second), key=len)
    return short == long or (len(short) >= _STEM_CHARS and long.startswith(short))
