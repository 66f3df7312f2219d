"""What is read from the text of a finding."""

from __future__ import annotations

import pytest

from graphpalace.domain.simulation.simulations import CorpusDocument
from graphpalace.operations.simulation.reports.chunk_facts import facts_of


def _facts(content: str, path: str, **metadata: object):
    return facts_of(CorpusDocument("id", content, path, metadata))


def test_the_header_of_a_window_gives_path_and_lines_and_is_no_part_of_the_text() -> None:
    facts = _facts("# file: src/a.py | lines: 7-9 | window: 40\nx = 1\n", "other")
    assert (facts.file_path, facts.line_range, facts.body, facts.label) == (
        "src/a.py",
        "7-9",
        "x = 1\n",
        "src/a.py:7-9",
    )


def test_a_drawer_has_lines_and_file_from_its_facts() -> None:
    facts = _facts(
        "Bread.", "food / bread / notes.md", start_line=3, end_line=4, source_uri="file:///home/my%20notes.md"
    )
    assert (facts.file_path, facts.line_range, facts.file_type) == ("/home/my notes.md", "3-4", "md")


def test_a_drawer_without_a_file_stands_where_the_palace_says() -> None:
    facts = _facts("Bread.", "food / bread / notes", source_uri="notes:bread", media_type="text/plain")
    assert (facts.file_path, facts.line_range, facts.file_type) == ("food / bread / notes", "", "text/plain")


@pytest.mark.parametrize(
    ("path", "text", "imports"),
    [
        ("a.py", "import a.b, c as d\nfrom .x import y\ndef g():\n    import z\n", ["a.b", "c", ".x", "z"]),
        ("a.js", "import x from './x';\nexport * from 'y';\nconst z = require('z');\nsay('no')", ["./x", "y", "z"]),
        ("a.ts", "import type {A} from '@a/b'; import k = require('k')", ["@a/b", "k"]),
        ("a.tsx", "import React from 'react'", ["react"]),
        ("a.go", 'package a\nimport (\n "fmt"\n x "a/b"\n)', ["fmt", "a/b"]),
        ("a.rs", "use std::io::{Read, Write};\nuse a::b as c;\nextern crate k;", ["std::io", "a::b", "k"]),
        ("A.java", "import java.util.List;\nimport static a.b.*;", ["java.util.List", "a.b"]),
        ("a.c", '#include <stdio.h>\n#include "x.h"\n', ["stdio.h", "x.h"]),
        ("a.cpp", "#include <vector>\n", ["vector"]),
        ("a.md", "import a\n", []),
    ],
)
def test_the_imports_of_each_language_are_found(path: str, text: str, imports: list[str]) -> None:
    assert _facts(text, path).dependencies == imports


@pytest.mark.parametrize(
    ("path", "text", "purpose"),
    [
        ("a.py", '"""Bake bread. Slowly."""\n\ndef knead():\n    pass\n', "Bake bread. Defines knead."),
        ("a.py", '@once\ndef knead():\n    """Knead\n    the dough."""\n', "Knead the dough. Defines knead."),
        ("a.py", "x = 1\n", "Code without a definition, docstring or leading comment."),
        ("a.go", "// Copyright A\n\n// Package b bakes. It is old.\npackage b\n", "Package b bakes."),
        ("A.java", "/**\n * Bakes bread.\n */\nclass A {}\n", "Bakes bread. Defines A."),
        ("a.rs", "//! Bakes\n//! bread.\nfn f() {}\n", "Bakes bread. Defines f."),
        ("a.md", "# Bread\n\nKnead the dough. Wait.\n", "Bread: Knead the dough."),
        ("a", "Knead the dough. Wait.", "Knead the dough."),
        ("a", "", ""),
    ],
)
def test_the_purpose_is_what_the_text_itself_says(path: str, text: str, purpose: str) -> None:
    assert _facts(text, path).purpose == purpose


def test_code_nested_beyond_reason_is_read_as_text() -> None:
    facts = _facts("{" * 300_000, "a.js")
    assert (facts.file_type, facts.language, facts.dependencies) == ("javascript", None, [])


def test_code_cut_anywhere_can_be_read() -> None:
    facts = _facts('# file: a.py | lines: 5-6 | window: 2\n        return x)\n"""\nclass', "a.py")
    assert facts.line_range == "5-6"
