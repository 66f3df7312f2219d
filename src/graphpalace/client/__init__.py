"""One palace behind every door: the same methods in this process and over HTTP, with asyncio and without."""

from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.client.synchronous.palace import Palace

__all__ = ["AsyncPalace", "Palace"]
