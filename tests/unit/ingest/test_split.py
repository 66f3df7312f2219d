import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.errors import InvalidInput
from graphpalace.ingest.sections import cut, sections_from
from graphpalace.ingest.split import LineIndex, split_section

SMALL = SplitOptions(max_chars=200)
LINES = st.lists(
    st.one_of(
        st.text(max_size=90),
        st.sampled_from(["# Title", "## Part", "def f():", "    return 1", "", "- item", "```", "class A:"]),
    ),
    max_size=40,
)
NEWLINES = st.sampled_from(["\n", "\r\n"])


def without_blanks(text):
    return "".join(text.split())


@pytest.mark.parametrize("kind", ["text", "markdown", "code"])
@settings(max_examples=40, deadline=None)
@given(lines=LINES, newline=NEWLINES)
def test_joining_all_passages_gives_back_the_source_apart_from_blanks(kind, lines, newline):
    text = newline.join(lines)
    passages = split_section(text, 1, (), SMALL, kind=kind, language="python")
    assert without_blanks("".join(passage.text for passage in passages)) == without_blanks(text)


@settings(max_examples=60, deadline=None)
@given(lines=LINES, newline=NEWLINES, cuts=st.lists(st.integers(0, 400), max_size=6))
def test_sections_lose_nothing_either_and_every_passage_stands_at_its_lines(lines, newline, cuts):
    text = newline.join(lines)
    starts = [(offset, (str(offset),)) for offset in sorted({min(offset, len(text)) for offset in cuts})]
    passages = cut(text, sections_from(starts, len(text)), SMALL)
    assert without_blanks("".join(passage.text for passage in passages)) == without_blanks(text)
    source = re.split(r"\r\n|\n|\r", text)
    for passage in passages:
        own = re.split(r"\r\n|\n|\r", passage.text)
        assert len(passage.text) <= 200
        assert passage.text.strip()
        assert passage.text in text
        assert passage.end_line - passage.start_line == len(own) - 1
        assert own[0] in source[passage.start_line - 1]
        assert own[-1] in source[passage.end_line - 1]


@given(text=st.text(alphabet="ab\r\n\u2028\f"))
def test_a_line_ends_at_a_newline_and_nowhere_else(text):
    parts = re.split(r"\r\n|\n|\r", text)
    if len(parts) > 1 and not parts[-1]:
        parts.pop()
    assert len(LineIndex(text)) == len(parts)


def test_lines_count_from_the_line_of_the_section():
    passages = split_section("\n\nfirst\nsecond\n\n", 10, ("A",), SplitOptions())
    assert [(p.text, p.start_line, p.end_line, p.headings) for p in passages] == [("first\nsecond", 12, 13, ("A",))]


def test_a_blank_section_has_no_passages():
    assert split_section(" \n\t\r\n", 1, (), SplitOptions()) == []


def test_paragraphs_are_kept_whole_where_they_fit():
    first, second = "alpha " * 25, "beta " * 25
    passages = split_section(f"{first}\n\n{second}\n", 1, (), SMALL)
    assert [(p.text, p.start_line) for p in passages] == [(first.strip(), 1), (second.strip(), 3)]


def test_the_indentation_of_a_line_stays_with_the_line():
    body = "".join(f"    def method_{name}(self):\n        return '{name * 45}'\n\n" for name in "abc")
    passages = split_section(f"class Long:\n{body}", 1, (), SMALL, kind="code", language="python")
    assert len(passages) > 1
    assert all(p.text.startswith(("class", "    def")) for p in passages)


def test_neighbouring_passages_overlap_when_asked():
    text = " ".join(f"Sentence number {n} is here." for n in range(40))
    passages = split_section(text, 1, (), SplitOptions(max_chars=200, overlap_chars=60))
    assert len(passages) > 5
    for before, after in pairwise(passages):
        assert after.text[:20] in before.text


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("max_chars", 199),
        ("max_chars", 20_001),
        ("max_chars", True),
        ("max_chars", "900"),
        ("overlap_chars", -1),
        ("overlap_chars", 601),
        ("windows", (1,)),
        ("windows", (1000, 100_001)),
        ("windows", tuple(range(2, 11))),
    ],
)
def test_an_option_out_of_range_is_refused_by_name(field, value):
    with pytest.raises(InvalidInput, match=rf"^{field} (is|has) .*; it must (be|have) ") as refused:
        SplitOptions(**{field: value})
    assert refused.value.detail["field"] == field


def test_windows_are_kept_smallest_first_and_once():
    assert SplitOptions(windows=(4000, 1000, 4000)).windows == (1000, 4000)


def test_half_a_surrogate_pair_is_refused():
    with pytest.raises(InvalidInput, match="surrogate"):
        split_section("\ud800", 1, (), SplitOptions())


@pytest.mark.parametrize(
    "text", ["x" * 150_000, "word " * 30_000, "line\r\n" * 25_000, "a = " + "[" * 3000 + "]" * 3000]
)
def test_long_and_deep_texts_lose_nothing(text):
    passages = split_section(text, 1, (), SplitOptions(), kind="code", language="python")
    assert without_blanks("".join(p.text for p in passages)) == without_blanks(text)
    assert all(p.text in text and len(p.text) <= 1200 for p in passages)
