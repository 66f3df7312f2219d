"""Where commands print: answers to standard output, messages to standard error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console

out = Console(soft_wrap=True)  # a line stays one line: what is piped can be read by programs, an id can be copied
err = Console(stderr=True)
_answers = Console(soft_wrap=True)


@contextmanager
def json_alone() -> Iterator[None]:
    """Leave standard output to `print_json`: whatever else is printed goes to standard error."""
    out.stderr = True
    try:
        yield
    finally:
        out.stderr = False


def print_json(answer: Any) -> None:
    """Print an answer as JSON, as it is declared in `domain`."""
    from graphpalace.serve.render import as_json

    _answers.print_json(json.dumps(as_json(answer)))
