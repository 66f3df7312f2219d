"""Names of pieces of code, such as `argparse.ArgumentParser.parse_args`, and what follows from them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphpalace.domain.search.search_words import search_words

MOST_NAMES = 4
_MOST_CHARS = 200
_MARKS = re.compile(r"[.:,]")


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
        return ".".join((module, *(innermost or [()])[0]))[:_MOST_CHARS]
    depth = 0
    while len({one[: depth + 1] for one in innermost}) == 1:
        depth += 1
    inner = [".".join(one[depth:]) for one in innermost]
    more = ", ..." if len(inner) > MOST_NAMES else ""
    return f"{'.'.join((module, *innermost[0][:depth]))}: {', '.join(inner[:MOST_NAMES])}{more}"[:_MOST_CHARS]


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
    return text if name is None else f"{' '.join(_MARKS.sub(' ', name).split())}:\n{text}"
