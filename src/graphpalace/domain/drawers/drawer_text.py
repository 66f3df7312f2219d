"""What the text of a drawer tells: its name, whether it has letters, and how much of it only points elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphpalace.domain.search.search_words import search_words

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
_LIST_MARKS = re.compile(r"(?m)^[ \t]*(?:[-*+]|\d+[.)]|#+)\s+")


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

    rest = _LINK.sub(taken, _LIST_MARKS.sub("", text))
    words = linked + len(_WORD.findall(rest))
    return linked / words if words else 0.0


MOST_DEFINITIONS = 4
_CODE_CHARS = 200
_CODE_MARKS = re.compile(r"[.:,]")

MOST_CHARS = 80
READ_CHARS = 400  # characters of a text that are read to find its name
_FENCE = re.compile(r"\s*(```|~~~)")
_BEFORE = r"^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+)+"
_AROUND = r"(?<!\w)[*`]{1,3}(?=\w)|(?<=\S)[*`]{1,3}(?!\w)|\s+#+\s*$"
_MARKS = re.compile(f"{_BEFORE}|{_AROUND}")
_WORDS = re.compile(r"\w")


def code_name(module: str, definitions: Sequence[tuple[str, ...]]) -> str:
    """Return the name of a piece of code.

    Args:
        module: The name of its file, without the suffix.
        definitions: What it defines or is a part of, each from the outermost scope to the innermost.

    >>> code_name("argparse", [("ArgumentParser",), ("ArgumentParser", "parse_args")])
    'argparse.ArgumentParser.parse_args'
    >>> code_name("argparse", [("ArgumentParser", "exit"), ("ArgumentParser", "error")])
    'argparse.ArgumentParser: exit, error'
    """
    different = list(dict.fromkeys(definitions))
    innermost = [one for one in different if not any(one != other == (*one, *other[len(one) :]) for other in different)]
    if len(innermost) < 2:
        return ".".join((module, *(innermost or [()])[0]))[:_CODE_CHARS]
    depth = 0
    while len({one[: depth + 1] for one in innermost}) == 1:
        depth += 1
    inner = [".".join(one[depth:]) for one in innermost]
    more = ", ..." if len(inner) > MOST_DEFINITIONS else ""
    return f"{'.'.join((module, *innermost[0][:depth]))}: {', '.join(inner[:MOST_DEFINITIONS])}{more}"[:_CODE_CHARS]


def title_words(title: str, *names: str | None) -> str:
    """Return the words by which a drawer is found besides those of its text: of its document's title and other names.

    Args:
        names: Of the drawer, the number of its publication, the aliases and tags of its document; None: it has none.
    """
    return search_words(" ".join([title, *(name for name in names if name is not None and name != title)]))


def embedded_text(name: str | None, text: str) -> str:
    """Return what is embedded for a text: a piece of code has its name in front, in words.

    >>> embedded_text("argparse.ArgumentParser.parse_args", "def parse_args(self): ...")
    'argparse ArgumentParser parse_args:\\ndef parse_args(self): ...'
    """
    return text if name is None else f"{' '.join(_CODE_MARKS.sub(' ', name).split())}:\n{text}"


def drawer_name(text: str) -> str:
    """Return the first line of a text that has words, without Markdown marks, up to 80 characters.

    A line that only opens a block of code, such as "```bash", is skipped.
    """
    lines = (line for line in text[:READ_CHARS].splitlines() if not _FENCE.match(line) and _WORDS.search(line))
    return one_line(_MARKS.sub("", next(lines, text[:READ_CHARS])))


def one_line(text: str) -> str:
    """Return the first words of a text in one line, up to 80 characters."""
    return " ".join(text.split())[:MOST_CHARS].strip()
