"""Words around an expression of time that make it mean another time, or no time at all.

The rules leave out a time rather than take a wrong one. For example, "by last week" and "half a year ago" have none.
"""

from __future__ import annotations

import re

from graphpalace.entities.times.counts import NUMBER

_UNITS: str = (
    "minute|hour|day|night|morning|afternoon|evening|week|weekend|fortnight|month|quarter|year|time|while|moment"
)
_PARTS: str = (
    "start|beginning|middle|end|half|part|rest|first|second|third|last|ides|spring|summer|autumn|fall|winter|"
    "mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?"
)
_TIME = (
    r"\d|the\b|last\b|this\b|next\b|earlier\b|later\b|before\b|after\b|since\b|until\b|now\b|today\b|yesterday\b|tomorrow\b|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|january\b|february\b|march\b|april\b|may\b|june\b|july\b|"
    r"august\b|september\b|october\b|november\b|december\b"
)

# Before it: "the end of", "half", "more than", "as of", "three or", "1.", "a week" ...
_LEFT = re.compile(
    rf"(?:\b(?:(?:{_UNITS})s?|{_PARTS}|half|by|not|than|least|most|under|over|every|each|except|excluding|besides|without|"
    rf"starting|beginning|through|next|and|or|to|hundred|thousand|few|some|several|many|{NUMBER})"
    r"(?:\s+(?:of|in))?(?:\s+the)?|\bas\s+of|\d[.,/-]|[-\u2013/])\s*$",
    re.I,
)
# Before a longer time: only a part of it is meant.
_PART_OF_IT = re.compile(r"\b(?:early|earlier|late|later|mid|middle)[\s-]+(?:in\s+)?$", re.I)
# Before "before", "since" and the like: "shortly", "never", "the meeting" is not sure, "what did I note" is.
_BEFORE_OPENER = re.compile(
    rf"\b(?:(?:{_UNITS})s?|{_PARTS}|{NUMBER}|just|right|shortly|soon|immediately|directly|long|well|not|never|later|earlier|"
    rf"and|or|until|till|before|after|since|from)\s+$",
    re.I,
)
_NOT_SINCE = re.compile(r"\b(?:not|never|no\s+\w+)\b|n't\b", re.I)
# After it: "or so", "of the year", "- April", "week", "and in April", "to the summer" ...
_RIGHT = re.compile(
    r"\s*(?:[-\u2013\u2014/]\s*\w|\b(?:or|but|next|last|each|every|week|fortnight|of(?!\s+course))\b"
    rf"|\b(?:and|to|till|until|through)\s+(?:in\s+|on\s+)?(?:{_TIME}))",
    re.I,
)
_POSSESSIVE = re.compile(r"['\u2019]s\b")
# What may follow "before last", which can also go on: "the week before last Christmas".
_ENDS = re.compile(
    r"\s*(?:$|[^\w\s]|(?:i|you|he|she|it|we|they|what|who|whom|when|where|why|how|which|did|do|does|was|were|is|are|had|"
    r"have|has|and|with|at|in|on|about|for|the|a|an|my|our|his|her|their|that|there|because|as|if)\b)",
    re.I,
)


def makes_unsure(text: str, start: int, end: int, *, opener: str, whole_day: bool) -> bool:
    """Return whether the words around an expression make it unsure which time is meant.

    Args:
        start, end: First and last character of the expression and its opener, the last one exclusive.
        opener: Such as "since"; "" for none.
        whole_day: Whether it is a day, of which "early" leaves the day.
    """
    left, right = text[:start], text[end:]
    if _quoted(left) or _RIGHT.match(right):
        return True
    if text[start:end].lower().endswith("before last") and not _ENDS.match(right):
        return True
    if opener and opener != "from":
        return bool(_BEFORE_OPENER.search(left) or _POSSESSIVE.match(right)) or (
            opener == "since" and bool(_NOT_SINCE.search(left))
        )
    return bool(_LEFT.search(left)) or (not whole_day and bool(_PART_OF_IT.search(left)))


def _quoted(left: str) -> bool:
    return left.count('"') % 2 == 1 or left.count("“") > left.count("”")
