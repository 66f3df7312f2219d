"""What the document of a file will be stored as is known without reading it, for most files."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.ingest.readers.registry import READER_OF_SUFFIX, media_type_of, read
from graphpalace.ingest.readers.source import file_hashes, whole_hash

_MAIL = b"From: a@b.example\nSubject: Pump\nDate: Mon, 1 Jun 2026 10:00:00 +0000\n\nThe pump is on.\n"
_FILES = {
    **{f"file{suffix}": b"x = 1\n" for suffix in READER_OF_SUFFIX if suffix not in {".pdf", ".docx", ".ipynb"}},
    "a.md": b"# Roses\n\nPrune.\n",
    "a.rst": b"Roses\n=====\n\nPrune.\n",
    "a.html": b"<h1>Roses</h1><p>Prune.</p>",
    "a.csv": b"what,price\nflour,2\n",
    "a.tsv": b"what\tprice\nflour\t2\n",
    "a.json": b'{"a": 1}',
    "a.jsonl": b'{"a": 1}\n',
    "a.ipynb": b'{"cells": [], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}',
    "a.eml": _MAIL,
    "a.yaml": b"a: 1\n",
    "a.txt": b"Prune in winter.\n",
    "a.unknown": b"Prune in winter.\n",
    "page.unknown": b"<!doctype html><p>Prune.</p>",
    "a.mbox": b"",
    "file.mbox": b"From a@b.example Mon Jun  1 10:00:00 2026\n" + _MAIL,
    "file.mbx": b"From a@b.example Mon Jun  1 10:00:00 2026\n" + _MAIL,
    "file.eml": _MAIL,
    "file.emlx": _MAIL,
}


@pytest.mark.parametrize("name", _FILES)
def test_the_hash_of_an_unread_file_is_the_one_that_its_document_gets(name: str) -> None:
    data, options = _FILES[name], SplitOptions()
    media_type = media_type_of(Path(name), data[:256])
    whole = [one for one in read(Path(name), options=options, data=data) if "#" not in one.uri]
    if media_type is None:
        assert name.endswith((".mbox", ".mbx"))
        return
    assert [one.media_type for one in whole] == [media_type]
    assert [one.content_hash for one in whole] == [whole_hash(file_hashes(io.BytesIO(data), options), media_type)]


@pytest.mark.parametrize(
    ("name", "head"),
    [("README", b"words"), ("cur/1:2,S", b"From: a"), ("letter.unknown", b"PK\x03\x04 word/")],
)
def test_of_files_whose_content_decides_nothing_is_said(name: str, head: bytes) -> None:
    assert media_type_of(Path(name), head) is None


def test_a_pdf_is_known_by_its_beginning_whatever_it_is_called() -> None:
    assert media_type_of(Path("a.md"), b"%PDF-1.7") == "application/pdf"
