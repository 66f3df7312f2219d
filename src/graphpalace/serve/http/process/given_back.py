"""Give memory that is free inside this process back to the system."""

from __future__ import annotations

import asyncio
import ctypes
import sys


async def give_back_memory() -> None:
    """Let the C library return what it keeps for later, some 15 MiB after a model was loaded. Only glibc can.

    It takes some milliseconds, in a thread.
    """
    if not sys.platform.startswith("linux"):
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        await asyncio.to_thread(trim, 0)
