"""JSON in what a language model wrote, which may have other text before and after it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


def first_object(
    answer: str, wanted: Callable[[dict[str, Any]], bool], *, chars: int, tries: int
) -> dict[str, Any] | None:
    """Return the first JSON object of an answer that is wanted; None if there is none.

    Args:
        chars: How much of the answer is read.
        tries: How many opening braces are tried.

    >>> first_object('Yes: {} and {"facts": []}.', lambda found: "facts" in found, chars=100, tries=10)
    {'facts': []}
    """
    answer, decoder, start = answer[:chars], json.JSONDecoder(), -1
    for _ in range(tries):
        start = answer.find("{", start + 1)
        if start < 0:
            return None
        try:
            found, _end = decoder.raw_decode(answer, start)
        except (ValueError, RecursionError):
            continue
        if wanted(found):
            return found
    return None
