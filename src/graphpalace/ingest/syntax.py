"""Parses source code with tree-sitter, and gives up where that would take far longer than the text is long."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

# Module and function of each grammar.
_GRAMMARS = {
    "python": ("tree_sitter_python", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "go": ("tree_sitter_go", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "java": ("tree_sitter_java", "language"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
}
_SUFFIXES = {
    "python": (".py", ".pyi", ".pyw"),
    "javascript": (".js", ".jsx", ".mjs", ".cjs"),
    "typescript": (".ts", ".mts", ".cts"),
    "tsx": (".tsx",),
    "go": (".go",),
    "rust": (".rs",),
    "java": (".java",),
    "c": (".c",),
    # The C++ grammar parses nearly all C, and a .h file may be either.
    "cpp": (".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ipp", ".inl"),
}
LANGUAGE_OF_SUFFIX = {suffix: name for name, suffixes in _SUFFIXES.items() for suffix in suffixes}
_CHUNK_BYTES = 1024
# Parsing 1 KiB of real code takes 5 to 30 rounds of the parser, and reads it a few times. What only looks like code,
# such as thousands of comments that never end, is read once for each comment, or takes rounds for each pair of them.
_WORK_PER_CHUNK = 100
_LEAST_WORK = 1000


def syntax_tree(data: bytes, language: str | None) -> Any | None:
    """Return the root node of source code, or None if there is no grammar or parsing takes too much work.

    The work is counted, not timed, so that the same text has the same answer on every machine.

    Args:
        data: The source code in UTF-8.
        language: Name of a grammar.
    """
    if (found := grammar(language)) is None:
        return None
    from tree_sitter import Language, Parser

    left = _LEAST_WORK + _WORK_PER_CHUNK * (len(data) // _CHUNK_BYTES)

    def read(offset: int, _point: Any) -> bytes:
        nonlocal left
        left -= 1
        return data[offset : offset + _CHUNK_BYTES] if left >= 0 else b""

    def stops(_offset: int, _has_error: bool) -> bool:
        nonlocal left
        left -= 1
        return left < 0

    try:
        tree = Parser(Language(found)).parse(read, progress_callback=stops)
    except ValueError:  # it was stopped
        return None
    return tree.root_node if left >= 0 else None


@lru_cache(maxsize=16)
def grammar(language: str | None) -> Any | None:
    """Return the tree-sitter grammar of a language, or None if there is none."""
    if language not in _GRAMMARS:
        return None
    module, function = _GRAMMARS[language]
    return getattr(import_module(module), function)()
