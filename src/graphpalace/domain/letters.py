"""Whether a text says anything: one without letters is stored, but not indexed."""

from __future__ import annotations

import re

_LETTER = re.compile(r"[^\W\d_]")


def has_letters(text: str) -> bool:
    """Return whether a text has a letter of any script.

    >>> has_letters("---- 12 ----"), has_letters("12 m")
    (False, True)
    """
    return _LETTER.search(text) is not None
