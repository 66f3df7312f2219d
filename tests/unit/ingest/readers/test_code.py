from pathlib import Path

import pytest

from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.ingest.readers.code import definitions, line_ranges, window_passages
from graphpalace.ingest.readers.registry import read
from graphpalace.ingest.syntax import grammar

SMALL = SplitOptions(max_chars=200)
SOURCES = {
    "python": (
        """\
import os
import re


# Adds.
# Twice.
@cached
def add(a):  # here
    return a


class Box:
    x = 1


TOP = 1
""",
        [(1, ()), (2, ()), (5, ("add",)), (12, ("Box",)), (16, ())],
    ),
    "javascript": (
        """\
import a from 'a';

// Adds.
function add(a) {
  return a;
}

export class Box {}
const f = () => 1;
""",
        [(1, ()), (3, ("add",)), (8, ("Box",)), (9, ("f",))],
    ),
    "typescript": (
        """\
import a from 'a';
interface Shape { x: number }
/** Doc. */
export type Id = string;
enum E { A }
""",
        [(1, ()), (2, ("Shape",)), (3, ("Id",)), (5, ("E",))],
    ),
    "tsx": (
        """\
const a = 1;
function View() {
  return <div/>;
}
""",
        [(1, ("a",)), (2, ("View",))],
    ),
    "go": (
        """\
package main

import "fmt"

// Add adds.
func Add(a int) int {
\treturn a
}

type Box struct {
\tX int
}

func (b Box) Get() int { return b.X }
""",
        [(1, ()), (3, ()), (5, ("Add",)), (10, ("Box",)), (14, ("Box", "Get"))],
    ),
    "rust": (
        """\
use std::fmt;

/// Adds.
#[inline]
pub fn add(a: i32) -> i32 {
    a
}

struct Box2;

impl Box2 {
    fn get(&self) {}
}
""",
        [(1, ()), (3, ("add",)), (9, ("Box2",)), (11, ("Box2",))],
    ),
    "java": (
        """\
package a;

import java.util.List;

/** A box. */
@Deprecated
public class Box {
  int x;
}

interface Shape {}
""",
        [(1, ()), (3, ()), (5, ("Box",)), (11, ("Shape",))],
    ),
    "c": (
        """\
#include <stdio.h>

/* Adds. */
int add(int a) {
  return a;
}

struct box { int x; };

static char *name(void) { return 0; }
""",
        [(1, ()), (3, ("add",)), (8, ("box",)), (10, ("name",))],
    ),
    "cpp": (
        """\
#include <a>

// Adds.
int add(int a) { return a; }

class Box {
  int x;
};

template <class T>
T same(T t) { return t; }
""",
        [(1, ()), (3, ("add",)), (6, ("Box",)), (10, ("same",))],
    ),
}


@pytest.mark.parametrize("language", SOURCES)
def test_top_level_definitions_begin_at_their_comments_and_decorators(language):
    text, expected = SOURCES[language]
    starts = definitions(text, language, container_chars=1200)
    assert [(text.count("\n", 0, offset) + 1, name) for offset, name in starts] == expected


def test_a_language_without_a_grammar_has_none():
    assert grammar("cobol") is None
    assert grammar(None) is None


def test_a_comment_apart_from_a_definition_stands_alone():
    text = "# License.\n\nimport os\n"
    assert [offset for offset, _ in definitions(text, "python", container_chars=1200)] == [0, 12]


def test_offsets_are_in_characters_where_the_source_is_not_ascii():
    text = 'a = "日本語 é"\n\ndef f():\n    pass\n'
    assert definitions(text, "python", container_chars=1200)[1] == (text.index("def"), ("f",))


def test_an_include_guard_is_looked_into_when_it_is_long():
    text = "#ifndef A_H\n#define A_H\nint one(int a);\n\nint two(int a) {\n  return a;\n}\n#endif\n"
    assert len(definitions(text, "cpp", container_chars=1200)) == 1
    assert ("two",) in [name for _, name in definitions(text, "cpp", container_chars=20)]


def test_imports_are_joined_and_each_long_function_is_a_passage_of_its_own():
    functions = "".join(f"def f{n}():\n    return '{'x' * 120}'\n\n\n" for n in range(3))
    data = f"import a\nimport b\nimport c\n\n\n{functions}".encode()
    (document,) = read(Path("m.py"), options=SMALL, data=data)
    assert [(p.headings, p.start_line, p.end_line) for p in document.passages] == [
        (("f0",), 1, 7),
        (("f1",), 10, 11),
        (("f2",), 14, 15),
    ]
    assert document.title == "m.py"
    assert document.media_type == "text/x-python"


def test_a_long_class_is_divided_into_its_methods_which_have_its_name():
    methods = "".join(f"    def m{n}(self):\n        return '{'x' * 100}'\n\n" for n in range(4))
    (document,) = read(Path("m.py"), options=SMALL, data=f"class Long:\n{methods}".encode())
    assert len(document.passages) == 4
    assert [p.headings for p in document.passages] == [("Long", f"m{n}") for n in range(4)]
    assert [p.name for p in document.passages] == [f"m.Long.m{n}" for n in range(4)]
    assert all(p.text.startswith(("class Long", "    def m")) for p in document.passages)


@pytest.mark.parametrize("suffix", [".py", ".js", ".ts", ".tsx", ".go", ".rs", ".java", ".c", ".h", ".cpp"])
def test_code_that_does_not_parse_loses_nothing(suffix):
    text = "def ((( {{{ class\r\n" * 30 + "} end é\r\n"
    (document,) = read(Path(f"m{suffix}"), options=SMALL, data=text.encode())
    assert "".join("".join(p.text for p in document.passages).split()) == "".join(text.split())
    assert all(p.text in text for p in document.passages)


def test_code_without_a_grammar_is_cut_by_lines():
    text = "SELECT 1;\n" * 40
    (document,) = read(Path("q.sql"), options=SMALL, data=text.encode())
    assert all(p.text.startswith("SELECT") and p.text.endswith(";") for p in document.passages)
    assert document.passages[-1].end_line == 40


def numbered(count, newline="\n"):
    return "".join(f"line {number}{newline}" for number in range(1, count + 1))


def test_windows_of_four_lines_over_ten_begin_every_two_lines():
    assert list(line_ranges(10, 4)) == [(1, 4), (3, 6), (5, 8), (7, 10)]


def test_the_last_window_is_short_where_the_lines_run_out():
    assert list(line_ranges(9, 4)) == [(1, 4), (3, 6), (5, 8), (7, 9)]


def test_a_file_shorter_than_the_window_is_one_window():
    assert list(line_ranges(3, 4)) == [(1, 3)]


def test_several_scales_each_with_the_header_of_the_seed():
    passages = window_passages(numbered(6), "src/a.py", (4, 8, 16))
    assert [p.text.split("\n")[0] for p in passages] == [
        "# file: src/a.py | lines: 1-4 | window: 4",
        "# file: src/a.py | lines: 3-6 | window: 4",
        "# file: src/a.py | lines: 1-6 | window: 8",
    ]
    assert [(p.start_line, p.end_line) for p in passages] == [(1, 4), (3, 6), (1, 6)]


def test_what_follows_the_header_is_the_source_verbatim():
    source = numbered(4, "\r\n") + "no newline at the end"
    (passage,) = window_passages(source, "a.py", (10,))
    assert passage.text.split("\n", 1)[1] == source


def test_a_short_file_is_made_once_for_all_windows():
    assert len(window_passages(numbered(900), "a.py", (1000, 2000, 4000))) == 1


def test_fifteen_hundred_lines_at_the_scales_of_the_seed():
    passages = window_passages(numbered(1500), "a.py", (1000, 2000, 4000))
    assert [(p.start_line, p.end_line) for p in passages] == [(1, 1000), (501, 1500), (1, 1500)]


def test_an_empty_file_has_no_windows():
    assert window_passages("", "a.py", (10,)) == ()


def test_code_is_cut_into_windows_when_the_options_name_some():
    options = SplitOptions(windows=(4,))
    data = numbered(6).encode()
    (document,) = read(Path("a.py"), options=options, data=data, folders=("pkg", "sub"))
    assert document.passages[0].text.startswith("# file: pkg/sub/a.py | lines: 1-4 | window: 4\nline 1\n")
    (prose,) = read(Path("a.md"), options=options, data=data)
    assert not prose.passages[0].text.startswith("# file:")
