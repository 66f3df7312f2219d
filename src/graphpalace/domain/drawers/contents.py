"""What a text says: whether it has letters, and how much of it only points elsewhere."""

from __future__ import annotations

import re

_LETTER = re.compile(r"[^\W\d_]")

_READ_CHARS = 20_000  # a longer text is judged by its beginning

# Each part has a longest length, so that no text takes much longer to read than others.
_LINK = re.compile(
    r"""
      !?\[(?P<text>[^\]\n]{0,300})\]                                     # Markdown: [text](url), [text][label]
      (?:\([^)\s]{0,2000}(?:[ ]+"[^"\n]{0,300}")?\)|\[[^\]\n]{0,300}\])
    | (?m:^[ ]{0,3}\[[^\]\n]{1,300}\]:[ ]*\S[^\n]*$)                   # Markdown: [label]: url
    | (?::[a-z]{1,20})?:[a-z]{1,20}:`(?P<role>[^`\n]{1,300})`           # reStructuredText: :doc:`text <target>`
    | `(?P<named>[^`<\n]{1,300})<[^>\n]{1,2000}>`__?                   # reStructuredText: `text <url>`_
    | <?\b[a-z][a-z0-9+.-]{0,20}://[^\s<>)\]]+>?                       # https://example.org/page
    | (?m:^(?P<contents>[^\n]{1,200}?)[ ]{0,3}(?:\.[ ]?){4,200}[ ]{0,3}\d{1,5}[ ]*$)  # a book: Title ........ 12
    """,
    re.VERBOSE,
)
_ANY = re.compile(r"\]\(|\]\[|\]:|:`|>`_|://|\.\ *\.\ *\.\ *\.")
_WORD = re.compile(r"\w+")
_MARKS = re.compile(r"(?m)^[ \t]*(?:[-*+]|\d+[.)]|#+)\s+")


def has_letters(text: str) -> bool:
    """Return whether a text has a letter of any script.

    >>> has_letters("---- 12 ----"), has_letters("12 m")
    (False, True)
    """
    return _LETTER.search(text) is not None


def pointer_share(text: str) -> float:
    """Return the share of the words of a text that are links, 0 to 1; a bare address counts as one word.

    >>> pointer_share("- [Bees and flowers](bees.md)\\n- [Honey](honey.md)")
    1.0
    >>> pointer_share("A bee visits thousands of flowers ([source](bees.md)).")
    0.125
    """
    text = text[:_READ_CHARS]
    if not _ANY.search(text):
        return 0.0
    linked = 0

    def taken(found: re.Match[str]) -> str:
        nonlocal linked
        said = found["text"] or found["role"] or found["named"] or found["contents"] or ""
        linked += len(_WORD.findall(said)) if said else 1
        return " "

    rest = _LINK.sub(taken, _MARKS.sub("", text))
    words = linked + len(_WORD.findall(rest))
    return linked / words if words else 0.0
