"""The process that reads heavy formats; `FileReader` starts it.

It reads pickled `ReadJob`s from standard input and writes a pickled `ReadResult` for each to standard output. Before
each file, it sets its own limits: the system then stops it at the time limit, and refuses memory at the memory limit.
"""

from __future__ import annotations

import os
import pickle
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import ceil
from pathlib import Path
from typing import Any, BinaryIO

from graphpalace.domain.drawers.document import Document
from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.errors import NotFound, UnreadableDocument
from graphpalace.ingest.readers.registry import read


@dataclass(frozen=True, slots=True)
class ReadJob:
    """A file to read, and the limits of time and memory."""

    path: Path
    options: SplitOptions
    folders: tuple[str, ...]
    uri: str | None
    processor_s: float
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The result of reading a file.

    Attributes:
        documents: The documents that were read.
        gone, unreadable: Why the file was not read: it does not exist, or its content is not as expected.
        out_of_memory: Whether the memory limit was reached.
        last: Whether the process exits now because it has grown large.
        processor_s: Processor time in seconds that reading the file took.
        detail: Detail of the error.
    """

    documents: list[Document] = field(default_factory=list)
    gone: str | None = None
    unreadable: str | None = None
    out_of_memory: bool = False
    last: bool = False
    processor_s: float = 0.0
    detail: dict[str, Any] = field(default_factory=dict)


def serve(jobs: BinaryIO, answers: BinaryIO) -> None:
    """Read files until there are no more jobs, and write a result for each."""
    own_bytes = _memory_bytes()
    while True:
        try:
            job: ReadJob = pickle.load(jobs)
        except EOFError:
            return
        before = time.process_time()
        _limit(job)
        try:
            answer = pickle.dumps(replace(_answer(job, own_bytes), processor_s=time.process_time() - before))
        except MemoryError:
            answer = None
        _unlimit_memory()
        too_large = ReadResult(out_of_memory=True, last=True, processor_s=time.process_time() - before)
        answers.write(answer or pickle.dumps(too_large))
        answers.flush()


def _answer(job: ReadJob, own_bytes: int) -> ReadResult:
    try:
        documents = list(read(job.path, options=job.options, folders=job.folders, uri=job.uri))
    except MemoryError:
        return ReadResult(out_of_memory=True, last=True)
    except NotFound as error:
        return ReadResult(gone=error.message, detail=error.detail)
    except UnreadableDocument as error:
        return ReadResult(unreadable=error.message, detail=error.detail)
    except Exception as error:  # a library may raise any error, which must not stop the process
        return ReadResult(unreadable=f"{job.path} cannot be read: {type(error).__name__}: {error}")
    return ReadResult(documents, last=_memory_bytes() - own_bytes > job.memory_bytes // 2)


def _limit(job: ReadJob) -> None:
    with suppress(ImportError):  # the module does not exist on Windows
        import resource

        usage = resource.getrusage(resource.RUSAGE_SELF)
        _soft(resource.RLIMIT_CPU, ceil(usage.ru_utime + usage.ru_stime + job.processor_s))
        if own := _memory_bytes():
            _soft(resource.RLIMIT_AS, own + job.memory_bytes)


def _unlimit_memory() -> None:
    with suppress(ImportError):
        import resource

        _soft(resource.RLIMIT_AS, resource.getrlimit(resource.RLIMIT_AS)[1])


def _soft(kind: int, value: int) -> None:
    import resource

    most = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (value if most == resource.RLIM_INFINITY else min(value, most), most))


def _memory_bytes() -> int:
    """Return the address space of this process in bytes; 0 if the system does not report it."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Serve the parent process. The output of libraries is discarded."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.dup2(nowhere, sys.stderr.fileno())
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    serve(sys.stdin.buffer, answers)
