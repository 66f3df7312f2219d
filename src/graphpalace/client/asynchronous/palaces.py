"""The palaces of a database."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from typing import TYPE_CHECKING

from graphpalace.client import wire
from graphpalace.client.asynchronous.link import AsyncLink
from graphpalace.client.asynchronous.listed_palaces import AsyncListedPalaces
from graphpalace.errors import ServiceUnavailable

if TYPE_CHECKING:
    from graphpalace.domain.palaces.palaces import Reembedded, ReembedProgress


class AsyncPalaces(AsyncListedPalaces):
    """The palaces of a database."""

    def __init__(self, link: AsyncLink) -> None:
        """Use the transport of a palace, but not its name."""
        self._link = AsyncLink(link.transport, None, timeout_s=link.timeout_s)

    async def reembed(self, name: str, *, progress: Callable[[ReembedProgress], object] | None = None) -> Reembedded:
        """Compute the vectors of a palace anew with the configured model. Until all are there, the old ones answer.

        To stop it, cancel the call or leave it with Ctrl-C: the same call goes on from there.

        Args:
            progress: Called now and then with how far it is.
        Raises:
            NotFound: If there is no such palace.
            EmbeddingFailed: If the model cannot be loaded.
            Conflict: If somebody began to change the palace to another model meanwhile.
        """
        from graphpalace.domain.palaces.palaces import Reembedded, ReembedProgress

        async with aclosing(self._link.stream("/v1/palaces/reembed", name=name)) as said:
            async for line in said:
                if "result" in line:
                    return wire.read(wire.encoded(line["result"]), Reembedded)
                if progress is not None:
                    progress(wire.read(wire.encoded(line["progress"]), ReembedProgress))
        raise ServiceUnavailable("the service went away while it computed vectors; the same call goes on from there")

    async def drop(self, name: str) -> int:
        """Remove a palace and everything in it; return how many nodes it had.

        Raises:
            NotFound: If there is no such palace.
        """
        from graphpalace.offers.palaces import DROP_PALACE

        return (await self._link.call(DROP_PALACE, name=name, confirm=name)).deleted
