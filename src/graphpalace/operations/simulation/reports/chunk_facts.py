"""What the text of a finding tells without a language model: its purpose, imports, and what may need repair."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from graphpalace.domain.simulation.simulations import CorpusDocument
from graphpalace.ingest.readers.code import definitions
from graphpalace.ingest.syntax import LANGUAGE_OF_SUFFIX, grammar

_HEADER = re.compile(r"# file: (?P<path>.+) \| lines: (?P<first>\d+)-(?P<last>\d+) \| window: \d+(?:\r\n|\n|\r|$)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")
_HEADING = re.compile(r"#{1,6} +(.+?)[ #]*$")
_STRING = re.compile(r"[a-zA-Z]{0,2}(\"\"\"|'''|\"|')(.*)\1", re.DOTALL)
_COMMENT_MARKS = re.compile(r"^\s*(?:/\*+!?|\*+/|\*|//[/!]?|#+)?\s?|\s*\*+/\s*$", re.MULTILINE)
_NO_PURPOSE = re.compile(r"^#!|-\*-|copyright|licen[sc]e|spdx|eslint|noqa|pylint", re.IGNORECASE)
_BEFORE_CODE = re.compile(r"comment|import|package|use_declaration|preproc_include|extern_crate")
_BRACKET = re.compile(r"[()\[\]{}]")
_SENTENCE_CHARS = 200
_MAX_NESTING = 200  # the time of a tree-sitter query grows with the square of the nesting depth
_SHOWN_NAMES = 5

_JAVASCRIPT = """
(import_statement source: (string (string_fragment) @used))
(export_statement source: (string (string_fragment) @used))
((call_expression function: (identifier) @f arguments: (arguments . (string (string_fragment) @used)))
 (#eq? @f "require"))
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @used)))
"""
_TYPESCRIPT = _JAVASCRIPT + "(import_require_clause source: (string (string_fragment) @used))"
_IMPORTS = {
    "python": """
        (import_statement name: (dotted_name) @used)
        (import_statement name: (aliased_import name: (dotted_name) @used))
        (import_from_statement module_name: (_) @used)""",
    "javascript": _JAVASCRIPT,
    "typescript": _TYPESCRIPT,
    "tsx": _TYPESCRIPT,
    "go": "(import_spec path: (_) @used)",
    "rust": "(use_declaration argument: (_) @used) (extern_crate_declaration name: (identifier) @used)",
    "java": "(import_declaration (scoped_identifier) @used)",
    "c": "(preproc_include path: (_) @used)",
    "cpp": "(preproc_include path: (_) @used)",
}


@dataclass(frozen=True, slots=True)
class ChunkFacts:
    """Facts about a document's text.

    Attributes:
        body: The text without its header line.
        lines: First and last line in the file, counted from 1; None if they are unknown.
        file_type: The language if there is a grammar for it, or else the suffix of the file, its media type, or `text`.
        language: Name of the tree-sitter grammar; None if there is none, or if brackets nest deeper than 200.
        purpose: A sentence about what the text is for.
        dependencies: What the text imports, in the order of the text.
    """

    body: str
    file_path: str
    lines: tuple[int, int] | None
    file_type: str
    language: str | None
    purpose: str
    dependencies: list[str]

    @property
    def line_range(self) -> str:
        """First and last line, such as `10-20`; empty if they are unknown."""
        return f"{self.lines[0]}-{self.lines[1]}" if self.lines else ""

    @property
    def label(self) -> str:
        """Path and lines, such as `a.py:10-20`."""
        return f"{self.file_path}:{self.line_range}" if self.lines else self.file_path


def facts_of(document: CorpusDocument) -> ChunkFacts:
    """Return the facts in a document's header, metadata and text."""
    metadata, body = document.metadata, document.content
    path, lines = _path(document), _lines(metadata)
    if header := _HEADER.match(body):
        path, lines = header["path"], (int(header["first"]), int(header["last"]))
        body = body[header.end() :]
    suffix = PurePosixPath(path).suffix.lower()
    known = LANGUAGE_OF_SUFFIX.get(suffix)
    language = known if known and _depth(body) <= _MAX_NESTING else None
    file_type = known or suffix[1:] or str(metadata.get("media_type") or "text")
    purpose = _code_purpose(body, language) if language else _text_purpose(body)
    return ChunkFacts(body, path, lines, file_type, language, purpose, _dependencies(body, language))


def found_nodes(text: str, language: str, query: str) -> Iterator[tuple[str, Any]]:
    """Yield the name and the node of each capture of a tree-sitter query, in the order of the text."""
    from tree_sitter import QueryCursor

    captures = QueryCursor(_query(language, query)).captures(_root(text, language))
    yield from sorted(
        ((name, node) for name, nodes in captures.items() for node in nodes), key=lambda found: found[1].start_byte
    )


@lru_cache(maxsize=64)
def _query(language: str, query: str) -> Any:
    from tree_sitter import Language, Query

    return Query(Language(grammar(language)), query)


@lru_cache(maxsize=16)  # most findings occur again in the next report
def _root(text: str, language: str) -> Any:
    from tree_sitter import Language, Parser

    return Parser(Language(grammar(language))).parse(text.encode(errors="replace")).root_node


def _depth(text: str) -> int:
    """Return the nesting depth of brackets."""
    return max(accumulate(1 if found in "([{" else -1 for found in _BRACKET.findall(text)), default=0)


def _path(document: CorpusDocument) -> str:
    uri = urlsplit(str(document.metadata.get("source_uri") or ""))
    return unquote(uri.path) if uri.scheme == "file" and uri.path else document.path


def _lines(metadata: Any) -> tuple[int, int] | None:
    first, last = metadata.get("start_line"), metadata.get("end_line")
    return (first, last) if isinstance(first, int) and isinstance(last, int) else None


def _dependencies(body: str, language: str | None) -> list[str]:
    if language not in _IMPORTS:
        return []
    nodes = found_nodes(body, language, _IMPORTS[language])
    found = (node.text.decode(errors="replace").strip("\"'<>") for name, node in nodes if name == "used")
    if language == "rust":  # the path, without the list of names or the alias at its end
        found = (re.split(r"::\{|::\*| as ", path)[0] for path in found)
    return list(dict.fromkeys(path for path in found if path))


def _code_purpose(body: str, language: str) -> str:
    root = _root(body, language)
    sentence = _sentence(_docstring(root) if language == "python" else "") or _sentence(_first_comment(root))
    names = [name for _, heading in definitions(body, language, container_chars=0) for name in heading]
    parts = [sentence] if sentence else []
    if names:
        more = len(names) - _SHOWN_NAMES
        shown = ", ".join(names[:_SHOWN_NAMES]) + (f" and {more} more" if more > 0 else "")
        parts.append(f"Defines {shown}.")
    return " ".join(parts) or "Code without a definition, docstring or leading comment."


def _docstring(root: Any) -> str:
    """Return the docstring of a Python module, or else of its first function or class."""
    blocks = [root]
    for child in root.named_children:
        inner = child.child_by_field_name("definition") or child
        if inner.type in ("function_definition", "class_definition"):
            blocks.append(inner.child_by_field_name("body"))
            break
    for block in blocks:
        first = next((child for child in block.named_children if child.type != "comment"), None) if block else None
        string = first.named_children[0] if first and first.type == "expression_statement" else None
        if string is not None and string.type == "string":
            found = _STRING.fullmatch(string.text.decode(errors="replace"))
            return found[2] if found else ""
    return ""


def _first_comment(root: Any) -> str:
    """Return the first comment before the code that is neither a licence nor an instruction to a tool."""
    block, last_row = "", -1
    for child in root.children:
        if not _BEFORE_CODE.search(child.type):
            break
        if "comment" not in child.type:
            continue
        if child.start_point.row > last_row + 1 and block and not _NO_PURPOSE.search(block):
            break
        text = child.text.decode(errors="replace")
        block = f"{block}\n{text}" if child.start_point.row <= last_row + 1 else text
        last_row = child.end_point.row - (child.end_point.column == 0)
    return "" if _NO_PURPOSE.search(block) else _COMMENT_MARKS.sub("", block)


def _text_purpose(body: str) -> str:
    heading, prose = "", []
    for line in body.splitlines():
        if not prose and (found := _HEADING.match(line.strip())):
            heading = heading or found[1]
        elif line.strip():
            prose.append(line)
        elif prose:
            break
    return ": ".join(part for part in (heading, _sentence("\n".join(prose))) if part)


def _sentence(text: str) -> str:
    paragraph = " ".join(re.split(r"\n\s*\n", text.strip(), maxsplit=1)[0].split())
    sentence = _SENTENCE_END.split(paragraph, maxsplit=1)[0]
    return sentence if len(sentence) <= _SENTENCE_CHARS else sentence[: _SENTENCE_CHARS - 1] + "…"


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
