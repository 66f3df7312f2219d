"""Find what may need repair in findings: TODO marks, swallowed errors and duplicated text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from graphpalace.operations.simulation.reports.chunk_facts import ChunkFacts, found_nodes

_MARK = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b[:\s-]*(.*)")
_MARK_CHARS = 80
_SAME_SHARE = 0.8
_FEWEST_LINES = 3
_EMPTY_CATCH = "(catch_clause body: (_) @empty)"
_HANDLING = {
    "python": "(except_clause) @except",
    "javascript": _EMPTY_CATCH,
    "typescript": _EMPTY_CATCH,
    "tsx": _EMPTY_CATCH,
    "java": _EMPTY_CATCH,
    "cpp": _EMPTY_CATCH,
    "go": """
        (assignment_statement left: (expression_list . (identifier) @f .) (#eq? @f "_")) @dropped
        ((call_expression function: (identifier) @f) @panic (#eq? @f "panic"))
        (if_statement condition: (binary_expression left: (identifier) @f) consequence: (block) @empty
         (#eq? @f "err"))""",
    "rust": """
        ((call_expression function: (field_expression field: (field_identifier) @f)) @panic
         (#any-of? @f "unwrap" "expect"))
        ((macro_invocation macro: (identifier) @f) @panic (#any-of? @f "panic" "todo" "unimplemented"))""",
}


def faults_of(facts: Sequence[ChunkFacts]) -> list[list[str]]:
    """Return, for each finding, what may need repair.

    A fault that is in two overlapping windows of a file is reported only for the better finding.
    """
    told: set[tuple[str, int, str]] = set()
    found: list[list[str]] = []
    for one in facts:
        first = one.lines[0] if one.lines else 1
        own: list[str] = []
        for row, fault in sorted([*_marks(one.body), *_handling(one)]):
            key = (one.label if one.lines is None else one.file_path, first + row, fault)
            if key not in told:
                told.add(key)
                own.append(f"line {first + row}: {fault}")
        found.append(own)
    for row, other, share in _twice(facts):
        found[row].append(f"{share:.0%} of its lines are also in {facts[other].label}")
        found[other].append(f"{share:.0%} of its lines are also in {facts[row].label}")
    return found


def _marks(body: str) -> Iterator[tuple[int, str]]:
    for row, line in enumerate(body.splitlines()):
        if found := _MARK.search(line):
            yield row, f"{found[1]} {found[2].strip()[:_MARK_CHARS]}".strip()


def _handling(one: ChunkFacts) -> Iterator[tuple[int, str]]:
    if one.language not in _HANDLING:
        return
    for kind, node in found_nodes(one.body, one.language, _HANDLING[one.language]):
        if fault := _fault(kind, node):
            yield node.start_point.row, fault


def _fault(kind: str, node: Any) -> str | None:
    inside = [child for child in node.named_children if "comment" not in child.type]
    if kind == "empty":
        return None if inside else "an error is caught and nothing is done"
    if kind == "except":
        block = inside[-1] if inside else None
        does = [child.type for child in block.named_children if child.type != "comment"] if block else []
        if does == ["pass_statement"]:
            return "an error is caught and nothing is done"
        return "every exception is caught" if len(inside) == 1 else None
    return {"dropped": "a result is thrown away, an error with it", "panic": "an error ends the program"}.get(kind)


def _twice(facts: Sequence[ChunkFacts]) -> Iterator[tuple[int, int, float]]:
    """Yield pairs of findings with nearly the same lines, and the share of their lines that both contain."""
    lines = [{" ".join(line.split()) for line in one.body.splitlines() if line.strip()} for one in facts]
    for first, one in enumerate(facts):
        for second in range(first + 1, len(facts)):
            if _overlap(one, facts[second]):
                continue
            both, either = lines[first] & lines[second], lines[first] | lines[second]
            same = both == either and bool(both)
            if same or (len(both) >= _FEWEST_LINES and len(both) >= _SAME_SHARE * len(either)):
                yield first, second, len(both) / len(either)


def _overlap(one: ChunkFacts, other: ChunkFacts) -> bool:
    if one.file_path != other.file_path or not one.lines or not other.lines:
        return False
    return one.lines[0] <= other.lines[1] and other.lines[0] <= one.lines[1]
