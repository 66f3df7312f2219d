"""The process that runs the statistical model; `ProcessRecogniser` starts it.

It reads pickled lists of `ReadableText` from standard input, and writes for each a pickled list of mentions, or a text
that says why there is none, to standard output. It has a low priority, so that searches come first.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import BinaryIO

from graphpalace.entities.mention import Mention, ReadableText
from graphpalace.entities.spacy_recogniser import SpacyRecogniser

_NICE = 5


def serve(jobs: BinaryIO, answers: BinaryIO) -> None:
    """Read lists of texts until there are no more, and write what each has."""
    recogniser = SpacyRecogniser()
    while True:
        try:
            texts: Sequence[ReadableText] = pickle.load(jobs)
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
