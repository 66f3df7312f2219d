import codecs
from hashlib import blake2b
from pathlib import Path

import pytest

from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.errors import NotFound, UnreadableDocument
from graphpalace.ingest.readers.registry import read

OPTIONS = SplitOptions()
BODY = "Some words that make the section long enough to stand alone. " * 5


def one(name, content, **options):
    data = content.encode() if isinstance(content, str) else content
    (document,) = read(Path(name), options=options.pop("options", OPTIONS), data=data, **options)
    return document


def test_markdown_is_cut_at_its_headings_with_exact_lines():
    text = f"# Guide\n\n{BODY}\n\n## Install\n\n{BODY}\n\nUse\n---\n\n{BODY}\n"
    document = one("guide.md", text)
    assert document.title == "Guide"
    assert document.media_type == "text/markdown"
    assert [(p.headings, p.start_line, p.end_line) for p in document.passages] == [
        (("Guide",), 1, 3),
        (("Guide", "Install"), 5, 7),
        (("Guide", "Use"), 9, 12),
    ]
    assert document.passages[2].text == f"Use\n---\n\n{BODY.strip()}"


def test_the_text_of_a_markdown_heading_is_without_markup():
    assert one("a.md", "# The `read` *function* &amp; more\n").title == "The read function & more"


def test_signs_of_headings_in_code_and_quotes_and_lists_divide_nothing():
    document = one("a.md", f"# A\n\n```\n# no\n```\n\n> # quoted\n\n- # listed\n\n{BODY}\n")
    assert [p.headings for p in document.passages] == [("A",)]


def test_front_matter_is_no_heading():
    document = one("a.md", f"---\nmood: x\n---\n# Real\n{BODY}\n")
    assert document.title == "Real"
    assert document.passages[1].text.startswith("# Real")


def test_tiny_sections_under_one_parent_are_joined_and_keep_its_headings():
    text = "# Menu\n" + "".join(f"## Dish {n}\nTasty.\n" for n in range(4)) + f"# Other\n{BODY}\n{BODY}\n{BODY}\n"
    document = one("a.md", text)
    assert [(p.headings, p.start_line) for p in document.passages] == [(("Menu",), 1), (("Other",), 10)]


def test_a_heading_stays_with_its_own_parts():
    text = f"# A\n{BODY}\n# B\n## B1\n{BODY}\n"
    assert [p.headings for p in one("a.md", text).passages] == [("A",), ("B", "B1")]


def test_markdown_with_windows_newlines_keeps_them():
    document = one("a.md", f"# A\r\n\r\n{BODY}\r\n\r\n# B\r\nline\r\n{BODY}\r\n")
    assert document.passages[1].text == f"# B\r\nline\r\n{BODY.strip()}"
    assert (document.passages[1].start_line, document.passages[1].end_line) == (5, 7)


def test_a_file_without_headings_is_titled_by_its_name():
    assert one("notes.md", "plain").title == "notes.md"


def test_restructuredtext_is_cut_at_its_titles():
    text = f"=====\nGuide\n=====\n\n{BODY}\n\nInstall\n-------\n\n{BODY}\n\nUse\n---\n\n{BODY}\n"
    document = one("guide.rst", text)
    assert document.title == "Guide"
    assert [(p.headings, p.start_line, p.end_line) for p in document.passages] == [
        (("Guide",), 1, 5),
        (("Guide", "Install"), 7, 10),
        (("Guide", "Use"), 12, 15),
    ]


def test_restructuredtext_includes_no_file(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("Secret\n======\n")
    document = one("a.rst", f"Open\n====\n\n.. include:: {secret}\n\n.. raw:: html\n   :file: {secret}\n\nend\n")
    assert document.title == "Open"
    assert "Secret" not in {name for p in document.passages for name in p.headings}


@pytest.mark.parametrize(
    "text", ["Title\n==\n\n*open\n\n.. bad::\n", "=\n==\n===\n::\n", "A\n=\n\nB\n~\n\nC\n-\n\nD\n~~~\nend\n"]
)
def test_broken_restructuredtext_still_gives_its_text(text, capsys):
    document = one("a.rst", text)
    assert "".join("".join(p.text for p in document.passages).split()) == "".join(text.split())
    assert capsys.readouterr().err == ""


def test_plain_text_has_the_lines_of_the_file():
    first, second = "alpha " * 30, "beta " * 30
    document = one("a.txt", f"{first}\n\n\n{second}\n", options=SplitOptions(max_chars=200))
    assert [(p.start_line, p.end_line) for p in document.passages] == [(1, 1), (4, 4)]


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("a.sql", "text/plain"),
        ("a.yaml", "application/yaml"),
        ("a.toml", "application/toml"),
        ("Makefile", "text/plain"),
    ],
)
def test_other_text_is_read_as_plain_text(name, media_type):
    document = one(name, "key: value\n")
    assert (document.title, document.media_type, document.passages[0].text) == (name, media_type, "key: value")


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + "naïve café".encode(),
        "naïve café".encode("utf-16"),
        codecs.BOM_UTF16_BE + "naïve café".encode("utf-16-be"),
        "naïve café".encode("utf-32"),
        "naïve café".encode(),
    ],
)
def test_marked_and_utf8_text_is_decoded_without_its_mark(data):
    assert one("a.txt", data).passages[0].text == "naïve café"


def test_an_unknown_encoding_is_guessed():
    text = "Сегодня мы говорили о том, как хранить заметки и искать в них ответы на вопросы. " * 3  # noqa: RUF001
    assert one("a.txt", text.encode("cp1251")).passages[0].text == text.strip()
    assert one("a.txt", "naïve café".encode("cp1252")).passages[0].text == "naïve café"
    french = "Où est passé l'été ? Il a été très agréable à la forêt, déjà près de l'hôtel. " * 5
    assert one("a.txt", french.encode("latin-1")).passages[0].text == french.strip()


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.py", "a.html", "a.json", "a.rst"])
def test_binary_content_is_refused_whatever_the_suffix(name):
    with pytest.raises(UnreadableDocument, match="is binary"):
        one(name, b"ab\0cd")


def test_a_false_byte_order_mark_is_refused():
    with pytest.raises(UnreadableDocument, match="known encoding"):
        one("a.txt", codecs.BOM_UTF16_LE + b"a")


def test_a_file_is_read_from_the_disk_with_its_uri(tmp_path):
    path = tmp_path / "a b.txt"
    path.write_text("hello")
    (document,) = read(path, options=OPTIONS, folders=("x",))
    assert document.uri == path.as_uri()
    assert document.folders == ("x",)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(NotFound, match="nowhere"):
        list(read(tmp_path / "nowhere", options=OPTIONS))
    with pytest.raises(UnreadableDocument, match="is a folder"):
        list(read(tmp_path, options=OPTIONS))


def test_an_empty_file_is_a_document_without_passages():
    assert one("a.txt", b"").passages == ()
    assert one("a.md", b"\n \n").passages == ()
    assert one("a.py", b"").passages == ()


def test_the_content_hash_is_of_the_bytes_and_the_options():
    document = one("a.txt", b"hello")
    assert document.content_hash == blake2b(b"hello" + repr(OPTIONS).encode() + b"3", digest_size=16).hexdigest()
    assert one("b.txt", b"hello").content_hash == document.content_hash
    assert one("a.txt", b"hello", options=SplitOptions(max_chars=500)).content_hash != document.content_hash


def test_the_uri_can_be_given():
    assert one("a.txt", b"hello", uri="api:note").uri == "api:note"


def test_a_large_section_does_not_lose_its_heading_to_a_tiny_neighbour():
    document = one("a.md", f"# A\nShort.\n# B\n{BODY}\n{BODY}\n{BODY}\n# C\nShort.\n")
    assert [p.headings for p in document.passages] == [("A",), ("B",), ("C",)]
