"""A further application of the service, such as MCP, that is made when it is first asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send


class DoorOnDemand:
    """An ASGI application that makes another one at the first request, and passes all requests to it.

    The libraries of MCP take 36 MiB and nearly a second to load, which a service that only searches does without.
    """

    def __init__(self, make: Callable[[], Starlette]) -> None:
        self._make = make
        self._made: asyncio.Future[Starlette] | None = None
        self._life: asyncio.Task[None] | None = None
        self._end = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if self._made is None:
            self._made = asyncio.get_running_loop().create_future()
            self._life = asyncio.create_task(self._live(self._made))
        application = await asyncio.shield(self._made)  # whoever asked first may leave
        await application(scope, receive, send)

    async def close(self) -> None:
        """End the application, if it was made."""
        self._end.set()
        if self._life is not None:
            await asyncio.wait([self._life])  # a failure at the end keeps nothing else from ending

    async def _live(self, made: asyncio.Future[Starlette]) -> None:
        """Make the application, and begin and end its lifespan in this one task, as task groups demand."""
        try:
            application = await asyncio.to_thread(self._make)
            async with application.router.lifespan_context(application):
                made.set_result(application)
                await self._end.wait()
        except Exception as error:
            if made.done():
                raise
            made.set_exception(error)  # every request tells it
