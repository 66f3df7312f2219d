"""Run the statistical model for English prose in a process that ends when it was not used for a while.

So no command pays for importing spaCy, its memory is free again afterwards, and searches do not wait for it.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import BinaryIO

from graphpalace.entities.mention import Mention, ReadableText, Recogniser
from graphpalace.entities.rules import is_code
from graphpalace.entities.spacy_recogniser import SpacyRecogniser
from graphpalace.entities.words import guessed_language
from graphpalace.errors import NamesFailed

_PROCESS = "from graphpalace.entities.process_recogniser import main; main()"


class ProcessRecogniser:
    """A `SpacyRecogniser` in another process. Several threads may call it; they are served one after the other."""

    version = SpacyRecogniser.version

    def __init__(self, *, idle_s: float = 60.0) -> None:
        """Create it; the process is started when it is first used.

        Args:
            idle_s: Seconds without use after which the process ends.
        """
        self._idle_s = idle_s
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._clock: threading.Timer | None = None

    def names(self, texts: Sequence[ReadableText]) -> list[list[Mention]]:
        """Return the mentions in each text.

        Raises:
            NamesFailed: If the process cannot be started, or ends before it answers.
        """
        with self._turn:
            self._stop_clock()
            answer = self._answer(texts)
            self._clock = threading.Timer(self._idle_s, self.close)
            self._clock.daemon = True
            self._clock.start()
        if isinstance(answer, str):
            raise NamesFailed(f"spaCy could not read the names: {answer}")
        return answer

    def close(self) -> None:
        """End the process, if it is running. It is started again when it is used again."""
        with self._turn:
            self._stop_clock()
            self._end()

    def _answer(self, texts: Sequence[ReadableText]) -> list[list[Mention]] | str:
        process = self._started()
        assert process.stdin
        assert process.stdout
        try:
            pickle.dump(list(texts), process.stdin)
            process.stdin.flush()
            return pickle.load(process.stdout)  # noqa: S301  from the process that this one started
        except (EOFError, OSError, pickle.UnpicklingError):
            raise NamesFailed(f"the process that reads names ended with exit code {self._end()}") from None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            paths = os.pathsep.join(part for part in sys.path if part)
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-c", _PROCESS],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env={**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
                    start_new_session=True,  # Ctrl-C must reach only the parent, which stops this process
                )
            except OSError as error:
                raise NamesFailed(f"the process that reads names cannot be started: {error}") from error
        return self._process

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _end(self) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        return process.wait()


class AutoRecogniser:
    """Uses the statistical model for English prose, and rules for other languages and for source code."""

    def __init__(self, english: Recogniser, rules: Recogniser) -> None:
        self._english = english
        self._rules = rules

    @property
    def version(self) -> str:
        """Changes when one of the two does."""
        return f"auto({self._english.version},{self._rules.version})"

    def names(self, texts: Sequence[ReadableText]) -> list[list[Mention]]:
        """Return the mentions in each text."""
        english = [not is_code(text.media_type) and guessed_language(text.text) == "en" for text in texts]
        found: list[list[Mention]] = [[] for _ in texts]
        for recogniser, wanted in ((self._english, True), (self._rules, False)):
            places = [at for at, is_english in enumerate(english) if is_english is wanted]
            if places:
                for at, names in zip(places, recogniser.names([texts[at] for at in places]), strict=True):
                    found[at] = names
        return found


_NICE = 5


def serve(jobs: BinaryIO, answers: BinaryIO) -> None:
    """Read lists of texts until there are no more, and write what each has."""
    recogniser = SpacyRecogniser()
    while True:
        try:
            texts: Sequence[ReadableText] = pickle.load(jobs)  # noqa: S301  from the parent process
        except EOFError:
            return
        answer: list[list[Mention]] | str
        try:
            answer = recogniser.names(texts)
        except Exception as error:  # a library may raise any error, which the parent process reports
            answer = f"{type(error).__name__}: {error}"
        answers.write(pickle.dumps(answer))
        answers.flush()


def main() -> None:
    """Serve the parent process. The output of libraries is discarded."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    with suppress(AttributeError, OSError):  # Windows has no such call
        os.nice(_NICE)
    sys.modules["torch"] = None  # pyright: ignore[reportArgumentType]  # spaCy would import it, and this model needs none
    serve(sys.stdin.buffer, answers)
