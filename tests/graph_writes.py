"""Which labels, relationship types and properties the query files write, as far as their text says."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_CLAUSES = "MATCH|MERGE|CREATE|WITH|RETURN|CALL|FOREACH|UNWIND|DETACH|DELETE|REMOVE|WHERE|UNION|SET|ON"
_NODE = re.compile(r"\(\s*(\w*)\s*:([\w:|]+)")
_EDGE = re.compile(r"\[\s*(\w*)\s*:([\w|]+)")
_MAP = r"\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\})?"
_LIST = re.compile(r":\s*\[(?:[^\[\]]|\[[^\[\]]*\])*\]")  # as a property's value: its words are no clauses
_PLACE = re.compile(r"__[A-Z]+__")  # of a literal: cypher/transfer has one query for all kinds
_SHORT_LIVED = {"fresh"}  # set and removed by the same query


@dataclass
class Writes:
    """What is written: names of nodes' labels and relationships' types, each with its properties."""

    mentioned: set[str] = field(default_factory=set)
    created: set[str] = field(default_factory=set)
    properties: dict[str, set[str]] = field(default_factory=dict)
    maps: set[str] = field(default_factory=set)

    def add(self, names: set[str], properties: set[str]) -> None:
        """Note properties of all these names."""
        for name in names:
            self.properties.setdefault(name, set()).update(properties - _SHORT_LIVED)


def graph_writes() -> Writes:
    """Read every query of the product; favourites are left out."""
    found = Writes()
    for path in sorted((ROOT / "cypher").rglob("*.cypher")):
        if path.relative_to(ROOT / "cypher").parts[0] != "browser":
            _read(re.sub(r"//.*|'[^']*'", "", path.read_text("utf-8")), found)
    for path in sorted((ROOT / "migrations").glob("*.cypher")):
        code = re.sub(r"//.*", "", path.read_text("utf-8"))
        found.mentioned |= {name for _, names in (*_NODE.findall(code), *_EDGE.findall(code)) for name in _names(names)}
    return found


def _read(code: str, found: Writes) -> None:
    meant = _variables(code)
    code = _LIST.sub(": 0", code)
    found.mentioned |= {name for names in meant.values() for name in names}
    for pattern in re.findall(rf"\b(?:CREATE|MERGE)\s+(?!CONSTRAINT|INDEX)(.*?)(?=\b(?:{_CLAUSES})\b|$)", code, re.S):
        bound = "".join(pattern)
        for shape in (rf"\(\s*\w*\s*:([\w:]+){_MAP}", rf"\[\s*\w*\s*:(\w+){_MAP}"):
            for names, properties in re.findall(shape, bound):
                created = _names(names)
                found.created |= created
                found.mentioned |= created
                found.add(created, set(re.findall(r"(?:^|,)\s*(\w+)\s*:", re.sub(r"\[[^\]]*\]", "", properties))))
    for clause in re.findall(rf"\bSET\b(.*?)(?=\b(?:{_CLAUSES})\b|$)", code, re.S):
        found.created |= set(re.findall(r"\b\w+:([A-Z]\w+)", clause))
        for variable, name in re.findall(r"\b(\w+)\.(\w+)\s*=(?!=)", _without_cases(clause)):
            found.add(meant.get(variable, set()), {name})
        for variable in re.findall(r"\b(\w+)\s*\+?=\s*[\$\w]", re.sub(r"\w+\.\w+\s*=", "", clause)):
            found.maps |= meant.get(variable, set())


def _variables(code: str) -> dict[str, set[str]]:
    meant: dict[str, set[str]] = {}
    for variable, names in (*_NODE.findall(code), *_EDGE.findall(code)):
        meant.setdefault(variable, set()).update(_names(names))
    for alias, variable in re.findall(r"FOREACH\s*\(\s*(\w+) IN CASE .*? (?:THEN|ELSE) \[(\w+)\]", code):
        meant.setdefault(alias, set()).update(meant.get(variable, set()))
    return meant


def _names(text: str) -> set[str]:
    return {name for name in re.split(r"[:|]", text) if not name.startswith("Drawer___") and not _PLACE.fullmatch(name)}


def _without_cases(clause: str) -> str:
    """Return it without the conditions of CASE, whose comparisons look like assignments."""
    return re.sub(r"\bCASE\b.*?\bEND\b", "0", clause, flags=re.S)
