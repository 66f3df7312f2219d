"""Programming languages with a grammar, by file suffix."""

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


@lru_cache(maxsize=16)
def grammar(language: str | None) -> Any | None:
    """Return the tree-sitter grammar of a language, or None if there is none."""
    if language not in _GRAMMARS:
        return None
    module, function = _GRAMMARS[language]
    return getattr(import_module(module), function)()
