"""What a route can need: a role in the palace, in the wing that is named, in the wings of drawers, or everywhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from graphpalace.domain.access.caller import Grant, Role
from graphpalace.serve.http.access.asked import Asked

Need = Callable[[Asked], Awaitable[Iterable[Grant]]]
RoleOf = Callable[[Asked], Role]


def everything(role: Role) -> Need:
    """The role in every palace: for what touches files of the service's machine, all palaces, or keys."""

    async def need(_asked: Asked) -> Iterable[Grant]:
        return [Grant(role)]

    return need


async def any_key(_asked: Asked) -> Iterable[Grant]:
    """Any valid key: the answer shows each caller only what they reach."""
    return ()


def palace(role: Role | RoleOf, field: str = "palace") -> Need:
    """The role in the whole palace that is named.

    Args:
        field: Where its name stands.
    """

    async def need(asked: Asked) -> Iterable[Grant]:
        return [Grant(_role(role, asked), asked.named(asked.field(field)))]

    return need


def part_of_palace(role: Role) -> Need:
    """The role in some wing of the palace: the answer shows each caller only their wings."""

    async def need(asked: Asked) -> Iterable[Grant]:
        return () if asked.caller.reaches(asked.palace, role) else [Grant(role, asked.palace)]

    return need


def wing(role: Role, field: str = "wing") -> Need:
    """The role in the wing that is named, or in the whole palace if none is.

    Args:
        field: Where its name stands.
    """

    async def need(asked: Asked) -> Iterable[Grant]:
        return [Grant(role, asked.palace, asked.field(field))]

    return need


def drawer(role: Role | RoleOf, *fields: str) -> Need:
    """The role in the wing of a drawer, and in the wings of all that the run showed, if one is named.

    Args:
        fields: Where ids of drawers stand; default: in `drawer`.
    """

    async def need(asked: Asked) -> Iterable[Grant]:
        ids = [asked.field(field) for field in fields or ("drawer",)]
        needed = set(await asked.drawers(_role(role, asked), ids))
        run = asked.field("run")
        return needed if run is None else needed | set(await asked.shown(_role(role, asked), run))

    return need


async def new_drawers(asked: Asked) -> Iterable[Grant]:
    """Writing in the wing of each new drawer."""
    return {Grant(Role.WRITE, asked.palace, one.wing) for one in asked.field("drawers")}


async def forgetting(asked: Asked) -> Iterable[Grant]:
    """Writing in the wing that is named; administering it if the place goes as a whole, as when it is deleted."""
    alone = all(asked.field(kind) is None for kind in ("drawers", "source", "conversation", "name", "pattern"))
    role = Role.ADMIN if alone else Role.WRITE
    named, drawers = asked.field("wing"), asked.field("drawers")
    if named is None and drawers:
        return await asked.drawers(role, drawers)
    return [Grant(role, asked.palace, named)]


async def feedback(asked: Asked) -> Iterable[Grant]:
    """Writing in the wings of what is judged and of what the run showed, or in the wing of the question."""
    body: Any = asked.values["body"]
    judged = [one if isinstance(one, str) else one.id for one in (*body.useful, *body.useless)]
    needed = set(await asked.drawers(Role.WRITE, [*judged, *body.selected_ids]))
    if body.run is not None:
        needed |= set(await asked.shown(Role.WRITE, body.run))
    if body.run is None or body.namespace is not None:
        needed.add(Grant(Role.WRITE, asked.palace, None if body.namespace is not None else body.wing))
    return needed


async def rerank_batch(asked: Asked) -> Iterable[Grant]:
    """Reading in the palace of each request."""
    bodies: Any = asked.values["body"]
    palaces = [one.get("palace") if isinstance(one, dict) else one.palace for one in bodies]
    return {Grant(Role.READ, asked.named(one if isinstance(one, str) else None)) for one in palaces}


def _role(role: Role | RoleOf, asked: Asked) -> Role:
    return role if isinstance(role, Role) else role(asked)
