"""The short form of a taxonomy, within a budget of bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from graphpalace.domain.palaces.palace_shape import Taxonomy
from graphpalace.errors import NotFound
from graphpalace.fuse.snippets import json_bytes


@dataclass(frozen=True, slots=True)
class BriefWing:
    """A wing, as a model reads it."""

    name: str
    type: str
    drawers: int
    rooms: Annotated[Any, Field(description="drawers by room, or number of rooms")]


@dataclass(frozen=True, slots=True)
class BriefTaxonomy:
    """The wings and rooms of a palace, as a model reads them."""

    palace: str
    drawers: int
    wings: Sequence[BriefWing]
    omitted: Annotated[int, Field(description="smaller wings")] = 0


def brief_taxonomy(taxonomy: Taxonomy, *, wing: str | None, budget_bytes: int) -> dict[str, Any]:
    """Return the wings, largest first. If the budget is short, the rooms of the last ones are only counted.

    Args:
        wing: Only this wing.
    Raises:
        NotFound: If there is no such wing.
    """
    wings = sorted(taxonomy.wings, key=lambda one: (-one.drawers, one.name))
    if wing is not None and not (wings := [one for one in wings if one.name == wing]):
        known = ", ".join(repr(one.name) for one in taxonomy.wings[:10]) or "none yet"
        raise NotFound(f"wing {wing!r} is not in palace {taxonomy.palace!r}; it has {known}", wing=wing)
    head = {"palace": taxonomy.palace, "drawers": taxonomy.drawers}
    counted = [
        {"name": one.name, "type": str(one.wing_type), "drawers": one.drawers, "rooms": len(one.rooms)} for one in wings
    ]
    room = budget_bytes - len(json_bytes(head | {"wings": [], "omitted": len(wings)}))
    shown: list[dict[str, Any]] = []
    for entry in counted:
        size = len(json_bytes(entry)) + 1
        if size > room and shown:
            break
        shown.append(entry)
        room -= size
    for at, entry in enumerate(shown):
        full = entry | {"rooms": {one.name: one.drawers for one in wings[at].rooms}}
        more = len(json_bytes(full)) - len(json_bytes(entry))
        if more <= room:
            shown[at] = full
            room -= more
    left_out = len(wings) - len(shown)
    return head | {"wings": shown} | ({"omitted": left_out} if left_out else {})
