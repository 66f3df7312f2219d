"""A Ray cluster: join it, let its workers compute, and tell when it is gone."""

from __future__ import annotations

import importlib.util
import logging
import os
import re
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar

from graphpalace.errors import ClusterFailed, GraphPalaceError, InvalidInput

_T = TypeVar("_T")
_CONNECT_S, _JOIN_S = 5, 60
_LOOK_S = 2.0  # while results are waited for, the cluster is looked at this often
_GONE_S = 15.0  # a head that does not answer for so long is gone
_ALONE_S = 60.0  # a cluster without a core for so long gets none; one that grows by itself may need some time
_TRIES = 3  # of a task whose worker died, after the first one


class RayCluster:
    """Lets the workers of a Ray cluster compute, one task on each core. Several threads may call it.

    Ray repeats a task whose worker died, up to three times.
    """

    def __init__(self, address: str) -> None:
        """Create it; `join` connects.

        Args:
            address: `auto` for the cluster that this machine belongs to, or `HOST:PORT` of the head of that cluster.

        Raises:
            InvalidInput: If the address has another form, or Ray is not installed.
        """
        check_address(address)
        self._address = address
        self._ray: Any = None
        self._task: Any = None
        self._head: tuple[str, int] = ("", 0)
        self._ours = False
        self._since: dict[str, float] = {}  # when what is wrong with the cluster was first seen
        self._turn = threading.Lock()
        self.cores = 1

    @property
    def at_once(self) -> int:
        """How many batches of texts keep all workers busy while another one is written."""
        return 3 + self.cores // 8

    def join(self) -> None:
        """Connect to the cluster.

        Raises:
            ClusterFailed: If it cannot be reached, or has no core.
        """
        try:
            self._ray, self._ours = joined(self._address)
        except (OSError, ValueError, RuntimeError) as error:
            raise ClusterFailed(
                f"the Ray cluster at {self._address} cannot be joined: {error}. Run the command on a machine of the "
                "cluster, with the version of Ray and Python that the cluster has",
                address=self._address,
            ) from error
        host, _, port = self._ray.get_runtime_context().gcs_address.rpartition(":")
        self._head = host, int(port)
        self.cores = self._present_cores()
        if not self.cores:
            raise ClusterFailed(f"the Ray cluster at {self._address} has no core: start a node of it that has some")
        # Ray sends the function by name, so the cluster's machines need the same version of GraphPalace.
        self._task = self._ray.remote(num_cpus=1, max_retries=_TRIES)(_on_worker)

    def run(self, work: Callable[..., _T], *given: Any) -> _T:
        """Return what a function returns for some arguments on a worker. Blocks; call it in a thread.

        Raises:
            GraphPalaceError: As the function.
            ClusterFailed: If the cluster is gone, the worker died again and again, or the function failed otherwise.
        """
        return self.map(work, [given])[0]

    def map(self, work: Callable[..., _T], inputs: Iterable[Sequence[Any]]) -> list[_T]:
        """As `run`, for several tuples of arguments at the same time; the results have their order."""
        made = [self._task.remote(_version(), work, *given) for given in inputs]
        try:
            return [self._result(one) for one in made]
        except BaseException:
            for one in made:
                with suppress(Exception):  # the cluster may be gone
                    self._ray.cancel(one)
            raise

    def close(self) -> None:
        """Leave the cluster, if this object joined it."""
        if self._ours:
            self._ours = False
            self._ray.shutdown()

    def _result(self, made: Any) -> Any:
        errors = self._ray.exceptions
        while True:
            try:
                return self._ray.get(made, timeout=_LOOK_S)
            except errors.GetTimeoutError:
                self._look()
            except errors.RayTaskError as error:  # raised by the function itself
                if isinstance(error.cause, GraphPalaceError):
                    raise error.cause from None
                raise self._failed(f"failed: {error.cause!r}") from error
            except errors.RayError as error:
                raise self._failed(f"failed: {error}") from error

    def _look(self) -> None:
        """Raise ClusterFailed if the head is gone, or no worker is left. Ray itself would wait."""
        with self._turn:
            try:
                socket.create_connection(self._head, timeout=_CONNECT_S).close()
                cores = self._present_cores()
            except (OSError, self._ray.exceptions.RayError) as error:
                if self._lasts("gone", _GONE_S):
                    raise self._failed(f"is gone: its head does not answer ({error})") from error
                return
            self._since.pop("gone", None)
            if cores:
                self._since.pop("alone", None)
            elif self._lasts("alone", _ALONE_S):
                raise self._failed("has no worker any more")

    def _lasts(self, what: str, seconds: float) -> bool:
        return time.monotonic() - self._since.setdefault(what, time.monotonic()) > seconds

    def _present_cores(self) -> int:
        return int(self._ray.cluster_resources().get("CPU", 0))

    def _failed(self, how: str) -> ClusterFailed:
        return ClusterFailed(
            f"the Ray cluster at {self._address} {how}. What is stored is kept: run the same command again to go on",
            address=self._address,
        )


def check_address(address: str) -> None:
    """Check an address without connecting.

    Raises:
        InvalidInput: If it has another form than `auto` or `HOST:PORT`, or Ray is not installed.
    """
    if address != "auto" and not re.fullmatch(r"(?!ray://).+:\d{1,5}", address):
        raise InvalidInput(f"--ray is {address!r}; it must be auto, or HOST:PORT of the cluster's head", field="ray")
    if not is_installed():
        raise InvalidInput(
            f"--ray is {address!r}, but Ray is not installed: pip install 'graphpalace[ray]'", field="ray"
        )


def is_installed() -> bool:
    """Return whether Ray is installed."""
    return importlib.util.find_spec("ray") is not None


def joined(address: str) -> tuple[Any, bool]:
    """Join a cluster, unless this process has joined one; return Ray, and whether this call has joined it.

    Args:
        address: In the form of `ray.init`: `auto`, `HOST:PORT`, or `local` for a cluster on this machine.

    Raises:
        OSError, ValueError, RuntimeError: If that fails.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # no usage statistics; Ray reads this when it is imported
    # Ray would end this process a minute after the head went away. It must write what it has, and say what happened.
    os.environ.setdefault("RAY_gcs_rpc_server_reconnect_timeout_s", "86400")
    import ray
    from ray._private import worker

    if ray.is_initialized():
        return ray, False
    if found := re.fullmatch(r"(?:ray://)?(.+):(\d+)", address):
        # Raise if nothing listens there. Ray itself would wait for minutes.
        socket.create_connection((found[1].strip("[]"), int(found[2])), timeout=_CONNECT_S).close()
    logging.getLogger("ray").setLevel(logging.ERROR)  # it warns that a thread joins, which changes nothing here
    begun = Future[None]()

    def begin() -> None:
        try:
            ray.init(address=address, log_to_driver=False, configure_logging=False)
        except BaseException as error:
            begun.set_exception(error)
        else:
            begun.set_result(None)

    threading.Thread(target=begin, name="join-ray", daemon=True).start()  # what is no head is waited for without end
    try:
        begun.result(_JOIN_S)
    except TimeoutError as error:
        raise TimeoutError(f"no head of Ray answers within {_JOIN_S:g} s") from error
    # Ray would print that a node was lost on standard output, into the JSON of a command. Its debugger does the same.
    worker._worker_logs_enabled = False
    return ray, True


def _on_worker(version: str, work: Callable[..., _T], *given: Any) -> _T:
    """Run a function on a worker."""
    if version != _version():
        raise ClusterFailed(
            f"a worker of the Ray cluster, {socket.gethostname()}, has GraphPalace {_version()}, and this command "
            f"{version}: install the same version on all machines"
        )
    return work(*given)


def _version() -> str:
    return sys.modules["graphpalace"].__version__  # the layers take an import of the package for one of its doors
