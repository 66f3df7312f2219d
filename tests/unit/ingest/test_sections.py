"""Small pieces are merged into their neighbours, and nothing of the source is lost by it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphpalace.domain.drawers.document import Document
from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.ingest.readers.registry import read
from graphpalace.ingest.sections import is_bare
from graphpalace.ingest.split import split_section

BODY = "The heron waits in the reeds for a fish that swims by. " * 20  # 1,100 characters
PIECES = st.sampled_from(
    [
        "# Title\n", "## Part\n", "\n", "----\n", '<a id="x"></a>\n', "<!-- note -->\n", "- [A](a.md)\n", "Short.\n",
        f"{BODY}\n\n", f"{BODY[:400]}\n\n", "// c\n", "# c\n", "class A:\n", "    def f(self):\n        return 1\n\n",
        "def g():\n    return '" + "x" * 300 + "'\n\n\n", "é\r\n",
    ]
)  # fmt: skip


def document_of(name: str, text: str) -> Document:
    (document,) = read(Path(name), options=SplitOptions(), data=text.encode())
    return document


def without_blanks(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("name", ["a.md", "a.py", "a.js", "a.txt", "a.sh"])
@settings(max_examples=60, deadline=None)
@given(pieces=st.lists(PIECES, max_size=14))
def test_the_drawers_of_a_file_cover_it_word_for_word(name: str, pieces: list[str]) -> None:
    text = "".join(pieces)
    passages = document_of(name, text).passages
    assert without_blanks("".join(passage.text for passage in passages)) == without_blanks(text)
    assert all(passage.text in text and len(passage.text) <= 1200 for passage in passages)


def test_an_anchor_and_a_heading_without_a_body_lead_what_follows() -> None:
    text = f"# A\n\n{BODY}\n\n# B\n\n## B1\n\n{BODY}\n\n" + '<a id="c"></a>\n'
    passages = document_of("a.md", text).passages
    assert [(passage.headings, passage.text.split("\n")[0]) for passage in passages] == [
        (("A",), "# A"),
        (("B", "B1"), "# B"),
    ]
    assert passages[1].text.endswith('<a id="c"></a>')


def test_a_licence_header_is_no_drawer_of_its_own_if_it_fits() -> None:
    licence = "".join(f"# Line {line} of the licence says what you may do with this.\n" for line in range(8))
    passages = document_of("a.py", f"{licence}\nimport os\n\n\ndef f():\n    return os\n").passages
    assert len(passages) == 1
    body = "\n".join(f"    x{line} = os.path.join('{'y' * 60}')" for line in range(13))
    first, second = document_of("a.py", f"{licence}\n\ndef f():\n{body}\n").passages  # too long together
    assert (first.name, second.name) == ("a", "a.f")


def test_a_tiny_rest_is_evened_out_with_the_long_piece_before_it() -> None:
    text = f"{BODY}\n\n{'A short rest that says a little. ' * 5}"
    sizes = [len(passage.text) for passage in split_section(text, 1, (), SplitOptions())]
    assert len(sizes) == 2
    assert min(sizes) >= 200


def test_the_head_of_a_long_class_is_with_its_first_method() -> None:
    methods = "".join(f"    def m{n}(self):\n        return '{'x' * 500}'\n\n" for n in range(4))
    first, *_ = document_of("a.py", f"class Long(object):\n\n{methods}").passages
    assert first.text.startswith("class Long(object):")
    assert first.name == "a.Long.m0"


@pytest.mark.parametrize(
    ("part", "name"),
    [("/* ", "a.md"), ("/* ", "a.js"), ("<!--", "a.md"), ("<!--", "a.py"), ("<a ", "a.md"), ("<a ", "a.js")],
)
def test_a_long_run_of_comments_that_never_end_is_split_like_other_text(part: str, name: str) -> None:
    """Parsed to its end, or asked whether it says anything without its comments, it would take many minutes."""
    passages = document_of(name, part * 30_000).passages
    assert without_blanks("".join(passage.text for passage in passages)) == without_blanks(part * 30_000)


@pytest.mark.parametrize(
    "text",
    [
        "----\n\n* * *\n",
        "## Licence\n",
        "Licence\n=======\n",
        "# A\r\n\r\n## B\r\n",
        '<a id="top"></a>\n<a name="x"/>',
        "<!-- toc\n goes here -->\n## Contents",
        ".. _install:\n",
        "- [Install](install.md)\n- [Use](use.md)\n",
    ],
)
def test_markup_without_a_word_of_its_own_is_bare(text: str) -> None:
    assert is_bare(text, code=False)


@pytest.mark.parametrize("text", ["Yes.", "## FAQ\nYes.", "See [there](a.md).", "#hashtag", "1. first"])
def test_a_short_text_with_words_is_not(text: str) -> None:
    assert not is_bare(text, code=False)


@pytest.mark.parametrize("text", ["# Adds.\n# Twice.\n", "// x\n\n/* Copyright\n * 2020 */\n", "#!/bin/sh\n", "}\n"])
def test_comments_alone_are_bare_in_code(text: str) -> None:
    assert is_bare(text, code=True)


@pytest.mark.parametrize("text", ["x = 1  # one", "#include <a.h>", "#[derive(Debug)]", "# a\nimport b"])
def test_code_is_not(text: str) -> None:
    assert not is_bare(text, code=True)
