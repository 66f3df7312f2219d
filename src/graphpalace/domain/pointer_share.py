"""How much of a text only points elsewhere: the share of its words that are links."""

from __future__ import annotations

import re

_LINK = re.compile(
    r"""
      !?\[(?P<text>[^\]\n]*)\](?:\([^)\s]*(?:\s+"[^"\n]*")?\)|\[[^\]\n]*\])  # Markdown: [text](url), [text][label]
    | (?m:^\ *\[[^\]\n]+\]:\ *\S+.*$)                                         # Markdown: [label]: url
    | (?::[a-z]+)?:[a-z]+:`(?P<role>[^`\n]+)`                                 # reStructuredText: :doc:`text <target>`
    | `(?P<named>[^`<\n]+?)\s*<[^>\n]+>`__?                                   # reStructuredText: `text <url>`_
    | <?\b(?P<url>[a-z][a-z0-9+.-]*://[^\s<>)\]]+)>?                          # https://example.org/page
    | (?m:^(?P<contents>.*?\S)\ *(?:\.\ *){4,}\d+\ *$)                        # contents of a book: Title ........ 12
    """,
    re.VERBOSE,
)
_ANY = re.compile(r"\]\(|\]\[|\]:|:`|>`_|://|\.\ *\.\ *\.\ *\.")
_WORD = re.compile(r"\w+")
_MARKS = re.compile(r"(?m)^\s*(?:[-*+]|\d+[.)]|#+)\s+")


def pointer_share(text: str) -> float:
    """Return the share of the words of a text that are links, 0 to 1; a bare address counts as one word.

    >>> pointer_share("- [Bees and flowers](bees.md)\\n- [Honey](honey.md)")
    1.0
    >>> pointer_share("A bee visits thousands of flowers ([source](bees.md)).")
    0.125
    """
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
