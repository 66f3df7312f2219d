"""Run the steps of background jobs on several machines, as tasks of a Ray cluster."""

from __future__ import annotations

import asyncio
from typing import Any

from graphpalace.cluster.ray_cluster import is_installed, joined
from graphpalace.errors import JobFailed, SettingsInvalid
from graphpalace.operations.simulation.jobs.shards import Shard, SliceResult, make_slice, one_thread


class RayWorkers:
    """Runs slices as Ray tasks of one core each, with the shards in Ray's object store.

    Ray repeats a task whose worker died, up to three times.
    """

    def __init__(self, address: str) -> None:
        """Create the workers. The cluster is joined when the first job starts.

        Args:
            address: Address in the form of `ray.init`: `auto`, `HOST:PORT`, or `local` for a cluster on this machine.

        Raises:
            SettingsInvalid: If Ray is not installed.
        """
        if not is_installed():
            raise SettingsInvalid(
                f"simulation.ray_address is {address!r}, but Ray is not installed: "
                "pip install 'graphpalace[ray]', or leave ray_address empty",
                field="simulation.ray_address",
            )
        self._address = address
        self._ray: Any = None
        self._task: Any = None
        self._ours = False
        self._turn = asyncio.Lock()

    async def ready(self) -> int:
        """Join the cluster if it is not joined, or no longer, and return its number of cores."""
        async with self._turn:
            return await asyncio.to_thread(self._joined)

    async def place(self, shard: Shard) -> Any:
        """Put a shard into the object store."""
        return await asyncio.to_thread(self._ray.put, shard)

    async def make_slice(self, placed: Any, state: bytes, clock_s: float) -> SliceResult:
        """Run a slice on any free core of the cluster."""
        made = self._task.remote(placed, state, clock_s)
        try:
            return await made
        except asyncio.CancelledError:
            self._ray.cancel(made)
            raise
        except self._ray.exceptions.RayTaskError as error:  # raised by the slice itself
            raise error.cause from None
        except self._ray.exceptions.RayError as error:
            raise JobFailed(f"Ray at {self._address}: {error}") from error

    async def remove(self, placed: Any) -> None:
        """Do nothing: Ray frees objects without references."""

    async def close(self) -> None:
        """Leave the cluster, if this object joined it."""
        if self._ours:
            self._ours = False
            await asyncio.to_thread(self._ray.shutdown)

    def _joined(self) -> int:
        ray = self._ray if self._ray and self._ray.is_initialized() else self._join()
        return max(1, int(ray.cluster_resources().get("CPU", 1)))

    def _join(self) -> Any:
        try:
            ray, ours = joined(self._address)
        except (OSError, ValueError, RuntimeError) as error:
            raise JobFailed(f"simulation.ray_address is {self._address!r}, but: {error}") from error
        self._ours = self._ours or ours
        self._ray = ray
        # Ray sends the function by name, so the cluster's machines need the same version of GraphPalace.
        self._task = ray.remote(num_cpus=1, max_retries=3)(_work)
        return ray


def _work(shard: Shard, state: bytes, clock_s: float) -> SliceResult:
    one_thread()
    return make_slice(shard, state, clock_s)
