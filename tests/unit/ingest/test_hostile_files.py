"""Whatever stands in a file, its reader reads it or refuses it, soon. `make fuzz` tries many more of them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

import docx
import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, example, given, settings
from tests import transcripts
from tests.unit.ingest.readers.test_rich_formats import pdf

from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.errors import GraphPalaceError
from graphpalace.ingest.files.file_reader import FileReader
from graphpalace.ingest.readers.registry import HEAVY_READERS, reader_of, source_of
from graphpalace.ingest.transcripts.hosts import HOSTS, read_transcript
from graphpalace.ingest.transcripts.masking import masked
from graphpalace.ingest.transcripts.turns import title_of, turns_of

_MAIL = (
    b"From: =?utf-8?q?Ann?= <a@b.example>\nSubject: Pump\nDate: Mon, 1 Jun 2026 10:00:00 +0000\nMIME-Version: 1.0\n"
    b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/html\n\n<p>on</p>\n--x\n"
    b"Content-Type: message/rfc822\n\nFrom: c\nSubject: d\n\ne\n--x--\n"
)
_EXPORT = [
    {"mapping": {"a": {"parent": None, "message": {"author": {"role": "user"}, "content": {"parts": ["hi"]}}}}},
    {"chat": {"history": {"messages": {"a": {"parentId": None, "content": "hi"}}, "currentId": "a"}, "title": "t"}},
    {"chat_messages": [{"uuid": "a", "sender": "human", "text": "hi", "created_at": "2026-03-02T10:00:00Z"}]},
    {"type": "message", "ts": "1770000000.1", "user": "U1", "blocks": [{"type": "section", "text": {"text": "<@U1>"}}]},
]
_PATENT = {"pub_id": "US1", "family_id": 7, "published": "2023-05-31", "ipc_codes": ["H04L 1/00"], "claim": ["a", "b"]}


def _docx() -> bytes:
    made, out = docx.Document(), io.BytesIO()
    made.add_heading("Roses")
    made.add_paragraph("Prune in winter.")
    made.add_table(2, 2)
    made.save(out)
    return out.getvalue()


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


_FILES = {
    "a.md": b"---\ntitle: Roses\ndate: 2025-03-02\ntags: [a, b]\n---\n# Roses\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\n> x\n",
    "toml.md": b"+++\ntitle = 'x'\ndate = 2025-03-02T10:00:00+01:00\n+++\nx\n",
    "a.rst": b"Roses\n=====\n\n.. include:: /etc/passwd\n\n* Prune\n",
    "a.html": b"<meta charset=latin1><nav><a>x</a></nav><h1>Roses</h1><table><tr><th>a<th>b<tr><td>1<td>2</table>",
    "a.csv": b'what,price\n"flour, white",2\nrye,3\n',
    "a.tsv": b"what\tprice\nflour\t2\n",
    "a.txt": "Chapter 1\n\nThe sea é.\n\nChapter 2\n\nIt rose.\n".encode("utf-16"),
    "a.py": b"import x\n\n@a\nclass B(C):\n    def d(self):\n        return 1\n",
    "a.cpp": b"#ifndef A\nnamespace b { template <class T> struct C { int d(); }; }\n#endif\n",
    "a.ts": b"export default abstract class A<T> { b(): void {} }\n",
    "a.go": b"package a\nfunc (b *C[T]) d() {}\n",
    "a.jsonl": _json(_PATENT) + b"\n",
    "chat.jsonl": _json({"role": "user", "content": [{"text": "hi"}], "timestamp": 1770000000, "session_id": "s"}),
    "a.ipynb": _json({"cells": [{"cell_type": "code", "source": ["x"], "outputs": [{"data": {"text/html": "<b>"}}]}]}),
    "a.eml": _MAIL,
    "a.mbox": b"From a@b.example Mon Jun  1 10:00:00 2026\n" + _MAIL,
    "a.pdf": pdf("Roses are pruned", "in winter"),
    "a.docx": _docx(),
    **{f"{at}.json": _json([each]) for at, each in enumerate(_EXPORT)},
}
_TRANSCRIPTS = {
    "claude-code": transcripts.lines(transcripts.CLAUDE_CODE),
    "codex": transcripts.lines(transcripts.CODEX),
    "cursor": transcripts.lines(transcripts.CURSOR),
    "gemini": transcripts.GEMINI_LINES,
}
_NASTY = (
    "\ud800", "\0", "\u202e", "\U000e0041", "[" * 3000, '{"a":' * 3000, "9" * 5000, "1e999", "-1e999", "NaN", "null",
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "Jan 01, 0001, 12:00 AM (UTC+3)", "(UTC+99)", " " * 2000,
    "<" * 500, "&" * 500, "\r", "\x0c", "../../x", "<!ENTITY a SYSTEM 'file:///etc/passwd'>", "%PDF-", "PK\x03\x04",
)  # fmt: skip
_QUICK = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example], deadline=None)


def _altered(draw: st.DrawFn, data: bytes) -> bytes:
    """Return a file of which parts are cut out, doubled, or replaced by bytes or by what has broken readers."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + draw(st.sampled_from((0, 1, 4, 40, 400))))))
        nasty = st.sampled_from(_NASTY).map(lambda text: text.encode("utf-8", "surrogatepass"))
        new = draw(st.just(data[start:end] * 2) | st.binary(max_size=8) | nasty | nasty.map(lambda one: b'"%s"' % one))
        data = data[:start] + new + data[end:]
    return data


_ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(_NASTY),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


def _with_odd_value(draw: st.DrawFn, value: Any) -> Any:
    """Return a value of JSON in which one value within it, at any depth, is another."""
    inside = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    if not inside or draw(st.integers(0, 5)) == 0:
        return draw(_ODD)
    at = draw(st.sampled_from(inside))
    changed = {**value} if isinstance(value, dict) else [*value]
    changed[at] = _with_odd_value(draw, value[at])
    return changed


@st.composite
def _files(draw: st.DrawFn) -> tuple[str, bytes]:
    name = draw(st.sampled_from(sorted(_FILES)))
    data = _FILES[name]
    way = draw(st.integers(0, 5))
    if way == 0:
        return name, draw(st.binary(max_size=200))
    if way < 4 and name.endswith((".json", ".jsonl", ".ipynb")):
        return name, _json(_with_odd_value(draw, json.loads(data)))
    return name, _altered(draw, data)


@st.composite
def _conversations(draw: st.DrawFn) -> tuple[str, bytes]:
    host = draw(st.sampled_from(sorted(_TRANSCRIPTS)))
    data = _TRANSCRIPTS[host]
    if draw(st.booleans()):
        return host, _altered(draw, data)
    return host, b"\n".join(
        _json(_with_odd_value(draw, json.loads(line)) if draw(st.integers(0, 4)) == 0 else json.loads(line))
        for line in data.splitlines()
    )


def _soon(read: Callable[[], Any]) -> None:
    began = process_time()
    with suppress(GraphPalaceError):
        read()
    assert process_time() - began < 5


@_QUICK
@given(_files())
def test_a_damaged_file_is_read_or_refused(file: tuple[str, bytes]) -> None:
    name, data = file
    source = source_of(Path(name), options=SplitOptions(), data=data)
    reader = reader_of(source)

    def read() -> None:
        try:
            documents = list(reader(source))
        except Exception as error:
            # These are read in a process of their own, which refuses a file whatever its library raises.
            if reader not in HEAVY_READERS or isinstance(error, GraphPalaceError):
                raise
            return
        for document in documents:
            told = (document.title, document.uri, *(one.author or "" for one in document.passages))
            "".join((*told, *(one.text for one in document.passages))).encode()  # as the database needs it

    _soon(read)


@_QUICK
@example(("cursor", transcripts.lines([{"role": "user", "message": {"content": [transcripts.text(
    "<timestamp>Monday, Jan 01, 0001, 12:00 AM (UTC+3)</timestamp><user_query>a</user_query>")]}}])))  # fmt: skip
@given(_conversations())
def test_a_damaged_transcript_is_read_or_refused(file: tuple[str, bytes]) -> None:
    host, data = file

    def read() -> None:
        for chosen in (host, None):
            found = read_transcript(data, Path("/x/chats/s.jsonl"), host=chosen)
            if found is not None:
                turns = turns_of(found, mask=True)
                "".join((title_of(found, turns), found.conversation, found.project or "")).encode()
                "".join(f"{turn.key}{turn.speaker}{turn.text}" for turn in turns).encode()

    _soon(read)


# Each was quadratic once: an opening that is never closed, a form of a secret that almost fits, blanks before a table.
_REPEATED = (
    "<details ", '<details type="reasoning">', '<details type="reasoning" ', "<system-reminder>", "<user_query> ",
    "<timestamp>" + " " * 50, "<command-name>", "&lt;graphpalace-memory&gt;\n", "sk-", "sk-ant-", "PASSWORD=",
    "PASSWORD=1;", "-----BEGIN PRIVATE KEY-----", " ", "\t", "\ue200", "[", "![", "<!--", "A_", "> ",
)  # fmt: skip


@pytest.mark.parametrize("part", _REPEATED)
def test_a_long_text_takes_no_quadratic_time(part: str) -> None:
    text = part * (200_000 // len(part))
    began = process_time()
    masked(text)
    for name, data in (
        ("a.json", _json([{"chat": {"messages": [{"role": "user", "content": text}]}}])),
        ("a.md", f"---\n{text[:60_000]}\n---\n{text}".encode()),
    ):
        list(reader_of(source := source_of(Path(name), options=SplitOptions(), data=data))(source))
    said = [transcripts.text(text)]
    for host in (
        transcripts.lines([{"role": "user", "message": {"content": said}}]),
        transcripts.lines([transcripts.claude("user", said, "u1")]),
    ):
        read_transcript(host, Path("/x/s.jsonl"))
    assert process_time() - began < 15  # a quadratic part alone takes a minute


def _bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            archive.writestr(f"word/{number}.xml", bytes(200 << 20))
    return out.getvalue()


_LAUGHS = '<!DOCTYPE l [<!ENTITY a0 "ha">{}]><l>&a25;</l>'.format(
    "".join(f'<!ENTITY a{at} "&a{at - 1};&a{at - 1};">' for at in range(1, 26))
)


def _laughing() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(_docx())) as given, zipfile.ZipFile(out, "w") as made:
        for name in given.namelist():
            made.writestr(name, _LAUGHS if name == "word/document.xml" else given.read(name))
    return out.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("data", [_bomb, _laughing], ids=["a zip bomb", "entities of entities"])
def test_a_small_file_that_unpacks_to_a_huge_one_is_refused(data: Callable[[], bytes], tmp_path: Path) -> None:
    path = tmp_path / "bomb.docx"
    path.write_bytes(data())
    with FileReader(SplitOptions()) as files, pytest.raises(GraphPalaceError):
        files.read(path)


def test_every_host_and_every_format_has_a_file_here() -> None:
    assert set(_TRANSCRIPTS) == set(HOSTS)
    read = {reader_of(source_of(Path(name), options=SplitOptions(), data=data)) for name, data in _FILES.items()}
    assert not HEAVY_READERS - read
