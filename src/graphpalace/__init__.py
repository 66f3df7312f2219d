"""GraphPalace: a memory palace kept as a graph in Neo4j."""

TYPE_CHECKING = False  # for type checkers it is true; importing `typing` takes a third of the start of Python
if TYPE_CHECKING:
    from graphpalace.client import AsyncPalace, Palace

__all__ = ["AsyncPalace", "Palace", "__version__"]

__version__ = "0.1.0"  # the build reads it here: looking it up in the installed package takes a command 30 ms


def __getattr__(name: str) -> object:
    """Import what is asked for when it is first used, so that a command imports only what it needs."""
    if name in __all__:
        from graphpalace import client

        return getattr(client, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
