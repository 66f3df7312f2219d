"""What the routes for simulations and background jobs need: a simulation is known by its name, and has a palace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from graphpalace.domain.access.caller import Grant, Role, current_caller
from graphpalace.errors import NotFound
from graphpalace.operations.simulation.kept.simulation_store import simulation_name
from graphpalace.serve.http.access.asked import Asked
from graphpalace.serve.http.access.needs import Need


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
