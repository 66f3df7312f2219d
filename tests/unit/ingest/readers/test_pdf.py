from pathlib import Path

import pytest
from tests.unit.ingest.readers.test_rich_formats import pdf_of

from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.ingest.readers.pdf import KnownWords, joined_lines
from graphpalace.ingest.readers.registry import read

LEFT = [
    "The ferry to the island",
    "leaves at seven from the",
    "new pier, and it carries",
    "no cars in the winter",
    "months of the year.",
]
MIDDLE = [
    "Tickets are sold on the",
    "boat itself, never in the",
    "harbour office, which is",
    "open only until noon and",
    "closed on all holidays.",
]
RIGHT = [
    "Dogs may travel with you",
    "if they are on a lead and",
    "wear a muzzle while they",
    "stay below the deck, but",
    "not without a blanket.",
]


def text_of(*placed):
    """Return the text of a page with texts at places in points."""
    (document,) = read(Path("a.pdf"), options=SplitOptions(), data=pdf_of([placed]))
    return "\n".join(passage.text for passage in document.passages)


def row_by_row(*columns, lefts, top=700, pitch=14, offset=0):
    lines = zip(*columns, strict=True)
    return [
        (left, top - pitch * row - offset * column, text)
        for row, texts in enumerate(lines)
        for column, (left, text) in enumerate(zip(lefts, texts, strict=True))
    ]


@pytest.mark.parametrize("offset", [0, 5])
@pytest.mark.parametrize("columns", [(LEFT, RIGHT), (LEFT, MIDDLE, RIGHT)])
def test_columns_are_read_one_after_the_other_however_the_file_has_them(columns, offset):
    lefts = (50, 230, 410) if len(columns) == 3 else (60, 330)
    placed = row_by_row(*columns, lefts=lefts, offset=offset)
    expected = "\n\n".join("\n".join(column) for column in columns)
    assert text_of(*placed) == expected
    assert text_of(*sorted(placed, key=lambda one: one[0])) == expected


def test_what_stands_across_the_columns_stays_above_and_below_them():
    title, footer = (60, 750, "Of the ferry to the island and all that belongs to it"), (60, 40, "The ferry company 7")
    text = text_of(title, *row_by_row(LEFT, RIGHT, lefts=(60, 330)), footer)
    assert text.startswith("Of the ferry to the island and all that belongs to it\n\nThe ferry to the island\nleaves")
    assert text.endswith("The ferry company 7")
    assert text.index("months of the year.") < text.index("Dogs may travel")


def test_a_table_is_read_row_by_row():
    rows = [("Pier", "Boat", "Fare"), ("North", "Saga", "12.50"), ("South", "Idun", "9.00"), ("East", "Freja", "7.10")]
    text = text_of(*row_by_row(*zip(*rows, strict=True), lefts=(60, 200, 330)))
    assert text == "\n".join(" ".join(row) for row in rows)


def test_paragraphs_are_divided_by_a_blank_line():
    assert (
        text_of((60, 700, "One line."), (60, 686, "Another."), (60, 640, "Apart.")) == "One line.\nAnother.\n\nApart."
    )


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (["a new wind-", "lass here"], ["a new windlass", "here"]),
        (["a well-", "known smith"], ["a well-known", "smith"]),
        (["a state-of-the-", "art boat"], ["a state-of-the-art", "boat"]),
        (["from 1990-", "1995 on"], ["from 1990-1995", "on"]),
        (["the Anglo-", "Saxon age"], ["the Anglo-Saxon", "age"]),
        (["an e-", "mail"], ["an e-mail"]),
        (["long-", "term rents"], ["long-term", "rents"]),
        (["seven-", "teen boats"], ["seventeen", "boats"]),
        (["the Donau-", "dampfer,", "alt"], ["the Donaudampfer,", "alt"]),
        (["ends with a dash -", "and goes on"], ["ends with a dash -", "and goes on"]),
        (["over a wind-", "", "lass"], ["over a windlass", ""]),
        (["last-"], ["last-"]),
    ],
)
def test_divided_words_are_joined_and_compounds_keep_their_hyphen(lines, joined):
    assert list(joined_lines(lines, KnownWords([lines]))) == joined


def test_a_divided_word_is_joined_as_the_document_has_it_elsewhere():
    known = KnownWords([["The rope-maker and the sailmaker met."]])
    assert list(joined_lines(["a rope-", "maker, a sail-", "maker"], known)) == ["a rope-maker,", "a sailmaker"]


def test_words_are_joined_across_columns_and_soft_hyphens():
    left = [*LEFT[:4], "months, when the wind-"]
    right = ["lass is repaired by a", *RIGHT[1:]]
    assert "wind-" not in (text := text_of(*row_by_row(left, right, lefts=(60, 330))))
    assert "windlass" in text
    assert text_of((60, 700, "a new wind\\255"), (60, 686, "lass of oak")) == "a new windlass\nof oak"
