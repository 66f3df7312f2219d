"""One palace behind every door."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from graphpalace.client.asynchronous.access import AsyncKeys
from graphpalace.client.asynchronous.conversations import AsyncConversations
from graphpalace.client.asynchronous.diaries import AsyncDiaries
from graphpalace.client.asynchronous.drawers import AsyncBulk, AsyncDrawers
from graphpalace.client.asynchronous.facts import AsyncFacts
from graphpalace.client.asynchronous.forgetting import AsyncForgetting
from graphpalace.client.asynchronous.hooks import AsyncHooks
from graphpalace.client.asynchronous.ingest import AsyncIngesting
from graphpalace.client.asynchronous.learning import AsyncLearning
from graphpalace.client.asynchronous.link import AsyncLink
from graphpalace.client.asynchronous.moving_in import AsyncMovingIn
from graphpalace.client.asynchronous.names import AsyncNames
from graphpalace.client.asynchronous.pheromones import AsyncPheromones
from graphpalace.client.asynchronous.places import AsyncPlaces
from graphpalace.client.asynchronous.rerank import AsyncReranking
from graphpalace.client.asynchronous.runs import AsyncRuns
from graphpalace.client.asynchronous.search import AsyncSearching
from graphpalace.client.asynchronous.shape import AsyncShape
from graphpalace.client.asynchronous.simulation import AsyncJobs, AsyncSimulations
from graphpalace.client.asynchronous.transfer import AsyncPalaces, AsyncTransfers
from graphpalace.client.asynchronous.wake_up import AsyncWakingUp
from graphpalace.client.asynchronous.walking import AsyncWalking
from graphpalace.client.ensure_service import check_url, proof_for
from graphpalace.client.transports.reply import AsyncTransport
from graphpalace.client.wire import keyed

if TYPE_CHECKING:
    from typing import Self

    from graphpalace.domain.simulation.simulation_requests import SimulationResults, SimulationStatus
    from graphpalace.embedding.embedder import Embedder
    from graphpalace.offers.offer import Offer
    from graphpalace.settings.load import Settings

A = TypeVar("A")


class AsyncPalace(
    AsyncMovingIn,
    AsyncDrawers,
    AsyncBulk,
    AsyncForgetting,
    AsyncIngesting,
    AsyncDiaries,
    AsyncFacts,
    AsyncSearching,
    AsyncReranking,
    AsyncLearning,
    AsyncPlaces,
    AsyncShape,
    AsyncWakingUp,
    AsyncWalking,
    AsyncPheromones,
    AsyncTransfers,
):
    """A palace: store texts in it, search it, and say what helped.

    Example:
        >>> async with AsyncPalace.open() as palace:
        ...     await palace.add("The door code is 4711.", wing="home", room="keys")
        ...     answer = await palace.search("how do I get in?")
        ...     print(answer.hits[0].text)

    `open` does all the work in this process, `connect` asks a running service. Both give the same answers and raise
    the same errors.

    Attributes:
        palaces: The palaces of the database, to list, create and drop them.
        runs: Rankings that the palace keeps, to fuse and to look through.
        names: People, places and other things that the texts mention.
        conversations: What was said to agents and by them, a drawer for each turn.
        hooks: What the hooks of hosts of agents ask for, and when they ran.
        simulations: Simulations of a swarm that searches the palace or a folder.
        jobs: Simulations that run in the background.
        keys: Keys for others, with roles in palaces or wings.
        in_process: Whether the work is done in this process.
    """

    def __init__(
        self,
        transport: AsyncTransport,
        palace: str | None = None,
        *,
        timeout_s: float | None = None,
        proof: Callable[[], str | None] | None = None,
    ) -> None:
        """Use a transport; `open` and `connect` make one.

        Args:
            palace: The name of the palace; None is the one that the settings name.
            timeout_s: How long to wait for each answer; None waits without limit.
            proof: Returns what shows a service that this process is of the same user, if it is. None: the palace is in
                this process, which reads files itself.
        """
        self._link = AsyncLink(transport, palace, timeout_s=timeout_s, proof=proof)
        self.in_process = proof is None
        self.palaces = AsyncPalaces(self._link)
        self.runs = AsyncRuns(self._link)
        self.names = AsyncNames(self._link)
        self.conversations = AsyncConversations(self._link)
        self.hooks = AsyncHooks(self._link)
        self.simulations = AsyncSimulations(self._link)
        self.jobs = AsyncJobs(self._link)
        self.keys = AsyncKeys(self._link)

    @classmethod
    def open(
        cls,
        name: str | None = None,
        settings: Settings | Path | None = None,
        *,
        embedder: Embedder | None = None,
        ray: str | None = None,
    ) -> Self:
        """Return a palace whose work is done in this process. Neo4j must run; `graphpalace up` starts it.

        Args:
            name: Of the palace; default: the one that the settings name.
            settings: Settings, or the file to read them from; default: as the command line reads them.
            embedder: Another embedding model than the configured one.
            ray: Address of a Ray cluster whose workers read files, compute vectors and find names, `auto` or
                `HOST:PORT` of its head; default: this process does.
        """
        from graphpalace.client.transports.local import AsyncLocalTransport

        return cls(AsyncLocalTransport(settings, embedder=embedder, ray=ray), name)

    @classmethod
    def connect(
        cls,
        url: str | None = None,
        api_key: str | None = None,
        *,
        name: str | None = None,
        timeout_s: float | None = 60,
        proof: str | None = None,
    ) -> Self:
        """Return a palace of a service.

        Args:
            url: Where the service is, for example `http://127.0.0.1:8600`; default: the service of this machine,
                whose address and key are read from the file that it left in the data folder. If it does not run, it
                is started, which takes some seconds; `[service] autostart = false` turns that off.
            api_key: The key of the service.
            name: Of the palace; default: the one in the variable `GRAPHPALACE_PALACE__NAME` if no URL is given, or else
                the one that the service's settings name.
            timeout_s: How long to wait for each answer; None waits without limit.
            proof: What the service of this machine left in its file beside the key. It shows that the service may read
                this user's files itself; default: read from that file, if the URL is that of its service.
        Raises:
            InvalidInput: If the URL is not one of HTTP.

        Nothing is opened yet. The first call finds the service, and waits until it runs. It raises `ServiceUnavailable`
        if the service cannot be reached or started, and `Conflict` if that of this machine is of a later version.
        """
        from graphpalace.client.transports.httpx_transport import HttpxTransport

        check_url(url)
        if name is None and url is None:
            name = os.environ.get("GRAPHPALACE_PALACE__NAME")
        transport = HttpxTransport(url, api_key=api_key)
        return cls(transport, name, timeout_s=timeout_s, proof=partial(proof_for, url, proof))

    async def simulate(
        self,
        query: str = "",
        *,
        name: str = "python",
        progress: Callable[[SimulationStatus], object] | None = None,
        **choices: Any,
    ) -> SimulationResults:
        """Let a swarm of agents search the palace for a question, and return what it found, best first.

        Args:
            query: What to look for; default: the middle of the documents.
            name: Of the simulation; one of that name that is kept is replaced.
            progress: Called about ten times a second with the status, and once at the end.
            choices: What `simulations.run` takes: wing, room, drawers or root, and settings such as `num_agents=50`.
        Raises:
            InvalidInput, NotFound, Conflict, GraphPalaceError: As `simulations.run`.
        """
        return await self.simulations.run(name, progress=progress, query=query, **choices)

    def keyed(self, key: str) -> AbstractContextManager[None]:
        """Send the writes of a `with` statement under a key, so that each is done once, however often it is sent.

        The first write has the key, the others `key.2`, `key.3` and so on. Without it, each write has a new key.

        Example:
            >>> with palace.keyed("import-17"):
            ...     await palace.delete("drawer-0123456789abcdef0123456789")

        Args:
            key: 1 to 200 visible ASCII characters without blanks, such as a UUID.
        Raises:
            InvalidInput: If the key is not possible.
        """
        return keyed(key)

    async def call(self, offer: Offer[Any, A], /, **given: Any) -> A:
        """Ask for an operation by its declaration, as the doors do. The methods with names do the same.

        Args:
            given: The fields of its request; what is None is left out.
        """
        return await self._link.call(offer, **given)

    async def close(self) -> None:
        """Close the connections; work that was begun in this process ends first."""
        await self._link.transport.close()

    async def __aenter__(self) -> Self:
        """Return the palace."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the palace."""
        await self.close()
