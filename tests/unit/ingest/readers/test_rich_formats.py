from io import BytesIO
from pathlib import Path

import docx
import pytest
from pypdf import PdfReader, PdfWriter

from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers import docx as docx_reader
from graphpalace.ingest.readers.registry import read

BODY = "Some words that make the section long enough to stand alone. " * 5


def one(name, data, options=SplitOptions()):  # noqa: B008  frozen
    (document,) = read(Path(name), options=options, data=data)
    return document


def pdf(*pages):
    """Return a PDF with one page a text, one line of it a text line."""
    return pdf_of([[(50, 700 - 14 * at, line) for at, line in enumerate(text.split("\n"))] for text in pages])


def pdf_of(pages):
    """Return a PDF whose pages have texts at places: left, bottom and text."""
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        font,
    ]
    for number, placed in enumerate(pages):
        stream = " ".join(f"BT /F1 12 Tf {left} {bottom} Td ({text}) Tj ET" for left, bottom, text in placed)
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * number} 0 R >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    return (
        out
        + (
            f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
            f"startxref\n{len(out)}\n%%EOF\n"
        ).encode()
    )


def test_the_visible_text_of_a_page_is_cut_at_its_headings():
    page = f"""<!doctype html><html><head><title> The
    page </title><style>p {{}}</style></head><body><script>var x;</script><h1>Guide</h1><p>{BODY}<b>bold</b>er</p>
    <h2>Install <i>it</i></h2><ul><li>one</li><li>two</li></ul><p>{BODY}</p><p hidden>unseen</p><!-- unseen -->
    <pre>a
      b</pre><table><tr><td>c</td><td>d</td></tr></table>&lt;end&gt;</body></html>"""
    document = one("page.html", page.encode())
    assert document.title == "The page"
    assert document.media_type == "text/html"
    first, second = document.passages
    assert (first.headings, first.text) == (("Guide",), f"Guide\n\n{BODY}bolder")
    assert second.headings == ("Guide", "Install it")
    assert second.text.startswith("Install it\n\none\ntwo\n\nSome words")
    assert second.text.endswith("\n\na\n      b\n\nc d\n\n<end>")
    assert (first.start_line, first.end_line, second.start_line, second.end_line) == (1, 3, 5, 17)


def test_a_page_without_a_title_is_titled_by_its_heading():
    assert one("a.html", b"<h2>Only</h2>").title == "Only"
    assert one("a.html", b"text").title == "a.html"


def test_html_is_told_by_its_content():
    assert one("download", b"<!DOCTYPE html><p>hi").media_type == "text/html"


def test_the_declared_encoding_of_a_page_is_used():
    page = '<meta charset="windows-1251"><p>Жук'.encode("cp1251")
    assert one("a.html", page).passages[0].text == "Жук"


def test_a_page_nests_deeper_than_python_recurses():
    page = "<div>" * 3000 + "deep" + "</div>" * 3000
    assert one("a.html", page.encode()).passages[0].text == "deep"


def test_a_pdf_has_passages_by_page():
    document = one("a.pdf", pdf("First page\nsecond line", "Next page"))
    assert document.title == "a.pdf"
    assert document.media_type == "application/pdf"
    assert [(p.text, p.headings, p.start_line, p.end_line) for p in document.passages] == [
        ("First page\nsecond line", ("Page 1",), 1, 2),
        ("Next page", ("Page 2",), 3, 3),
    ]


def test_a_pdf_is_told_by_its_content():
    assert one("download", pdf("hello")).media_type == "application/pdf"


def encrypted(user_password):
    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf("secret words"))))
    writer.encrypt(user_password, "owner", algorithm="RC4-128")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def test_a_pdf_with_a_password_is_refused():
    with pytest.raises(UnreadableDocument, match=r"a\.pdf is encrypted"):
        one("a.pdf", encrypted("pass"))


def test_a_pdf_that_opens_without_a_password_is_read():
    assert one("a.pdf", encrypted("")).passages[0].text == "secret words"


@pytest.mark.parametrize("data", [b"", b"not a pdf", b"%PDF-1.4\nbroken"])
def test_a_damaged_pdf_is_refused(data):
    with pytest.raises(UnreadableDocument, match=r"a\.pdf is not a readable PDF"):
        one("a.pdf", data)


def word():
    document = docx.Document()
    document.add_heading("Report", 0)
    document.add_paragraph(BODY)
    document.add_heading("Numbers", 1)
    table = document.add_table(rows=2, cols=2)
    for number, cell in enumerate(cell for row in table.rows for cell in row.cells):
        cell.text = f"cell {number}"
    document.add_paragraph(BODY)
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def test_a_word_document_has_its_headings_and_the_text_of_its_tables():
    document = one("a.docx", word())
    assert document.title == "Report"
    assert document.media_type == docx_reader.MEDIA_TYPE
    first, second = document.passages
    assert (first.headings, first.start_line, first.end_line) == (("Report",), 1, 3)
    assert second.headings == ("Report", "Numbers")
    assert second.text == f"Numbers\n\ncell 0 | cell 1\ncell 2 | cell 3\n\n{BODY.strip()}"
    assert (second.start_line, second.end_line) == (5, 10)


def test_a_word_document_is_told_by_its_content():
    assert one("download", word()).title == "Report"


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"text"])
def test_a_damaged_word_document_is_refused(data):
    with pytest.raises(UnreadableDocument, match=r"a\.docx is not a readable DOCX"):
        one("a.docx", data)


def test_a_word_document_that_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(docx_reader, "MAX_UNPACKED_BYTES", 100)
    with pytest.raises(UnreadableDocument, match="when unpacked; the limit is 100"):
        one("a.docx", word())
