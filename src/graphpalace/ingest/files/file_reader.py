"""Reads the files of an ingest: text and code in this process, other formats in a process with limits."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import ceil
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from graphpalace.domain.drawers.document import Document
from graphpalace.domain.drawers.files import ReadLimits, SlowFiles, SplitOptions
from graphpalace.errors import GraphPalaceError, NotFound, UnreadableDocument
from graphpalace.ingest.readers.registry import HEAVY_READERS, is_heavy, read, reader_of, source_of


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
            job: ReadJob = pickle.load(jobs)  # noqa: S301  from the parent process
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


_PROCESS = "from graphpalace.ingest.files.file_reader import main; main()"


class FileReader:
    """Reads files. It may be used from several threads and must be closed at the end.

    The reading process is started for the first file that needs it and reads files one after the other. If it reaches a
    limit, it is stopped and then restarted for the next file.
    """

    def __init__(self, options: SplitOptions, limits: ReadLimits | None = None) -> None:
        self._options = options
        self._limits = limits or ReadLimits()
        self._slow = SlowFiles(self._limits)
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = threading.Lock()
        self._closed = False

    @property
    def slow_s(self) -> float:
        """Processor time in seconds that slow files have taken so far."""
        return self._slow.taken_s

    @slow_s.setter
    def slow_s(self, seconds: float) -> None:
        """Count what slow files took that other processes read in the same ingest."""
        self._slow.taken_s = seconds

    def read(self, path: Path, folders: tuple[str, ...] = (), uri: str | None = None) -> list[Document]:
        """Return the documents of a file. The arguments are those of `registry.read`.

        Raises:
            NotFound: If the file does not exist.
            UnreadableDocument: If it cannot be read, or not within the limits.
        """
        if is_heavy(path):
            return self._read_apart(path, folders, uri)
        try:
            source = source_of(path, options=self._options, folders=folders, uri=uri)
            reader = reader_of(source)
            if reader in HEAVY_READERS:
                return self._read_apart(path, folders, uri)
            return list(reader(source))
        except GraphPalaceError:
            raise
        except Exception as error:  # a library may raise any error, which must not stop the ingest of other files
            raise _unreadable(path, f"cannot be read: {type(error).__name__}: {error}") from error

    def close(self) -> None:
        """Stop the process. A file that it is reading counts as unreadable."""
        self._closed = True
        if process := self._process:
            process.kill()

    def __enter__(self) -> FileReader:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()
        with self._turn:
            self._end()

    def _read_apart(self, path: Path, folders: tuple[str, ...], uri: str | None) -> list[Document]:
        try:
            size = path.stat().st_size
        except OSError:
            size = 0  # the reader reports the error
        with self._turn:
            answer = self._asked(path, folders, uri, size)
        if answer.out_of_memory:
            raise _unreadable(
                path,
                f"was skipped: reading it takes more than {self._limits.memory_mb} MiB of memory "
                "([ingest] read_limit_mb)",
            )
        if answer.gone is not None:
            raise NotFound(answer.gone, **answer.detail)
        if answer.unreadable is not None:
            raise UnreadableDocument(answer.unreadable, **answer.detail)
        return answer.documents

    def _asked(self, path: Path, folders: tuple[str, ...], uri: str | None, size: int) -> ReadResult:
        memory = self._limits.memory_mb * 2**20
        seconds = self._slow.processor_s_of(size)
        began = time.monotonic()
        process = self._started()
        assert process.stdin
        assert process.stdout
        clock = threading.Timer(self._limits.wait_s_of(seconds), process.kill)
        clock.daemon = True
        clock.start()
        try:
            job = ReadJob(path, self._options, folders, uri, seconds, memory)
            pickle.dump(job, process.stdin)
            process.stdin.flush()
            answer: ReadResult = pickle.load(process.stdout)  # noqa: S301  from the process that this one started
        except (EOFError, OSError, pickle.UnpicklingError):
            ended_by = -self._end()
            why = self._why(ended_by, size, seconds, timed_out=clock.finished.is_set())
            self._slow.took(min(seconds, time.monotonic() - began), chars=0)
            raise _unreadable(path, why) from None
        finally:
            clock.cancel()
        self._slow.took(answer.processor_s, chars=sum(_chars(document) for document in answer.documents))
        if answer.last:
            self._end()
        return answer

    def _why(self, ended_by: int, size: int, seconds: float, *, timed_out: bool) -> str:
        """Return why the process exited while reading a file.

        Args:
            seconds: Processor time that the file was given.
        """
        limit = "([ingest] read_limit_s)"
        if seconds < self._limits.processor_s_of(size):
            limit = (
                f"(slow files have taken {self._slow.taken_s:.0f} of the {self._limits.slow_s:g} s that they may take "
                "in one ingest, [ingest] slow_limit_s)"
            )
        if self._closed:
            return "was not read completely, because the ingest was stopped"
        if timed_out:
            return f"was skipped: reading it takes more than {self._limits.wait_s_of(seconds):g} s {limit}"
        if ended_by == getattr(signal, "SIGXCPU", None):
            return f"was skipped: reading it takes more than {seconds:g} s of processor time {limit}"
        crash = f"was skipped: the process that read it crashed (exit code {-ended_by})"
        if ended_by == signal.SIGABRT:  # how a library in C ends when it is refused memory
            return f"{crash}, probably at {self._limits.memory_mb} MiB of memory ([ingest] read_limit_mb)"
        return crash

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            environ: dict[str, Any] = {**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)}
            self._process = subprocess.Popen(
                [sys.executable, "-c", _PROCESS],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
                start_new_session=True,  # Ctrl-C must reach only the ingest, which stops this process
            )
            if self._closed:  # meanwhile
                self._process.kill()
        return self._process

    def _end(self) -> int:
        """Stop the process, if it is running, and return its exit code, which is negative after a signal."""
        process, self._process = self._process, None
        if process is None:
            return 0
        assert process.stdin
        assert process.stdout
        with suppress(OSError):
            process.stdin.close()
        process.stdout.close()
        return process.wait()


def _chars(document: Document) -> int:
    return sum(len(passage.text) for passage in document.passages)


def _unreadable(path: Path, why: str) -> UnreadableDocument:
    return UnreadableDocument(f"{path} {why}", path=str(path))
