"""Classification codes: one way to write them, which code covers which, and counting them at a level.

A symbol of the IPC and the CPC has five levels: section `H`, class `H04`, subclass `H04L`, main group `H04L9/00`
(written `H04L9` too) and subgroup `H04L9/32`. An FI symbol goes on below that with `,` and a number and a letter
(`H04L9/32,200A`, or `H04L9/32@Z`). An F-term has a theme `5K067`, a viewpoint `5K067AA` and a term `5K067AA01`.
Codes of other schemes have a level wherever a sign that is neither letter nor digit stands: `TOOLS`, `TOOLS-SAW`.

Source: WIPO, Guide to the IPC, "Complete classification symbol"; JPO, FI and F-terms; seed 004, section 6.2.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, get_args

from graphpalace.errors import InvalidInput

SYMBOL_SCHEMES = ("ipc", "cpc", "fi")
Level = Literal["section", "class", "subclass", "group", "full"]
LEVELS: tuple[str, ...] = get_args(Level)
# What a code of a scheme looks like, for messages; `any` stands for the others too.
_SYMBOL_SHAPE = "a section (H), class (H04), subclass (H04L), main group (H04L9) or subgroup (H04L9/32)"
SHAPES = {
    **dict.fromkeys(SYMBOL_SCHEMES, _SYMBOL_SHAPE),
    "fi": f"{_SYMBOL_SHAPE}, or what stands below it (H04L9/32,200A)",
    "ft": "a theme (5K067), viewpoint (5K067AA) or term (5K067AA01)",
    "any": "letters and digits in parts with one other sign between them, as H04L9/32, 5K067AA01 or TOOLS-SAW",
}

_SYMBOL = re.compile(r"([A-HY])(?:(\d\d)(?:([A-Z])(?:0*([1-9]\d{0,3})(?:/(\d{1,6}))?)?)?)?")
_FI_TAIL = re.compile(r"[,@]*(\d{3})?[,@]*([A-Z])?")
_TERM = re.compile(r"(\d[A-Z]\d{3})([A-Z]{2})?(\d{2}[A-Z]?)?")
_SHORT_TERM = re.compile(r"\d[\dA-Z]{0,8}")  # part of an F-term, as some sources have them
_PARTS = re.compile(r"[^\W_]+(?:[\W_][^\W_]+)*")
_VERSION = re.compile(r"\s*\(\d{4}\.\d\d\)\s*$")
_AFTER_SUBGROUP = re.compile(r"(/\s*\d+)\s+(?=[\dA-Z])")


def normalised(code: str, *, scheme: str = "cpc") -> str:
    """Return a code as it is stored and compared: upper case, without spaces, IPC versions and padding zeros.

    >>> normalised("h04l 0009/32 (2006.01)")
    'H04L9/32'
    >>> normalised("H04L 9/32 200 A", scheme="fi")
    'H04L9/32,200A'
    """
    upper = _VERSION.sub("", code.upper())
    if scheme == "fi":
        upper = _AFTER_SUBGROUP.sub(r"\1,", upper)  # the space is what parts 9/32 from 200
    bare = "".join(upper.split())
    levels = _symbol_levels(bare, tails=scheme == "fi") if scheme in SYMBOL_SCHEMES else None
    if not levels:
        return bare
    return f"{levels[-1]}/00" if re.search(r"/0+$", bare) else levels[-1]


def is_symbol(code: str, *, scheme: str = "cpc") -> bool:
    """Return whether a code of `SYMBOL_SCHEMES` is a section, class, subclass, group, or for FI something below."""
    return _symbol_levels(normalised(code, scheme=scheme), tails=scheme == "fi") is not None


def is_code(code: str, *, scheme: str) -> bool:
    """Return whether a code can be one of a scheme; `any` takes what some scheme could have.

    >>> is_code("H04L9/32", scheme="ipc"), is_code("ZZZ??", scheme="ipc"), is_code("TOOLS-SAW", scheme="any")
    (True, False, True)
    """
    if scheme in SYMBOL_SCHEMES:
        return is_symbol(code, scheme=scheme)
    bare = normalised(code, scheme=scheme)
    if scheme == "ft":
        return bool(_TERM.fullmatch(bare) or _SHORT_TERM.fullmatch(bare))
    return bool(_PARTS.fullmatch(bare))


@lru_cache(maxsize=65_536)
def levels_of(code: str, scheme: str = "cpc") -> tuple[str, ...]:
    """Return all that covers a code, from the widest to the code itself, which a main group writes without `/00`.

    >>> levels_of("H04L9/32")
    ('H', 'H04', 'H04L', 'H04L9', 'H04L9/32')
    >>> levels_of("5K067AA01", "ft")
    ('5K067', '5K067AA', '5K067AA01')
    """
    bare = normalised(code, scheme=scheme)
    if scheme in SYMBOL_SCHEMES:
        return _symbol_levels(bare, tails=scheme == "fi") or _prefixes(bare)
    term = _TERM.fullmatch(bare) if scheme == "ft" else None
    if term and (term[2] or not term[3]):
        return tuple(bare[: term.end(part)] for part in (1, 2, 3) if term[part])
    return _prefixes(bare)


def covers(wanted: str, code: str, *, scheme: str = "cpc") -> bool:
    """Return whether a code is the wanted one, or stands below it.

    Only whole levels count: `H04L` and `H04L9` (or `H04L9/00`) cover `H04L9/32`, while `H04L9/3` does not. Of the
    subgroups each covers only itself, `H04L9/32` not `H04L9/3226`, because the symbol does not say under which other
    subgroup it stands. Spaces and case do not matter.

    Args:
        wanted: What is looked for.
        code: What a document has.
        scheme: `ipc`, `cpc` and `fi` have the levels of symbols, `ft` those of F-terms, others those of their signs.
    """
    own = levels_of(wanted, scheme)
    return bool(own) and own[-1] in levels_of(code, scheme)


def rollup(code: str, level: str, *, scheme: str = "cpc") -> str:
    """Return what a code counts as at a level of `LEVELS`; a code that is wider than the level is itself.

    F-terms count as their theme, at `group` as their viewpoint; codes of other schemes as their first part.

    Raises:
        InvalidInput: If the level is not one of `LEVELS`.

    >>> rollup("H04L9/32", "subclass"), rollup("H04L9/32", "group"), rollup("5K067AA01", "class", scheme="ft")
    ('H04L', 'H04L9', '5K067')
    """
    if level not in LEVELS:
        raise InvalidInput(f"level is {level!r}; it must be one of {', '.join(LEVELS)}", field="level", value=level)
    if level == "full":
        return normalised(code, scheme=scheme)
    levels = levels_of(code, scheme)
    if not levels:
        return ""
    at = LEVELS.index(level) if scheme in SYMBOL_SCHEMES else int(scheme == "ft" and level == "group")
    return levels[min(at, len(levels) - 1)]


def _symbol_levels(bare: str, *, tails: bool) -> tuple[str, ...] | None:
    """Return the levels of a symbol without spaces, or None if it is none."""
    found = _SYMBOL.match(bare)
    if not found:
        return None
    section, class_, subclass, group, subgroup = found.groups()
    levels = [section]
    for part in (class_, subclass, group):
        if part:
            levels.append(levels[-1] + part)
    whole = f"{levels[-1]}/{subgroup}" if subgroup else levels[-1]
    if subgroup and subgroup.strip("0"):
        levels.append(whole)
    rest = bare[found.end() :]
    if not rest:
        return tuple(levels)
    tail = _FI_TAIL.fullmatch(rest) if tails and subgroup else None
    if not tail or not (tail[1] or tail[2]):
        return None
    if tail[1]:
        levels.append(f"{whole},{tail[1]}")
    if tail[2]:
        levels.append(f"{levels[-1]}{tail[2]}" if tail[1] else f"{whole}@{tail[2]}")
    return tuple(levels)


def _prefixes(bare: str) -> tuple[str, ...]:
    ends = [match.start() for match in re.finditer(r"(?<=[^\W_])[\W_]", bare)]
    return (*(bare[:end] for end in ends), bare) if bare else ()
