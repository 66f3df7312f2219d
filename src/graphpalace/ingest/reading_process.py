"""The process that reads heavy formats; `FileReader` starts it.

It takes pickled `Job`s on standard input and answers each with a pickled `Answer` on standard output. Before each file
it limits itself: the system then ends it at the limit of time, and refuses it memory at the limit of memory.
"""

from __future__ import annotations

import os
import pickle
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any, BinaryIO

from graphpalace.domain.document import Document
from graphpalace.errors import NotFound, UnreadableDocument
from graphpalace.ingest.readers.registry import read
from graphpalace.ingest.split import SplitOptions


@dataclass(frozen=True, slots=True)
class Job:
    """A file to be read, and what that may take."""

    path: Path
    options: SplitOptions
    folders: tuple[str, ...]
    processor_s: float
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a file.

    Attributes:
        documents: What was read.
        gone, unreadable: Why it was not: the file is not there, or its format is not as it should be.
        out_of_memory: Whether the limit of memory was reached.
        last: Whether the process ends now, since it has become large.
        detail: Of the error.
    """

    documents: list[Document] = field(default_factory=list)
    gone: str | None = None
    unreadable: str | None = None
    out_of_memory: bool = False
    last: bool = False
    detail: dict[str, Any] = field(default_factory=dict)


def serve(jobs: BinaryIO, answers: BinaryIO) -> None:
    """Read files until there are no more jobs."""
    own_bytes = _memory_bytes()
    while True:
        try:
            job: Job = pickle.load(jobs)
        except EOFError:
            return
        _limit(job)
        try:
            answer = pickle.dumps(_answer(job, own_bytes))
        except MemoryError:
            answer = None
        _unlimit_memory()
        answers.write(answer or pickle.dumps(Answer(out_of_memory=True, last=True)))
        answers.flush()


def _answer(job: Job, own_bytes: int) -> Answer:
    try:
        documents = list(read(job.path, options=job.options, folders=job.folders))
    except MemoryError:
        return Answer(out_of_memory=True, last=True)
    except NotFound as error:
        return Answer(gone=error.message, detail=error.detail)
    except UnreadableDocument as error:
        return Answer(unreadable=error.message, detail=error.detail)
    except Exception as error:  # a library may raise any; the next file can be read all the same
        return Answer(unreadable=f"{job.path} cannot be read: {type(error).__name__}: {error}")
    return Answer(documents, last=_memory_bytes() - own_bytes > job.memory_bytes // 2)


def _limit(job: Job) -> None:
    with suppress(ImportError):  # there is no such module on Windows
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
    """Return the address space of this process; 0 where the system does not say so."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Serve the process that started this one; what a library prints goes nowhere."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.dup2(nowhere, sys.stderr.fileno())
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    serve(sys.stdin.buffer, answers)
