# Written by `make client` from graphpalace/offers/simulation.py; change that file.
"""Simulations by name, but for their start and their settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphpalace.client.asynchronous.link import AsyncLink

if TYPE_CHECKING:
    from graphpalace.domain.simulation.simulation_requests import (
        AgentsChanged,
        DescribedSettings,
        SimulationChanged,
        SimulationResults,
        SimulationStarted,
        SimulationStatus,
        VisitedDocument,
    )
    from graphpalace.domain.simulation.simulations import Report


class AsyncKeptSimulations:
    """Simulations by name, but for their start and their settings."""

    def __init__(self, link: AsyncLink) -> None:
        """Use the link of a palace."""
        self._link = link

    async def stop(self, name: str = "default") -> SimulationChanged:
        """Stop a simulation, even while it is loading or another service holds it.

        Its results are kept.

        Args:
            name: Name of the simulation.
        Raises:
            NotFound: If there is no simulation of that name.
            Conflict: If another service holds it and does not answer.
        """
        from graphpalace.offers.simulation import STOP

        return await self._link.call(STOP, name=name)

    async def reset(self, name: str = "default") -> SimulationChanged:
        """Stop a simulation, and delete its state and results.

        Its settings are kept.

        Args:
            name: Name of the simulation.
        Raises:
            NotFound: If there is no simulation of that name.
            Conflict: If another service holds it and does not answer.
        """
        from graphpalace.offers.simulation import RESET

        return await self._link.call(RESET, name=name)

    async def pause(self, name: str = "default") -> SimulationChanged:
        """Pause a simulation, and keep its complete state.

        Args:
            name: Name of the simulation.
        Raises:
            Conflict: If it does not run, or another service holds it and does not answer.
        """
        from graphpalace.offers.simulation import PAUSE

        return await self._link.call(PAUSE, name=name)

    async def resume(self, name: str = "default", *, steps: int | None = None) -> SimulationStarted:
        """Continue a paused simulation, also after a restart of the service.

        It can pause again after some steps.

        Args:
            name: Name of the simulation.
            steps: Pause again after so many steps; default: do not, 1 to 5000.
        Raises:
            NotFound: If there is no simulation of that name.
            Conflict: If it is over or was never started, or another service holds it and does not answer, or holds it
                and steps are given.
        """
        from graphpalace.offers.simulation import RESUME

        return await self._link.call(RESUME, name=name, steps=steps)

    async def add_agents(self, name: str = "default", *, n: int) -> AgentsChanged:
        """Add agents, which start at the question.

        All together may be 10,000.

        Args:
            name: Name of the simulation.
            n: How many to add, 1 to 10000.
        Raises:
            InvalidInput: If the number is out of its range, or there would be too many.
            NotFound: If there is no simulation of that name.
            Conflict: If it is not in memory, or another service holds it and does not answer.
        """
        from graphpalace.offers.simulation import ADD_AGENTS

        return await self._link.call(ADD_AGENTS, name=name, n=n)

    async def resize_agents(self, name: str = "default", *, count: int) -> AgentsChanged:
        """Set the number of agents.

        If there are too many, the newest go.

        Args:
            name: Name of the simulation.
            count: How many there are to be, 1 to 10000.
        Raises:
            InvalidInput: If the number is out of its range, or there would be too many.
            NotFound: If there is no simulation of that name.
            Conflict: If it is not in memory, or another service holds it and does not answer.
        """
        from graphpalace.offers.simulation import RESIZE_AGENTS

        return await self._link.call(RESIZE_AGENTS, name=name, count=count)

    async def settings(self, name: str = "default") -> DescribedSettings:
        """Show the settings of the next start, and for each its type, default, range and description.

        Args:
            name: Name of the simulation.
        """
        from graphpalace.offers.simulation import SETTINGS

        return await self._link.call(SETTINGS, name=name)

    async def status(self, name: str = "default") -> SimulationStatus:
        """Show the status of a simulation; it is idle if there is none of that name.

        Args:
            name: Name of the simulation.
        """
        from graphpalace.offers.simulation import STATUS

        return await self._link.call(STATUS, name=name)

    async def statuses(self) -> Sequence[SimulationStatus]:
        """Show the status of every simulation of the database, running or kept."""
        from graphpalace.offers.simulation import STATUSES

        return (await self._link.call(STATUSES)).simulations

    async def search(self, query: str, *, name: str = "default", top_k: int = 10) -> SimulationResults:
        """Search the documents of a simulation for another question, with the visits so far.

        Args:
            query: At least one word.
            name: Name of the simulation.
            top_k: Number of results, 1 to 200.
        Raises:
            InvalidInput: If a value is out of its range.
            NotFound: If there is no simulation of that name.
        """
        from graphpalace.offers.simulation import SEARCH

        return await self._link.call(SEARCH, query=query, name=name, top_k=top_k)

    async def results(self, name: str = "default") -> SimulationResults:
        """Show the results so far, or those at the end, best first.

        Args:
            name: Name of the simulation.
        Raises:
            NotFound: If there is no simulation of that name.
        """
        from graphpalace.offers.simulation import RESULTS

        return await self._link.call(RESULTS, name=name)

    async def report(self, name: str = "default") -> Report:
        """Show the latest report; a simulation writes reports if its setting `report_enabled` is on.

        Args:
            name: Name of the simulation.
        Raises:
            NotFound: If there is no simulation of that name, or it has no report.
        """
        from graphpalace.offers.simulation import REPORT

        return await self._link.call(REPORT, name=name)

    async def document(self, document: str, *, name: str = "default") -> VisitedDocument:
        """Show a document of a simulation with its text, its relevance and its visits.

        Args:
            document: Its id.
            name: Name of the simulation.
        Raises:
            NotFound: If there is no such document or simulation.
        """
        from graphpalace.offers.simulation import DOCUMENT

        return await self._link.call(DOCUMENT, document=document, name=name)
