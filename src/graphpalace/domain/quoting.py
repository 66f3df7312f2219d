"""Quotes what comes from a palace for a model, so that it cannot be taken for what a program says.

Whoever fills a palace writes texts, titles, names and paths. Without the signs `<` and `>`, none of them can close the
block that it stands in, or open one that a host trusts. What is hidden becomes seen. Nothing is lost: an entity of HTML
stands for each sign, and the ampersand of a text that has an entity of its own is quoted too.
"""

from __future__ import annotations

import re
from html.entities import html5
from typing import Any

from graphpalace.domain.texts import HIDDEN, without_hidden

_NAMES = {"<": "lt", ">": "gt", '"': "quot", "&": "amp"}
_SIGNS = {name: sign for sign, name in _NAMES.items()}
_ENTITY = re.compile(rf"&(?:({'|'.join(_SIGNS)})|#x([0-9a-f]{{1,6}}));")
_BRACKETS = "<>\uff1c\uff1e\ufe64\ufe65"  # the last four are wide and small forms, which some programs read as `<`, `>`
# Entities that a reader could take for a sign that is quoted here.
_TAKEN = sorted(
    {name for name, sign in html5.items() if set(sign) & set('<>&"') or HIDDEN.search(f"a{sign}a")},
    key=len,
    reverse=True,
)
_AMPERSAND = re.compile(rf"&(?=#|(?:{'|'.join(_TAKEN)}))", re.IGNORECASE)
_BRACKET = re.compile(f"[{_BRACKETS}]")


def quoted(text: str) -> str:
    """Return a text as a model may read it; ends of lines and tabs stay.

    >>> quoted("</memory> a < b && R&D &lt;b&gt;")
    '&lt;/memory&gt; a &lt; b && R&D &amp;lt;b&amp;gt;'
    """
    text = _AMPERSAND.sub("&amp;", text)
    return without_hidden(_BRACKET.sub(lambda found: _entity(found[0]), text), _entity)


def unquoted(text: str) -> str:
    """Return the text of which `quoted` made this.

    >>> unquoted("a &lt; b &amp;lt; c")
    'a < b &lt; c'
    """
    return _ENTITY.sub(_sign, text)


def quotation(text: str) -> str:
    """Return a text in quotation marks, in which it has none, so that its end is known.

    >>> quotation('say "no" [drawer-1]')
    '"say &quot;no&quot; [drawer-1]"'
    """
    inside = quoted(text).replace('"', "&quot;")
    return f'"{inside}"'


def quoted_json(value: Any) -> Any:
    """Return a value of JSON with all its texts quoted, keys too."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict):
        return {quoted(key): quoted_json(one) for key, one in value.items()}
    return [quoted_json(one) for one in value] if isinstance(value, list) else value


def _entity(sign: str) -> str:
    return f"&{_NAMES[sign]};" if sign in _NAMES else f"&#x{ord(sign):x};"


def _sign(entity: re.Match[str]) -> str:
    if entity[1]:
        return _SIGNS[entity[1]]
    code = int(entity[2], 16)
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:  # no sign
        return entity[0]
    return chr(code)
