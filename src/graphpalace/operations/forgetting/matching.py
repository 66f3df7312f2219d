"""Whether texts match what somebody wants to forget. It takes time in proportion to the texts, whatever the pattern.

Regular expressions are those of RE2, which has no construct that needs backtracking. So no pattern can keep the service
busy for longer than the texts take to read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import re2

from graphpalace.domain.forgetting import plain
from graphpalace.errors import InvalidInput

Matcher = Callable[[Sequence[str]], bool]

_OUTSIDE = r"[^\pL\pN_]"


def pattern_matcher(pattern: str, *, regex: bool) -> Matcher:
    """Return a function that tells whether one of some texts has a pattern.

    A pattern that is no regular expression is found in capitals and small letters, and with any blanks between words.

    Raises:
        InvalidInput: If it is no regular expression of RE2, or one that every text has.
    """
    if regex:
        found = _compiled(pattern)
        if found.search("") is not None:
            raise InvalidInput(
                f"pattern is {pattern!r}, which every text has, because it matches nothing too; name at least one "
                "character that must be there",
                field="pattern",
            )
        return lambda texts: any(found.search(text) is not None for text in texts)
    wanted = plain(pattern)
    return lambda texts: any(wanted in plain(text) for text in texts)


def name_matcher(names: Sequence[str]) -> Matcher:
    """Return a function that tells whether one of some texts has one of some names as whole words."""
    spelled = (r"\s+".join(re2.escape(word) for word in name.split()) for name in names if name.strip())
    found = _compiled(f"(?i)(^|{_OUTSIDE})({'|'.join(spelled)})({_OUTSIDE}|$)")
    return lambda texts: any(found.search(text) is not None for text in texts)


def _compiled(pattern: str) -> re2.Pattern:  # pyright: ignore[reportAttributeAccessIssue]
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        why = error.args[0].decode("utf-8", "replace")
        raise InvalidInput(
            f"pattern is {pattern!r}, which is no regular expression of RE2: {why}", field="pattern"
        ) from None
