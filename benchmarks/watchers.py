"""Clients of a simulation's WebSocket, for a process of their own: `python -m benchmarks.watchers URL CLIENTS STALLED`.

They take what comes without looking at it; the stalled ones take nothing at all. It prints `ready` once all are
greeted, ends when its input ends, and prints how many bytes came.
"""

from __future__ import annotations

import asyncio
import os
import sys

import websockets


async def _watch(url: str, greeted: asyncio.Semaphore, taken: list[int]) -> None:
    async with websockets.connect(url, max_size=None, compression=None) as socket:
        await socket.recv(decode=False)
        greeted.release()
        async for message in socket:
            taken[0] += len(message)


async def _stall(url: str, greeted: asyncio.Semaphore) -> None:
    async with websockets.connect(url, max_size=None, max_queue=1, compression=None) as socket:
        await socket.recv(decode=False)
        greeted.release()
        await asyncio.Event().wait()


async def main(url: str, clients: int, stalled: int) -> None:
    """Watch until the input ends."""
    greeted, taken = asyncio.Semaphore(0), [0]
    watching = [_watch(url, greeted, taken) for _ in range(clients - stalled)]
    _tasks = [asyncio.create_task(one) for one in (*watching, *(_stall(url, greeted) for _ in range(stalled)))]
    for _ in range(clients):
        await greeted.acquire()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    print(taken[0], flush=True)
    os._exit(0)  # the stalled ones would wait for a farewell


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
