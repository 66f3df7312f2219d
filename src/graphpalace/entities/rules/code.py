"""Names in source code: what a piece defines, and what it imports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphpalace.domain.knowledge.entity import EntityType
from graphpalace.entities.mention import Mention

_LEAST_CHARS = 3
_DEFINES = re.compile(
    r"^[ \t]*(?:(?:export|default|public|private|protected|static|final|abstract|async|unsafe|inline"
    r"|pub(?:\([a-z]+\))?)[ \t]+)*"
    r"(?:def|class|function\*?|func|fn|struct|enum|trait|interface|record|type|mod|namespace|union)[ \t]+"
    r"(?:\([^()\n]*\)[ \t]*)?([A-Za-z_]\w*)",
    re.MULTILINE,
)
_IMPORTS = re.compile(
    r"^[ \t]*(?:from[ \t]+([A-Za-z_][\w.]*)[ \t]+import\b"  # Python
    r"|(?:import|export)\b[^;\n\"']*?from[ \t]*[\"']([^\"'\n]+)[\"']"  # JavaScript
    r"|import[ \t]+(?:\w+[ \t]+)?\"([\w./-]+)\""  # Go
    r"|import[ \t]+(?:static[ \t]+)?([A-Za-z_][\w.]*)"  # Python, Java
    r"|(?:pub[ \t]+)?use[ \t]+([A-Za-z_][\w:]*)"  # Rust
    r"|#[ \t]*include[ \t]*[<\"]([\w./+-]+)[>\"])",  # C
    re.MULTILINE,
)
_HIDDEN = re.compile(r"^__\w+__$")


def is_code(media_type: str) -> bool:
    """Return whether a document of this type is source code."""
    return media_type.startswith("text/x-") or media_type == "text/javascript"


def code_names(text: str, headings: Sequence[str] = ()) -> Iterator[Mention]:
    """Yield what a piece of source code defines and imports.

    Args:
        headings: Names of definitions that the piece belongs to, as the reader of its file found them.
    """
    defined = [found[1] for found in _DEFINES.finditer(text)]
    imported = [next(name for name in found.groups() if name) for found in _IMPORTS.finditer(text)]
    for name in (*(heading for heading in headings if heading.isidentifier()), *defined, *imported):
        plain = name.strip("./:").removesuffix(".h").removesuffix(".hpp")
        if len(plain) >= _LEAST_CHARS and not _HIDDEN.match(plain):
            yield Mention(plain, EntityType.CODE)
