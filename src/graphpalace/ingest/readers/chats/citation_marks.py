"""Removes what ChatGPT puts into its answers for its own page, such as the marks of citations.

A mark begins with the private-use sign U+E200, has its parts apart by U+E202, and ends with U+E201. Its first part is
its kind; most kinds, such as `cite`, point to what only the page knows. Single signs stand around the cited words.
"""

from __future__ import annotations

import json
import re

_BLANK = r"[ \t]*"
_MARK = re.compile(f"({_BLANK})\ue200([^\ue200\ue201]*)\ue201")
_CUT_OFF = re.compile(f"{_BLANK}\ue200\\w*(?:\ue202\\S*)*")  # the answer was stopped inside of the mark
_SIGNS = re.compile("[\ue200-\ue2ff]")
_OLD_MARK = re.compile(rf"{_BLANK}\u3010\d+(?::\d+)?\u2020[^\u3010\u3011\n]*\u3011")
_SHOWN = {"entity", "url"}  # kinds whose second part is read by the user


def without_marks(text: str) -> str:
    """Return a text without the marks. What the user sees in place of a mark stays: the name of a thing, or of a link.

    >>> without_marks("It rests.\ue200cite\ue202turn0search1\ue201 Then it bakes\u30104:0\u2020source\u3011.")
    'It rests. Then it bakes.'
    >>> without_marks('In \ue200entity\ue202["city","Ghent","Belgium"]\ue201 it rains.')
    'In Ghent it rains.'
    """
    if "\ue200" not in text and "\u2020" not in text:
        return text
    return _OLD_MARK.sub("", _SIGNS.sub("", _CUT_OFF.sub("", _MARK.sub(_seen, text))))


def _seen(mark: re.Match[str]) -> str:
    kind, _, rest = mark[2].partition("\ue202")
    if kind not in _SHOWN:
        return ""
    shown = rest.partition("\ue202")[0]
    if kind == "entity":
        try:
            shown = str(json.loads(rest)[1])
        except (ValueError, LookupError, TypeError):
            return ""
    return mark[1] + shown
