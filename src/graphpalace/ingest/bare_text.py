"""Recognises pieces that say nothing by themselves: headings, comments, anchors, and links that stand alone."""

from __future__ import annotations

import re

from graphpalace.domain.letters import has_letters

_CODE_COMMENT = re.compile(
    r"/\*.*?\*/|<!--.*?-->|^[ \t]*(?://|--|;|%|#(?=[\s#!=*-]|$))[^\n]*$", re.DOTALL | re.MULTILINE
)
_MARKUP = re.compile(
    r"""
      <!--.*?-->                                    # a comment
    | <a\b[^>]*>\s*</a>|<a\b[^>]*/>                 # an anchor
    | ^[ \t]*\.\.[ ]_[^\n]*$                        # a label of reStructuredText
    | ^[ ]{0,3}\#{1,6}(?:[ \t][^\n]*)?$             # a heading
    | ^[^\n]+\n[=\-~^"'*+\#]{3,}[ \t]*$             # a heading with a line under it
    | ^[ \t]*(?:[-*+]|\d+[.)])?[ \t]*\[[^\]\n]*\]\([^)\n]*\)[ \t]*$   # a line with a link alone
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)


def is_bare(text: str, *, code: bool) -> bool:
    """Return whether nothing with letters is left without headings, comments, anchors and lone links.

    Args:
        code: Whether the text is source code, in which `#` begins a comment and not a heading.

    >>> is_bare("## Licence\\n<a id='licence'></a>\\n", code=False), is_bare("# Adds.\\n", code=True)
    (True, True)
    >>> is_bare("## Licence\\n\\nMIT\\n", code=False)
    False
    """
    # Line ends of other systems would hide the ends of lines from the patterns.
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    if code:
        return not has_letters(_CODE_COMMENT.sub("", plain))
    return not has_letters(_MARKUP.sub("", plain))
