from __future__ import annotations

from graphpalace.ingest.readers.headed_text import chapters

BOOK = """THE VOYAGE

Contents
CHAPTER I. The harbour
CHAPTER II. The storm
CHAPTER III. The island

CHAPTER I. The harbour

We sailed at dawn. Chapter 2 of the log is lost.

CHAPTER II

THE STORM

It blew for three days.

Chapter Three -- The island
It was green.
"""


def test_a_chapter_begins_at_a_line_of_its_own_and_not_in_the_table_of_contents() -> None:
    found = chapters(BOOK)
    assert [title for _, title in found] == [
        "Chapter I: The harbour",
        "Chapter II: The Storm",
        "Chapter Three: The island",
    ]
    assert [BOOK[start:].partition("\n")[0] for start, _ in found] == [
        "CHAPTER I. The harbour",
        "CHAPTER II",
        "Chapter Three -- The island",
    ]


def test_windows_line_ends_and_other_languages_are_read_too() -> None:
    book = "\r\n\r\n".join(f"Kapitel {number}\r\n\r\nAm Meer, {number}\r\n\r\nText." for number in range(1, 4))
    assert chapters(book) == [(book.index(f"Kapitel {n}"), f"Kapitel {n}: Am Meer, {n}") for n in range(1, 4)]


def test_a_paragraph_below_is_no_title() -> None:
    book = "\n\n".join(f"Chapter {number}\n\nIt was late.\nWe slept." for number in range(1, 4))
    assert [title for _, title in chapters(book)] == ["Chapter 1", "Chapter 2", "Chapter 3"]


def test_two_chapters_are_no_book() -> None:
    assert chapters("Chapter 1\n\nOne.\n\nChapter 2\n\nTwo.\n") == []
