"""Whatever spelling of a word a text has, every other usual spelling of it finds the text."""

from __future__ import annotations

import re
import time
import unicodedata
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphpalace.domain.search.search_words import search_words, split_names, words_of

# Words of Lucene's tokenizer: letters and digits, underscores, and what joins letters or digits on both of its sides.
_TOKEN = re.compile(r"\w+(?:(?<=[^\W\d_])[.':\u00b7](?=[^\W\d_])\w+|(?<=\d)[.,;'](?=\d)\w+)*")


_LONG = 7  # signs of a part that is rare by itself


def tokens(text: str) -> set[str]:
    return {token.casefold() for token in _TOKEN.findall(text)}


def finds(question: str, text: str) -> bool:
    """Return whether a text has each word of a question: one of its spellings, all of its parts, or a long part."""
    stored = tokens(search_words(text))
    return all(
        stored & {form.casefold() for form in word.forms}
        or tokens(word.text) <= stored
        or any(len(part) >= _LONG for part in tokens(word.text) & stored)
        for word in words_of(question)
    )


SPELLINGS = [
    ("Peña", "Pena", "PENA", "Pen\u0303a"),
    ("Jäger", "Ja\u0308ger", "Jager"),
    ("smørrebrød", "smorrebrod"),
    ("Łódź", "Lodz", "ŁÓDŹ"),
    ("Straße", "Strasse"),
    ("cœur", "coeur"),
    ("ёлка", "елка"),
    ("Αθήνα", "Αθηνα"),
    ("\ufb01ne", "fine"),
    ("co\u00adoperate", "cooperate"),
    ("G-7", "G7", "G\u20117", "g7"),
    ("e-mail", "email", "E-Mail"),
    ("N.A.T.O.", "NATO", "N.A.T.O"),
    ("vue.js", "vuejs", "Vue.js"),
    ("O'Hara", "O\u2019Hara", "OHara"),
    ("max_size", "maxSize", "maxsize", "MAX_SIZE", "max-size", "max.size"),
    ("0-306-40615-2", "0306406152", "0 306 40615 2"),
    ("979-12-200-0852-1", "9791220008521", "979 12 200 0852 1"),
    ("+44 (0)20 7946-0018", "+44 20 7946 0018", "0044 20 79460018", "442079460018", "+442079460018"),
    ("(212) 555-0187", "212-555-0187", "2125550187", "212.555.0187", "212 555 0187"),
    ("2,500,000", "2500000", "2.500.000"),
    ("2026-05-01", "20260501"),
    ("US 9,876,543 B1", "US9876543B1", "US 9876543 B1", "US-9876543-B1", "us9876543b1", "US 9876543", "9876543"),
    ("WO 2018/087654 A2", "WO2018087654A2", "WO2018/087654", "wo2018087654"),
    ("c0ffee1234567890abcdef1234567890abcdef12", "c0ffee1", "c0ffee12", "c0ffee1234", "c0ffee123456"),
    ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", "3f2504e04f8911d39a0c0305e82c3301"),
    ("GB29 1234 6016 1331 9268 19", "GB29123460161331926819"),
    ("도서관에서는", "도서관은", "도서관", "도서관이", "도서관의"),
    ("고양이는", "고양이", "고양이가", "고양이를"),
    ("물은", "물을", "물"),
    ("canções", "canção", "cancao"),
    ("v4.12.1", "V4.12.1", "4.12.1"),
    ("v2.7", "V2.7", "2.7"),
    ("C++", "Cpp", "c++"),
    ("C#", "CSharp", "c#"),
    (".NET", "dotnet", ".net", "dotNET"),
]


@pytest.mark.parametrize("spellings", SPELLINGS, ids=lambda spellings: spellings[0])
def test_every_spelling_finds_every_other(spellings: tuple[str, ...]) -> None:
    for asked, stored in permutations(spellings, 2):
        for text in (stored, f"the ({stored}), and more", f"x {stored} y"):
            assert finds(asked, text), (asked, text, search_words(text), words_of(asked))


_PIECE = st.text(alphabet="abcXYZ", min_size=1, max_size=5)
_SIGN = st.sampled_from(["-", "_", "\u2010"])


@settings(deadline=None, max_examples=60)
@given(st.lists(_PIECE, min_size=2, max_size=5), _SIGN, _SIGN)
def test_a_word_is_found_with_each_sign_and_with_none(pieces: list[str], one: str, other: str) -> None:
    for asked, stored in permutations([one.join(pieces), other.join(pieces), "".join(pieces).lower()], 2):
        assert finds(asked, f"so {stored} is")


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet="aéÉñüßłØçõ\u0308\u0301", min_size=1))
def test_a_word_is_found_in_every_form_of_unicode_and_without_accents(word: str) -> None:
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert finds(unicodedata.normalize(form, word), word)
        assert finds(word, unicodedata.normalize(form, word))
    assert finds(search_words(word), word)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 99999).map(str), min_size=2, max_size=6), st.sampled_from(",;:"))
def test_every_number_of_a_row_is_found(cells: list[str], sign: str) -> None:
    assert all(finds(cell, f"row: {sign.join(cells)}") for cell in cells)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("level=warn:quota state:done", "level warn quota state done"),
        ("2001,15;x 7", "2001 15 x 7"),
        ("def min_cost(a)", "def min cost(a) mincost"),
        ("minCost", "min Cost minCost"),
        ("os.path.join_all", "os path join all ospathjoinall"),
        ("__init__ and _so_", "init and so __init__"),
        ("H.264 H.264", "H 264 H 264 H264 H264"),
        ("v4.12.2-rc1", "v4 12 2 rc1 v4122rc1 4.12.2"),
        ("vitamin C, i++, foo.net", "vitamin C, i++, foo net foonet"),
        ("boundary-layer", "boundary-layer boundarylayer"),
        ("Plain prose; 3.14 stays, and so does this.", "Plain prose; 3.14 stays, and so does this."),
        ("NATO, ordinary words (in brackets)", "NATO, ordinary words (in brackets)"),
        ("日本語の文。", "日本語の文。"),
        ("Российский йод", "Российский йод"),
        ("", ""),
    ],
)
def test_a_text_keeps_the_order_of_its_words_and_other_spellings_follow(text: str, words: str) -> None:
    assert search_words(text).split() == words.split()


def test_reports_know_the_parts_of_names_only() -> None:
    assert split_names("def min_cost(maxLength)") == "def min cost(max Length)"


@pytest.mark.parametrize(
    "piece",
    ["a_", "aA", "a.", "a", "A", "_", ".", "1a", "-a", "éA", "a b ", "a_b.C ", "1", "1 ", "1,", "(1", "+", "(", "f0",
     "AB 1", "가", "1-a", "A'", "_a"],
)  # fmt: skip
def test_no_text_takes_long(piece: str) -> None:
    text = piece * (200_000 // len(piece)) + " a_b"
    start = time.process_time()
    search_words(text)
    assert time.process_time() - start < 20  # a second; quadratic time would be hours
