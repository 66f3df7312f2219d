import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.ingest.readers.registry import read

OPTIONS = SplitOptions(max_chars=300)
HEAD = ["boat", "length in m", "harbour"]
ROWS = [[f"boat {n}", f"{n % 9}.5", ["Brest", "Oslo, north", "Turku"][n % 3]] for n in range(60)]


def one(name, text, options=OPTIONS):
    data = text if isinstance(text, bytes) else text.encode()
    (document,) = read(Path(name), options=options, data=data)
    return document


def written(rows, **form):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", **form).writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.csv", {}),
        ("a.csv", {"delimiter": ";"}),
        ("a.csv", {"delimiter": "\t"}),
        ("a.psv", {"delimiter": "|"}),
        ("a.tsv", {"delimiter": "\t"}),
        ("a.csv", {"quoting": csv.QUOTE_ALL}),
    ],
)
def test_each_passage_of_a_table_has_the_names_of_its_columns(name, form):
    text = written([HEAD, *ROWS], **form)
    document = one(name, text)
    lines = text.split("\n")
    assert len(document.passages) >= 5
    assert document.media_type == ("text/tab-separated-values" if name == "a.tsv" else "text/csv")
    for passage in document.passages:
        first, *rows = passage.text.split("\n")
        assert first == lines[0]
        assert len(passage.text) <= 300
        own = lines[passage.start_line - 1 : passage.end_line]
        assert rows == [line for line in own if line != first]


def test_a_row_with_newlines_stays_whole_and_has_its_lines():
    rows = [[f"boat {n}", "red\nand\nblue", "x" * 60] for n in range(6)]
    passages = one("a.csv", written([["boat", "paint", "remark"], *rows])).passages
    assert all(
        p.text.count('"red\nand\nblue"') == (p.end_line - p.start_line + (p.start_line > 1)) // 3 for p in passages
    )
    assert len(passages) > 1
    assert passages[-1].end_line == 19


@pytest.mark.parametrize(
    "rows",
    [
        [["2026-03-01", "12,50", "rope"], ["2026-03-02", "7,00", "tar"], ["2026-03-02", "7,10", "oak"]],
        [["Ida", "ida@example.org", "Oslo"], ["Per", "per@example.org", "Turku"], ["Ola", "ola@example.org", "Oslo"]],
        [["red", "boat", "north"], ["red", "ship", "north"], ["blue", "raft", "south"]],
    ],
)
def test_a_table_without_a_head_repeats_no_row(rows):
    text = written(rows[:1] + rows[1:] * 20, delimiter=";")
    passages = one("a.csv", text).passages
    assert len(passages) > 1
    assert sum(p.text.count(rows[0][1]) for p in passages) == text.count(rows[0][1])


@pytest.mark.parametrize(
    "head", [["country", "1990", "1991"], ["", "mean", "share"], ["key", "value of it", "note"], ["id", "x1", "x2"]]
)
def test_names_of_columns_are_told_from_values(head):
    text = written([head, *([f"c{n}", str(n), f"{n}.5"] for n in range(60))])
    assert all(p.text.startswith(",".join(head)) for p in one("a.csv", text).passages)


def test_what_stands_above_the_head_belongs_to_the_first_passage():
    for above in ("Boats of 2026\n\n", "sep=;\r\n"):
        first, *others = one("a.csv", above + written([HEAD, *ROWS], delimiter=";")).passages
        assert first.text.startswith(f"{above.strip()}")
        assert "boat;length in m;harbour" in first.text
        assert all(p.text.startswith("boat;length in m;harbour\n") for p in others)


def test_a_delimiter_at_the_end_of_each_row_is_no_column_and_hides_no_head():
    rows = [[f"boat {n}", f"berth {n}", ""] for n in range(60)]
    first, *others = one("a.csv", written([["boat", "berth"], *rows], delimiter=";")).passages
    assert others and first.text.startswith("boat;berth\nboat 0;berth 0;\n")
    assert all(passage.text.startswith("boat;berth\nboat ") for passage in others)


def test_a_row_that_is_too_long_becomes_lines_with_the_names_of_the_columns():
    remark = " ".join(f"word{n}" for n in range(200))
    passages = one("a.csv", written([HEAD, *ROWS[:5], ["Fram", "39", remark], *ROWS[5:9]])).passages
    long = [p for p in passages if p.text.startswith("boat: Fram")]
    assert len(long) > 3
    assert all(len(p.text) <= 300 and (p.start_line, p.end_line) == (7, 7) for p in long)
    said = " ".join(
        line.removeprefix("harbour: ") for p in long for line in p.text.split("\n") if line.startswith("harbour: ")
    )
    assert said == remark
    assert passages[-1].text.startswith("boat,length in m,harbour\nboat 5")


def test_a_table_with_very_many_columns_names_each_value():
    names = [f"measure number {n}" for n in range(40)]
    rows = [[f"{n}.{row}" for n in range(40)] for row in range(3)]
    passages = one("a.csv", written([names, *rows])).passages
    assert all(len(p.text) <= 300 for p in passages)
    assert any("measure number 7: 7.2\n" in p.text for p in passages)


def test_a_field_may_be_huge():
    text = written([HEAD, ["Fram", "39", "y" * 400_000], *ROWS[:3]])
    passages = one("a.csv", text, SplitOptions()).passages
    assert sum(p.text.count("y") for p in passages) >= 400_000
    assert all(len(p.text) <= 1200 for p in passages)


def test_a_stray_quotation_mark_swallows_no_rows():
    text = "".join(f'pipe {n},{n},"{n} inch\n' if n == 3 else f'pipe {n},{n},4" wide\n' for n in range(40))
    passages = one("a.csv", "item,number,size\n" + text).passages
    assert all(p.text.startswith("item,number,size\n") for p in passages)
    assert passages[-1].end_line == 41


@pytest.mark.parametrize(
    "text",
    [
        "Datum;Betrag;Zweck\n01.03.2026;12,50;Miete für März\n02.03.2026;7,10;Grüße an Jörg\n",
        "nom;prénom;ville\nLefèvre;Zoé;Orléans\nGarçon;Hélène;Nîmes\n",
        "nombre;año\nMuñoz;2026\nPeña;2025\n",
    ],
)
def test_a_short_table_of_a_western_language_is_read_in_its_encoding(text):
    assert one("a.csv", text.encode("cp1252")).passages[0].text == text.strip()


def test_the_encoding_of_a_table_is_found():
    text = written([["Schiff", "Länge", "Hafen"], *([f"Böötchen {n}", str(n), "Åbo"] for n in range(60))])
    for encoding in ("utf-8-sig", "cp1252", "utf-16"):
        passages = one("a.csv", text.encode(encoding)).passages
        assert all(p.text.startswith("Schiff,Länge,Hafen\nBööt") for p in passages)


@pytest.mark.parametrize("text", ["", "only words\n", "one column\na\nb\n", "\n\n", "a,b\n", ",,\n,,\n"])
def test_a_file_that_is_no_table_is_read_as_text(text):
    passages = one("a.csv", text).passages
    assert "\n".join(p.text for p in passages).strip() == text.strip()


@given(
    st.lists(st.lists(st.text(st.sampled_from('ab1;,|" \n\t.é'), max_size=90), min_size=2, max_size=5), min_size=1),
    st.sampled_from(",;\t|"),
)
def test_no_word_of_a_table_is_lost_and_no_passage_is_too_long(rows, delimiter):
    text = written(rows, delimiter=delimiter)
    passages = one("a.csv", text, SplitOptions(max_chars=200)).passages
    assert all(len(p.text) <= 200 and p.text.strip() for p in passages)
    lines = text.count("\n") + 1
    assert all(1 <= p.start_line <= p.end_line <= lines for p in passages)
    letters = "".join(p.text for p in passages)
    assert all(letters.count(sign) >= text.count(sign) for sign in "ab1é")


MARKDOWN = "| boat | length | harbour |\n|:--|---|--:|\n" + "".join(f"| {' | '.join(row)} |\n" for row in ROWS)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_each_passage_of_a_markdown_table_has_its_head(newline):
    text = f"# Boats\n\nThe list:\n\n{MARKDOWN}\nThat is all.\n\n## Ships\n\nNone.\n".replace("\n", newline)
    first, *others = [p for p in one("a.md", text).passages if "| boat " in p.text]
    head = f"| boat | length | harbour |{newline}|:--|---|--:|{newline}"
    assert first.text.startswith(f"# Boats{newline}{newline}The list:{newline}{newline}{head}| boat 0 ")
    assert all(p.text.startswith(f"{head}| boat ") for p in others)
    assert all(len(p.text) <= 300 for p in (first, *others))
    lines = text.split(newline)
    for passage in others:
        assert passage.text.split(newline)[2] == lines[passage.start_line - 1]


def test_tables_in_quotes_and_between_paragraphs_have_their_heads_too():
    quoted = "".join(f"> {line}\n" for line in MARKDOWN.strip().split("\n"))
    words = "Some words about boats and their harbours. " * 12
    text = f"{words}\n\n{quoted}\n{words}\n\n{MARKDOWN}\n{words}\n"
    passages = one("a.md", text).passages
    rows = [p for p in passages if "boat 3" in p.text]
    assert len(rows) > 5
    assert all(p.text.startswith(("> | boat | length", "| boat | length")) for p in rows)
    assert "".join(p.text for p in passages).count("about boats") == 36


def test_what_looks_like_a_table_in_code_repeats_nothing():
    text = f"# Code\n\n```\n{MARKDOWN}```\n"
    assert sum(p.text.count("| boat | length") for p in one("a.md", text).passages) == 1


def test_a_long_row_of_a_markdown_table_names_its_columns():
    row = f"| Fram | 39 | {'a long remark ' * 60}|\n"
    passages = one("a.md", MARKDOWN + row).passages
    assert all(p.text.startswith("boat: Fram\n") for p in passages if "long remark" in p.text)
