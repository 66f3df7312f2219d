"""Reading within limits: what takes too much is left out, and the next file is read all the same."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphpalace.domain.drawers import files as read_limits
from graphpalace.domain.drawers.files import ReadLimits, SlowFiles, SplitOptions
from graphpalace.errors import NotFound, UnreadableDocument
from graphpalace.ingest.files.file_reader import FileReader
from graphpalace.ingest.readers.registry import read

pytestmark = pytest.mark.slow

OPTIONS = SplitOptions()
limited = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes can be limited on Linux")


def deep_html(path: Path, depth: int = 200_000) -> Path:
    """Write a page whose elements nest so deep that the parser's time grows with the square of them."""
    path.write_text(f"<html><body>{'<div>' * depth}x")
    return path


def endless_pdf(path: Path) -> Path:
    """Write a small PDF with as many signs as take some seconds."""
    return small_pdf(path, b"BT /F1 12 Tf " + b"(a) Tj " * 300_000 + b"ET")


def swollen_pdf(path: Path) -> Path:
    """Write a small PDF with as many signs as take a GiB."""
    return small_pdf(path, b"BT /F1 12 Tf " + b"(a) Tj " * 2_000_000 + b"ET")


def swollen_notebook(path: Path) -> Path:
    """Write a notebook with as many lists as take some hundred MiB."""
    path.write_text(f'{{"cells": [{"[]," * 4_000_000}0]}}')
    return path


def small_pdf(path: Path, content: bytes) -> Path:
    """Write a PDF of one page with a content stream."""
    from pypdf import PdfWriter
    from pypdf.generic import DictionaryObject, NameObject, StreamObject

    def entries(**named: Any) -> DictionaryObject:
        return DictionaryObject({NameObject(f"/{key}"): value for key, value in named.items()})

    writer = PdfWriter()
    page = writer.add_blank_page(100, 100)
    stream = StreamObject()
    stream.set_data(content)
    page[NameObject("/Contents")] = writer._add_object(stream.flate_encode())
    names = {"Type": "/Font", "Subtype": "/Type1", "BaseFont": "/Helvetica"}
    font = entries(**{key: NameObject(name) for key, name in names.items()})
    page[NameObject("/Resources")] = entries(Font=entries(F1=font))
    writer.write(path)
    return path


def docx_of(path: Path, body: bytes) -> Path:
    """Write a DOCX file with a body."""
    import docx

    plain = io.BytesIO()
    docx.Document().save(plain)
    start = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for item in source.infolist():
            is_body = item.filename == "word/document.xml"
            made.writestr(item.filename, start + body + b"</w:body></w:document>" if is_body else source.read(item))
    return path


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "good.html"
    path.write_text("<h1>Roses</h1><p>Prune them in winter.</p>")
    return path


@pytest.fixture
def reader() -> Iterator[FileReader]:
    with FileReader(OPTIONS, ReadLimits(processor_s=1, memory_mb=400)) as opened:
        yield opened


def pid_of(reader: FileReader) -> int:
    assert reader._process
    return reader._process.pid


def test_the_process_gives_the_same_documents_and_reads_one_file_after_the_other(
    reader: FileReader, page: Path, tmp_path: Path
) -> None:
    letter = docx_of(tmp_path / "letter.docx", b"<w:p><w:r><w:t>Dear reader</w:t></w:r></w:p>")
    (tmp_path / "guide.rst").write_text("Title\n=====\n\nwords\n")
    disguised = small_pdf(tmp_path / "report.txt", b"BT /F1 12 Tf (hello) Tj ET")
    assert reader.read(page, ("a",)) == list(read(page, options=OPTIONS, folders=("a",)))
    first = pid_of(reader)
    for path in (letter, tmp_path / "guide.rst", disguised):
        assert reader.read(path) == list(read(path, options=OPTIONS))
    assert pid_of(reader) == first != os.getpid()


def test_text_and_code_need_no_process(reader: FileReader, tmp_path: Path) -> None:
    for name in ("a.md", "b.txt", "c.py", "d.json", "e.sh", "f.jsonl", "no_suffix"):
        (tmp_path / name).write_text("# words\n")
        assert reader.read(tmp_path / name) == list(read(tmp_path / name, options=OPTIONS))
    assert reader._process is None


@limited
@pytest.mark.parametrize("heavy", [deep_html, endless_pdf])
def test_a_file_that_takes_too_long_is_left_out_by_its_name_and_the_next_is_read(
    reader: FileReader, page: Path, tmp_path: Path, heavy: Any
) -> None:
    bomb = heavy(tmp_path / f"bomb.{heavy.__name__[-4:].strip('_')}")
    assert bomb.stat().st_size < 2**20
    with pytest.raises(UnreadableDocument) as refused:
        reader.read(bomb)
    assert refused.value.message == (
        f"{bomb} was skipped: reading it takes more than 1 s of processor time ([ingest] read_limit_s)"
    )
    assert refused.value.detail == {"path": str(bomb)}
    (document,) = reader.read(page)
    assert document.title == "Roses"


@limited
@pytest.mark.parametrize(
    ("swollen", "name", "why"),
    [
        (swollen_notebook, "bomb.ipynb", "reading it takes more than 100 MiB of memory"),
        (swollen_pdf, "bomb.pdf", "the process that read it crashed (exit code -6), probably at 100 MiB of memory"),
    ],
)
def test_a_file_that_takes_too_much_memory_is_left_out_by_its_name_and_the_next_is_read(
    page: Path, tmp_path: Path, swollen: Any, name: str, why: str
) -> None:
    bomb = swollen(tmp_path / name)
    with FileReader(OPTIONS, ReadLimits(processor_s=100, memory_mb=100)) as reader:
        reader.read(page)
        first = pid_of(reader)
        with pytest.raises(UnreadableDocument) as refused:
            reader.read(bomb)
        assert refused.value.message == f"{bomb} was skipped: {why} ([ingest] read_limit_mb)"
        (document,) = reader.read(page)
        assert document.title == "Roses"
        assert pid_of(reader) != first  # one that has grown is not used again


@limited
def test_slow_files_share_what_an_ingest_has_for_them_and_others_are_read(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_limits, "_LEAST_S", 0.5)
    monkeypatch.setattr(read_limits, "_USUAL_S", 0.0)
    bombs = [deep_html(tmp_path / f"bomb{n}.html") for n in range(2)]
    with FileReader(OPTIONS, ReadLimits(processor_s=100, slow_s=1.2)) as reader:
        for bomb, seconds, taken in zip(bombs, (r"0\.6", r"0\.5"), ("0", "1"), strict=True):
            said = rf"takes more than {seconds} s of processor time \(slow files have taken {taken} of the 1\.2 s"
            with pytest.raises(UnreadableDocument, match=said):
                reader.read(bomb)
            assert reader.read(page)[0].title == "Roses"
        assert 1.1 <= reader.slow_s < 1.4


@pytest.mark.parametrize(("size", "each"), [(0, 30.0), (1_500_000, 43.0), (3_500_000, 83.0), (50 * 2**20, 300.0)])
def test_a_folder_of_a_thousand_slow_files_does_not_take_hours(size: int, each: float) -> None:
    slow, total = SlowFiles(ReadLimits()), 0.0
    for _ in range(1000):
        taken = min(each, slow.processor_s_of(size))
        slow.took(taken, chars=0)
        total += taken
    assert total < 2700
    assert slow.processor_s_of(size) == 2.0


@pytest.mark.parametrize(("seconds", "chars"), [(200.0, 2_000_000), (0.5, 0), (3.0, 30_000)])
def test_files_that_take_long_for_what_they_give_are_slow_and_no_others(seconds: float, chars: int) -> None:
    slow = SlowFiles(ReadLimits())
    for _ in range(1000):
        slow.took(seconds, chars=chars)
    assert slow.taken_s == 0
    assert slow.processor_s_of(10 * 2**20) == 300.0


def test_on_the_clock_the_wait_ends_too_where_the_system_limits_no_process(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ReadLimits, "processor_s_of", lambda _self, _size: 1e6)
    monkeypatch.setattr(ReadLimits, "wait_s_of", lambda _self, _size: 1.5)
    with FileReader(OPTIONS, ReadLimits(slow_s=1e7)) as reader:
        with pytest.raises(UnreadableDocument, match=r"takes more than 1\.5 s \(\[ingest\] read_limit_s\)"):
            reader.read(deep_html(tmp_path / "bomb.html"))
        monkeypatch.setattr(ReadLimits, "wait_s_of", lambda _self, _size: 60.0)
        assert reader.read(page)[0].title == "Roses"


def test_a_process_that_breaks_is_started_again(reader: FileReader, page: Path) -> None:
    reader.read(page)
    os.kill(pid_of(reader), signal.SIGSTOP)  # it is there still when the next file is sent
    threading.Timer(0.2, os.kill, (pid_of(reader), signal.SIGKILL)).start()
    with pytest.raises(UnreadableDocument, match=r"good\.html was skipped: the process that read it crashed"):
        reader.read(page)
    assert reader.read(page)[0].title == "Roses"
    os.kill(pid_of(reader), signal.SIGKILL)  # between two files nobody notices
    os.waitid(os.P_PID, pid_of(reader), os.WEXITED | os.WNOWAIT)
    assert reader.read(page)[0].title == "Roses"


def test_what_is_wrong_with_a_file_is_said_as_without_a_process(reader: FileReader, tmp_path: Path) -> None:
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 broken")
    (tmp_path / "bad.docx").write_bytes(b"no zip")
    for path, error in ((tmp_path / "bad.pdf", UnreadableDocument), (tmp_path / "gone.html", NotFound)):
        with pytest.raises(error) as apart:
            reader.read(path)
        with pytest.raises(error) as here:
            list(read(path, options=OPTIONS))
        assert (apart.value.message, apart.value.detail) == (here.value.message, here.value.detail)


def test_closing_ends_the_process_at_once_whatever_it_reads(tmp_path: Path) -> None:
    with FileReader(OPTIONS, ReadLimits(processor_s=1000)) as reader:
        bomb = deep_html(tmp_path / "bomb.html")
        told: list[str] = []

        def read_bomb() -> None:
            with pytest.raises(UnreadableDocument) as refused:
                reader.read(bomb)
            told.append(refused.value.message)

        thread = threading.Thread(target=read_bomb)
        thread.start()
        while reader._process is None:
            time.sleep(0.01)
        process = reader._process
        reader.close()
        thread.join(timeout=60)
    assert told == [f"{bomb} was not read completely, because the ingest was stopped"]
    assert process.returncode is not None


def test_half_a_million_empty_paragraphs_of_a_docx_are_read_in_one_go(tmp_path: Path) -> None:
    text = b"<w:p><w:r><w:t>words</w:t></w:r></w:p>"
    path = docx_of(tmp_path / "empty.docx", text + b"<w:p/>" * 500_000 + text)
    assert path.stat().st_size < 50_000
    (document,) = list(read(path, options=OPTIONS))  # took longer than the suite's limit of a test
    assert [passage.text for passage in document.passages] == ["words\n\nwords"]
