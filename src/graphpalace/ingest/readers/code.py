"""Reads source code: definitions, which tree-sitter finds, as sections, or overlapping windows of lines.

A section is one top-level definition, or one member of a long class, with the comments and decorators above it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphpalace.domain.drawers.document import Document, Passage
from graphpalace.domain.drawers.drawer_text import code_name
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.sections import cut, sections_from
from graphpalace.ingest.split import LineIndex
from graphpalace.ingest.syntax import LANGUAGE_OF_SUFFIX, syntax_tree

# These nodes belong to the definition that follows them.
_LEADING = frozenset({"comment", "line_comment", "block_comment", "attribute_item", "decorator"})

# Long ones of these are divided into their members.
_CLASSES = frozenset(
    {
        "abstract_class_declaration",
        "annotation_type_declaration",
        "class_declaration",
        "class_definition",
        "class_specifier",
        "enum_declaration",
        "impl_item",
        "interface_declaration",
        "mod_item",
        "record_declaration",
        "struct_specifier",
        "trait_item",
    }
)

# These nodes only enclose definitions, as include guards and namespaces do.
_CONTAINERS = frozenset(
    {"preproc_ifdef", "preproc_if", "namespace_definition", "linkage_specification", "declaration_list"}
)

_DEFINITIONS = frozenset(
    {
        "abstract_class_declaration",
        "annotation_type_declaration",
        "class_declaration",
        "class_definition",
        "class_specifier",
        "const_item",
        "constructor_declaration",
        "decorated_definition",
        "enum_declaration",
        "enum_item",
        "enum_specifier",
        "export_statement",
        "function_declaration",
        "function_definition",
        "function_item",
        "function_signature_item",
        "generator_function_declaration",
        "impl_item",
        "interface_declaration",
        "lexical_declaration",
        "macro_definition",
        "method_declaration",
        "method_definition",
        "mod_item",
        "record_declaration",
        "static_item",
        "struct_item",
        "struct_specifier",
        "template_declaration",
        "trait_item",
        "type_alias_declaration",
        "type_declaration",
        "type_definition",
        "type_item",
        "union_item",
        "union_specifier",
    }
)

# Fields and children that lead from a definition to the node that has its name.
_INNER_FIELDS = ("declaration", "definition", "declarator", "type")
_INNER_TYPES = frozenset({"type_spec", "variable_declarator", "function_definition", "class_specifier"})


def definitions(text: str, language: str, *, container_chars: int) -> list[tuple[int, tuple[str, ...]]]:
    """Return the offset and the name of each piece of code: of a top-level definition, or of a member of a long class.

    A name has the names of all classes around the definition, outermost first. It is empty outside of definitions. A
    text that is too much work to parse has none.

    Args:
        text: The source code.
        language: Name of a grammar.
        container_chars: Longer classes, namespaces and include guards are divided into their members.
    """
    data = text.encode()
    root = syntax_tree(data, language)
    if root is None:
        return []
    marks: list[tuple[int, tuple[str, ...]]] = []
    leading: _Unit | None = None
    end_row = last_leading_row = -1
    for unit in _units(root, container_chars, ()):
        if unit.row <= end_row:  # on the last line of the previous piece: its comment, or a second statement
            end_row = max(end_row, unit.last_row)
            continue
        if leading is not None and unit.row > last_leading_row + 1:
            marks.append((leading.start, leading.name))
            leading = None
        if unit.leads:
            # A comment and the head of a class without members are one piece, named by the class.
            leading = replace(leading, name=leading.name or unit.name) if leading else unit
            last_leading_row = unit.last_row
            continue
        marks.append(((leading or unit).start, unit.name))
        leading = None
        end_row = unit.last_row
    if leading is not None:
        marks.append((leading.start, leading.name))
    return list(_characters(data, marks))


@dataclass(frozen=True, slots=True)
class _Unit:
    """A node that is not divided, or the head of a class that is.

    Attributes:
        start: Its first byte.
        row, last_row: Its first and last row, from 0.
        name: Of itself and of the classes around it, outermost first.
        leads: Whether it belongs to what follows it.
    """

    start: int
    row: int
    last_row: int
    name: tuple[str, ...]
    leads: bool = False


def _units(node: Any, container_chars: int, scope: tuple[str, ...]) -> Iterator[_Unit]:
    for child in node.named_children:
        is_long = child.end_byte - child.start_byte > container_chars
        row = child.start_point.row
        name = (*scope, *_name(child))
        if is_long and child.type in _CONTAINERS:
            yield from _units(child, container_chars, scope)
        elif is_long and name != scope and (body := _class_body(child)) is not None:
            first = body.start_point.row
            yield _Unit(
                child.start_byte, row, first if body.text.startswith(b"{") else max(row, first - 1), name, leads=True
            )
            yield from _units(body, container_chars, name)
        else:
            yield _Unit(child.start_byte, row, _last_row(child), name, child.type in _LEADING)


def _class_body(node: Any) -> Any:
    """Return the members of a class, which may be decorated, exported or a template; None for other nodes."""
    for _ in range(3):
        if node.type in _CLASSES:
            return node.child_by_field_name("body")
        inner = node.child_by_field_name("definition") or node.child_by_field_name("declaration")
        node = inner or next((child for child in node.named_children if child.type in _CLASSES), None)
        if node is None:
            return None
    return None


def _last_row(node: Any) -> int:
    # Some nodes include the newline after them.
    return node.end_point.row - (1 if node.end_point.column == 0 and node.end_point.row > node.start_point.row else 0)


def _name(node: Any) -> tuple[str, ...]:
    if node.type not in _DEFINITIONS:
        return ()
    receiver = node.child_by_field_name("receiver")  # of a method in Go
    owner = () if receiver is None else tuple(found.text.decode(errors="replace") for found in _first_type(receiver))
    for _ in range(8):
        named = node.child_by_field_name("name")
        if named is not None:
            return (*owner, named.text.decode(errors="replace"))
        inner = next((found for field in _INNER_FIELDS if (found := node.child_by_field_name(field))), None)
        inner = inner or next((child for child in node.children if child.type in _INNER_TYPES), None)
        if inner is None:
            break
        node = inner
    return (node.text.decode(errors="replace"),) if node.type.endswith("identifier") else ()


def _first_type(node: Any) -> list[Any]:
    if node.type == "type_identifier":
        return [node]
    return next((found for child in node.named_children if (found := _first_type(child))), [])


def _characters(data: bytes, marks: list[tuple[int, tuple[str, ...]]]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Convert the offsets of marks from bytes to characters, and move each to the start of its line."""
    byte = character = 0
    for start, name in marks:
        line = max(data.rfind(b"\n", 0, start), data.rfind(b"\r", 0, start)) + 1
        begin = start if data[line:start].strip() else line
        character += len(data[byte:begin].decode())
        byte = begin
        yield character, name


_MEDIA_TYPES = {"javascript": "text/javascript"}


def read_code(source: Source) -> Iterator[Document]:
    """Yield the one document of a source file, split at its definitions, or into windows if the options set windows.

    The heading of a definition is its name. Code with syntax errors is split as well as its syntax tree allows.

    Raises:
        UnreadableDocument: If the file is binary.
    """
    text = source.text()
    language = LANGUAGE_OF_SUFFIX.get(source.path.suffix.lower())
    if source.options.windows:
        passages = window_passages(text, source.relative_path, source.options.windows)
    elif language is None:
        passages = cut(text, sections_from((), len(text)), source.options)
    else:
        starts = definitions(text, language, container_chars=source.options.max_chars)
        sections = sections_from(starts, len(text))
        cuts = cut(text, sections, source.options, kind="code", language=language)
        passages = tuple(_named(cuts, _module(source), text, starts))
    yield source.document(passages, media_type=code_media_type(source.path))


def code_media_type(path: Path) -> str:
    """Return the media type of the document of a source file."""
    language = LANGUAGE_OF_SUFFIX.get(path.suffix.lower())
    return _MEDIA_TYPES.get(language or "", f"text/x-{language}" if language else "text/plain")


def _module(source: Source) -> str:
    """Return the name of a file without its suffix; for `__init__.py` and the like, that of its folder."""
    packages = {"__init__", "index", "mod", "lib", "main"}
    return source.relative_path.split("/")[-2] if source.stem in packages and source.folders else source.stem


def _named(
    passages: Sequence[Passage], module: str, text: str, starts: Sequence[tuple[int, tuple[str, ...]]]
) -> Iterator[Passage]:
    """Yield the passages with their names: of what begins in each, and of what it goes on with."""
    lines = LineIndex(text)
    at = [lines.at(offset) for offset, _ in starts]
    for passage in passages:
        first, after = bisect_left(at, passage.start_line), bisect_right(at, passage.end_line)
        goes_on = first > 0 and at[first : first + 1] != [passage.start_line]
        parts = [name for _, name in starts[first - goes_on : after] if name]
        yield replace(passage, name=code_name(module, parts))


def line_ranges(lines: int, window: int) -> Iterator[tuple[int, int]]:
    """Yield first and last line, 1-based and inclusive, of each window over a file.

    Each window starts half a window after the previous one. The last window is the first that reaches the end.

    >>> list(line_ranges(9, 4))
    [(1, 4), (3, 6), (5, 8), (7, 9)]
    """
    for start in range(1, lines + 1, max(1, window // 2)):
        end = min(start + window - 1, lines)
        yield start, end
        if end == lines:
            return


def window_passages(text: str, relative_path: str, windows: Sequence[int]) -> tuple[Passage, ...]:
    """Return one passage for each window, the smallest windows first.

    The first line of each passage is the header `# file: REL | lines: A-B | window: W`; the rest is the source
    verbatim. If windows of several sizes cover the same lines, as in a short file, only the smallest is used. Blank
    windows are left out.

    Args:
        text: The source.
        relative_path: Its path below the ingested root, with `/`.
        windows: Sizes in lines, each >= 1.
    """
    lines = LineIndex(text)
    made: set[tuple[int, int]] = set()
    passages: list[Passage] = []
    for window in sorted(set(windows)):
        for first, last in line_ranges(len(lines), window):
            end = lines.start(last + 1) if last < len(lines) else len(text)
            body = text[lines.start(first) : end]
            if (first, last) in made or not body.strip():
                continue
            made.add((first, last))
            header = f"# file: {relative_path} | lines: {first}-{last} | window: {window}\n"
            passages.append(Passage(text=header + body, start_line=first, end_line=last))
    return tuple(passages)
