"""Load the Cypher queries of GraphPalace: one query in each file under `cypher/`, with a header that describes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from graphpalace.domain.identity import palace_name

_PARAMETER = re.compile(r"\$(\w+)")
_COMMENT = re.compile(r"//.*$", re.MULTILINE)
_HOLDS = re.compile(r"\s*MATCH \(p:Palace \{name: \$palace\}\)\s+REMOVE p\.warm_in\b")
GIVEN = "given"
_LITERAL = re.compile(r"[A-Za-z0-9_:-]+")  # labels, types, properties, analyzers and numbers
_NOTHING: Mapping[str, str | int] = {}
_PACKAGE = Path(__file__).resolve().parents[2]


def resource_dir(name: str) -> Path:
    """Return the folder `cypher` or `migrations`: inside an installed wheel, or at the root of the repository."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parents[1] / name


@dataclass(frozen=True, slots=True)
class Query:
    """One query file.

    Attributes:
        name: Folder and file, for example `search/search_fulltext`.
        text: The file as it is, header included, so that the server's query log shows the purpose.
        header: The values of the lines `params`, `returns` and `runs`.
    """

    name: str
    text: str
    header: dict[str, str]

    @property
    def parameters(self) -> frozenset[str]:
        """The names of its parameters."""
        return _parameters(self.text)

    @property
    def holds_palace(self) -> bool:
        """Whether it first locks its palace (ADR 16)."""
        return _holds_palace(self.text)

    def of_palace(self, palace: str | None, literals: Mapping[str, str | int] = _NOTHING) -> str:
        """Return the text with the palace's checked name in labels and index names.

        A parameter `$name` becomes `$given.name`, a value of the one parameter `$given`. Neo4j makes a plan for each
        combination of types and sizes of a query's parameters: null or a text, a list of ten or of a thousand values.
        A plan takes it up to half a second, and they would all be the same.

        Args:
            literals: Values for `__NAME__` in other places where Cypher allows no parameter, as lower-case names.

        Raises:
            ValueError: If the query needs the name of a palace and none is given, or a literal is no name or number.
        """
        text = _bundled(self.text)
        for name, value in literals.items():
            if not _LITERAL.fullmatch(str(value)):
                raise ValueError(f"{name} is {value!r}, which cannot stand in a query")
            text = text.replace(f"__{name.upper()}__", str(value))
        if palace is not None:
            return text.replace("__PALACE__", palace_name(palace))
        if "__PALACE__" in _COMMENT.sub("", self.text):
            raise ValueError(f"the query {self.name} is about one palace: name it")
        return text


@cache
def _bundled(text: str) -> str:
    return _PARAMETER.sub(rf"${GIVEN}.\1", text)


@cache
def _parameters(text: str) -> frozenset[str]:
    return frozenset(_PARAMETER.findall(_COMMENT.sub("", text)))


@cache
def _holds_palace(text: str) -> bool:
    return _HOLDS.match(_COMMENT.sub("", text)) is not None


@cache
def query(name: str) -> Query:
    """Return a query by folder and file name, without the suffix."""
    text = (resource_dir("cypher") / f"{name}.cypher").read_text("utf-8")
    header = dict(re.findall(r"^// (params|returns|runs): *(.*)$", text, re.MULTILINE))
    return Query(name=name, text=text, header=header)
