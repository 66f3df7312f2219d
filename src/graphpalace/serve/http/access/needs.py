"""What a route can need: a role in a palace, a wing, the wings of drawers, or the palace of a simulation or a job."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from graphpalace.domain.access.caller import Grant, Role, current_caller
from graphpalace.errors import NotFound
from graphpalace.operations.simulation.simulation_store import simulation_name
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


def simulation(role: Role) -> Need:
    """The role in the palace of the simulation; in all, if its documents are a folder of the service's machine."""

    async def need(asked: Asked) -> Iterable[Grant]:
        status = await asked.app.simulations.views.status(simulation_name(asked.values["name"]))
        return [_unnamed(asked, role, _of_corpus(role, status["palace"], status["corpus"]))]

    return need


async def simulation_files(asked: Asked) -> Iterable[Grant]:
    """Reading in the palace of the simulation, or administering everything for a folder of the service's machine."""
    return [Grant(Role.ADMIN)] if asked.field("root") is not None else await simulation(Role.READ)(asked)


async def new_simulation(asked: Asked) -> Iterable[Grant]:
    """Writing in the palace whose documents are searched, and in that of an earlier simulation of this name."""
    choice: Mapping[str, Any] = asked.values["body"].choice()
    needed: set[Grant] = set()
    stored = {status["simulation"]: status for status in await asked.app.simulations.views.every_status()}
    if (before := stored.get(asked.values["name"])) is not None:
        needed.add(_unnamed(asked, Role.WRITE, _of_corpus(Role.WRITE, before["palace"], before["corpus"])))
    if before is None or before["corpus"] is None or any(value is not None for value in choice.values()):
        needed.add(_of_corpus(Role.WRITE, asked.named(choice["palace"]), choice))
    return needed


def job(role: Role) -> Need:
    """The role in the palace of the job. A job that does not exist needs the role everywhere."""

    async def need(asked: Asked) -> Iterable[Grant]:
        try:
            found = await asked.app.jobs.status(asked.field("job"))
        except NotFound:
            return [Grant(role)]
        return [_unnamed(asked, role, _of_corpus(role, found.palace, found.corpus))]

    return need


new_job = new_simulation


def may_see(palace: str, corpus: Mapping[str, Any] | None) -> bool:
    """Return whether the caller may read a simulation or a job over some documents."""
    return current_caller().may(_of_corpus(Role.READ, palace, corpus))


def _unnamed(asked: Asked, role: Role, grant: Grant) -> Grant:
    """Return what a role with a simulation or a job needs; if the caller lacks it, that role everywhere.

    What does not exist is refused in the same words, so that nobody learns what others have, and where.
    """
    everywhere = Grant(role)
    return grant if asked.caller.may(grant) or asked.caller.may(everywhere) else everywhere


def _of_corpus(role: Role, palace: str, corpus: Mapping[str, Any] | None) -> Grant:
    return Grant(Role.ADMIN) if corpus and corpus.get("root") else Grant(role, palace)
