"""One palace behind every door: the same methods in this process and over HTTP, with asyncio and without."""

TYPE_CHECKING = False  # as in `graphpalace`: importing both kinds takes a command longer than asking the service
if TYPE_CHECKING:
    from graphpalace.client.asynchronous.palace import AsyncPalace
    from graphpalace.client.synchronous.palace import Palace

__all__ = ["AsyncPalace", "Palace"]


def __getattr__(name: str) -> object:
    """Import the kind that is asked for."""
    if name == "AsyncPalace":
        from graphpalace.client.asynchronous.palace import AsyncPalace

        return AsyncPalace
    if name == "Palace":
        from graphpalace.client.synchronous.palace import Palace

        return Palace
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
