"""Reads source code. A section is one top-level definition with the comments and decorators above it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphpalace.domain.document import Document
from graphpalace.ingest.files.languages import LANGUAGE_OF_SUFFIX, grammar
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.sections import cut, sections_from
from graphpalace.ingest.windows import window_passages

_MEDIA_TYPES = {"javascript": "text/javascript"}

# These nodes belong to the definition that follows them.
_LEADING = frozenset({"comment", "line_comment", "block_comment", "attribute_item", "decorator"})

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
        passages = cut(text, sections, source.options, kind="code", language=language)
    media_type = _MEDIA_TYPES.get(language or "", f"text/x-{language}" if language else "text/plain")
    yield source.document(passages, media_type=media_type)


def definitions(text: str, language: str, *, container_chars: int) -> list[tuple[int, tuple[str, ...]]]:
    """Return the offset and the name of each top-level piece of code. The name is empty if it defines none.

    Args:
        text: The source code.
        language: Name of a grammar.
        container_chars: Definitions within namespaces and include guards longer than this are found as well.
    """
    from tree_sitter import Language, Parser

    data = text.encode()
    root = Parser(Language(grammar(language))).parse(data).root_node
    marks: list[tuple[int, tuple[str, ...]]] = []
    leading: Any = None
    end_row = last_leading_row = -1
    for node in _units(root, container_chars):
        row = node.start_point.row
        if row <= end_row:  # on the last line of the previous piece: its comment, or a second statement
            end_row = max(end_row, node.end_point.row)
            continue
        if leading is not None and row > last_leading_row + 1:
            marks.append((leading.start_byte, ()))
            leading = None
        if node.type in _LEADING:
            leading = leading or node
            last_leading_row = _last_row(node)
            continue
        marks.append(((leading or node).start_byte, _name(node)))
        leading = None
        end_row = _last_row(node)
    if leading is not None:
        marks.append((leading.start_byte, ()))
    return list(_characters(data, marks))


def _units(node: Any, container_chars: int) -> Iterator[Any]:
    for child in node.children:
        if child.type in _CONTAINERS and child.end_byte - child.start_byte > container_chars:
            yield from _units(child, container_chars)
        else:
            yield child


def _last_row(node: Any) -> int:
    # Some nodes include the newline after them.
    return node.end_point.row - (1 if node.end_point.column == 0 and node.end_point.row > node.start_point.row else 0)


def _name(node: Any) -> tuple[str, ...]:
    if node.type not in _DEFINITIONS:
        return ()
    for _ in range(8):
        named = node.child_by_field_name("name")
        if named is not None:
            return (named.text.decode(errors="replace"),)
        inner = next((found for field in _INNER_FIELDS if (found := node.child_by_field_name(field))), None)
        inner = inner or next((child for child in node.children if child.type in _INNER_TYPES), None)
        if inner is None:
            break
        node = inner
    return (node.text.decode(errors="replace"),) if node.type.endswith("identifier") else ()


def _characters(data: bytes, marks: list[tuple[int, tuple[str, ...]]]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Convert the offsets of marks from bytes to characters, and move each to the start of its line."""
    byte = character = 0
    for start, name in marks:
        line = max(data.rfind(b"\n", 0, start), data.rfind(b"\r", 0, start)) + 1
        begin = start if data[line:start].strip() else line
        character += len(data[byte:begin].decode())
        byte = begin
        yield character, name
