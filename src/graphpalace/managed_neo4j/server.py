"""A Neo4j Community server that GraphPalace starts and stops itself."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from graphpalace.errors import DatabaseBroken, NotEnoughDisk
from graphpalace.managed_neo4j import folder as folders
from graphpalace.managed_neo4j import launch as launching
from graphpalace.managed_neo4j.folder import alone, needed_bytes, usable
from graphpalace.managed_neo4j.jars import ensure_jars
from graphpalace.managed_neo4j.java import archive_draft, find_java, keep
from graphpalace.managed_neo4j.launch import Launch
from graphpalace.managed_neo4j.ports import choose_ports, wait_until_free
from graphpalace.managed_neo4j.ready import auth_failed, run_query, start_ready, wait_for
from graphpalace.managed_neo4j.state import (
    NEVER_STARTED,
    Running,
    Stopped,
    read_state,
    stop_process,
    write_state,
)
from graphpalace.maven import Progress

DEFAULT_VERSION = "2026.08.1"

_STOP_S = 60
_CLOSING_S = 3
_SET_PASSWORD = "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED"  # noqa: S105  a query, no password


class ManagedServer:
    """The Neo4j server of one data folder. Several processes may use the same server at the same time.

    Args:
        data_dir: Data folder; Neo4j stores everything in its subfolder `neo4j`.
        cache_dir: Cache folder of the user, for the jars and for archives that make a start faster.
        version: A pinned version of Neo4j.
        bolt_port: Port on the loopback address for queries; 0 picks a free one.
        http_port: Port on the loopback address for Neo4j Browser; 0 picks a free one.
        heap_mib: Memory for Java objects in MiB; None uses a share of the memory of the machine.
        pagecache_mib: Memory for pages of the store in MiB; None uses a share of the memory of the machine.
        java: Java home or program that must be used; None searches for one.
        repository_url: Maven repository for the jars; None uses Maven Central.
    """

    user = launching.USER

    def __init__(
        self,
        data_dir: Path,
        cache_dir: Path,
        version: str = DEFAULT_VERSION,
        *,
        bolt_port: int = 7687,
        http_port: int = 7474,
        heap_mib: int | None = None,
        pagecache_mib: int | None = None,
        java: Path | None = None,
        repository_url: str | None = None,
    ) -> None:
        self.data_dir = data_dir
        self.home = data_dir.absolute() / "neo4j"
        self.cache_dir = cache_dir.absolute()
        self.version = version
        self.ports = {"bolt_port": bolt_port, "http_port": http_port}
        self.heap_mib = heap_mib or launching.memory_for_heap_mib()
        self.pagecache_mib = pagecache_mib or launching.memory_for_pages_mib()
        self.java = java
        self.repository_url = repository_url

    @property
    def uri(self) -> str:
        """The Bolt address. With port 0, it has the port of the last start."""
        state = read_state(self._state_file)
        known = state is not None and (state.process() is not None or self.ports["bolt_port"] == 0)
        port = state.bolt_port if state is not None and known else self.ports["bolt_port"]
        return f"bolt://127.0.0.1:{port}"

    @property
    def password_file(self) -> Path:
        """The password file, which only its owner can read."""
        return self.home / "password"

    @property
    def log_dir(self) -> Path:
        """The folder of Neo4j's logs. Look at console.log first."""
        return self.home / "logs"

    @property
    def password(self) -> str:
        """The password of the user `neo4j`.

        Raises:
            DatabaseAuthFailed: If there is no password file.
            SettingsInvalid: If the data folder cannot be used.
        """
        with usable(self.data_dir):
            password = launching.read_password(self.password_file)
        if password is None:
            raise auth_failed(f"The password is missing in {self.password_file}")
        return password

    def up(
        self,
        *,
        progress: Progress | None = None,
        tell: Callable[[str], None] = lambda _what: None,
        timeout_s: float = 120,
    ) -> Running:
        """Start Neo4j if it is not running, and return it once it answers queries.

        A running Neo4j that has stopped serving its database is restarted, which opens the database again.

        Args:
            progress: Called with the bytes downloaded and the bytes in all, if jars must be downloaded.
            tell: Called with a sentence each time the server starts to wait for something else.
            timeout_s: How long Neo4j may take to start, in seconds, without the time for downloads.
        Raises:
            DatabaseAuthFailed: If it refuses the password in the password file.
            SettingsInvalid: If the data folder cannot be used.
            PortTaken: If another program uses one of the ports.
            ServerDidNotStart: If it exits or does not answer in time.
            ArtifactMissing, ChecksumMismatch, DownloadFailed, JavaMissing, NotEnoughDisk
        """
        with self._alone(tell):
            state = read_state(self._state_file)
            if state is not None and state.process() is not None:
                try:
                    wait_for(state, self.password, log_dir=self.log_dir, timeout_s=timeout_s, tell=tell)
                    return state.running(already=True)
                except DatabaseBroken:
                    self._check_disk()
                    tell(f"Neo4j (process {state.pid}) is running but has stopped serving its database: restarting it")
                    state = stop_process(state, timeout_s=_STOP_S)
                    write_state(self._state_file, state)
            if state is not None and state.stopped is None:
                wait_until_free(state.ports.values(), timeout_s=_CLOSING_S)
            folders.clear(self.home)  # of a `compact` that was cut off
            self._check_disk()
            jars = ensure_jars(
                self.version,
                cache_dir=self.cache_dir,
                repository_url=self.repository_url,
                progress=progress,
            )
            password = self._first_or_known_password()
            ports = choose_ports(self.ports, before=state.ports if state else {})
            launch = self._launch(jars, ports)
            return start_ready(launch, password, state_file=self._state_file, timeout_s=timeout_s, tell=tell).running(
                already=False
            )

    def down(self, timeout_s: float = 60) -> bool:
        """Stop the server and return whether it was running.

        A server that does not exit within `timeout_s` seconds is killed, and `status` reports it.
        """
        with self._alone():
            state = read_state(self._state_file)
            if state is None:
                return False
            was_running = state.process() is not None
            write_state(self._state_file, stop_process(state, timeout_s=timeout_s))
            keep(archive_draft(self.home), folder=self._archives)
            return was_running

    def compact(
        self,
        copy: Callable[[str, str, str], None],
        *,
        tell: Callable[[str], None] = lambda _what: None,
        timeout_s: float = 120,
    ) -> tuple[int, int]:
        """Copy what the database shows into a fresh store, which replaces the old one. Stops the server.

        Neo4j only marks deleted records as free: their texts stay in the store, in transaction logs and in Lucene's
        segments. Nothing of them is in a store that never had them. If this is cut off, the old store stays.

        Args:
            copy: Called with the Bolt addresses of the old and the new server, and with the password of both. The old
                server is read-only meanwhile, and nobody else can start or stop the server.

        Returns:
            The bytes of all files of the store before and after.

        Raises:
            NotEnoughDisk: If a second store does not fit on the disk.
            DatabaseAuthFailed, ServerDidNotStart: As `up`.
        """
        with self._alone(tell):
            state = read_state(self._state_file)
            if state is not None:
                write_state(self._state_file, stop_process(state, timeout_s=_STOP_S))
            folders.clear(self.home)
            folders.check_space(self.home)
            before = folders.store_bytes(self.home)
            fresh = ManagedServer(
                folders.draft_folder(self.home),
                self.cache_dir,
                self.version,
                bolt_port=0,
                http_port=0,
                heap_mib=self.heap_mib,
                pagecache_mib=self.pagecache_mib,
                java=self.java,
                repository_url=self.repository_url,
            )
            fresh.home.mkdir(mode=0o700, parents=True)
            shutil.copy2(self.password_file, fresh.password_file)
            try:
                self._copy_to(fresh, copy, tell=tell, timeout_s=timeout_s)
            except BaseException:
                folders.clear(self.home)
                raise
            folders.exchange(self.home)
            return before, folders.store_bytes(self.home)

    def _copy_to(
        self,
        fresh: ManagedServer,
        copy: Callable[[str, str, str], None],
        *,
        tell: Callable[[str], None],
        timeout_s: float,
    ) -> None:
        """Run this server read-only beside a fresh one while the content is copied."""
        jars = ensure_jars(self.version, cache_dir=self.cache_dir, repository_url=self.repository_url)
        before = read_state(self._state_file)
        launch = self._launch(jars, choose_ports({"bolt_port": 0, "http_port": 0}, before={}), read_only=True)
        state = start_ready(launch, self.password, state_file=self._state_file, timeout_s=timeout_s, tell=tell)
        try:
            fresh.up(tell=tell, timeout_s=timeout_s)
            try:
                copy(f"bolt://127.0.0.1:{state.bolt_port}", fresh.uri, self.password)
            finally:
                fresh.down()
        finally:
            stopped = stop_process(state, timeout_s=_STOP_S)
            if before is not None:  # a later start takes the ports that it had before, not those of the copying
                stopped = replace(stopped, bolt_port=before.bolt_port, http_port=before.http_port)
            write_state(self._state_file, stopped)

    def ended_by_itself(self) -> bool:
        """Return whether the server exited without being stopped, for example because it was killed."""
        state = read_state(self._state_file)
        return state is not None and state.stopped is None and state.process() is None

    def status(self) -> Running | Stopped:
        """Return whether the server is running, and where, or why not."""
        state = read_state(self._state_file)
        if state is None:
            return Stopped(NEVER_STARTED)
        if state.process() is not None:
            return state.running(already=True)
        return Stopped(
            state.stopped or f"Process {state.pid} exited by itself; the logs in {self.log_dir} may say why."
        )

    def reset_password(self, *, timeout_s: float = 120) -> None:
        """Set a new random password for the user `neo4j` and write it to the password file. Stops the server.

        For a few seconds, Neo4j runs without authentication and without HTTP on a random loopback port.
        """
        self.down()
        with self._alone():
            draft = self.password_file.with_suffix(".new")
            draft.unlink(missing_ok=True)
            if self._has_users():
                password = launching.create_password(draft)
                jars = ensure_jars(self.version, cache_dir=self.cache_dir, repository_url=self.repository_url)
                ports = choose_ports({"bolt_port": 0, "http_port": 0}, before={})
                launch = self._launch(jars, ports, auth=False)
                state = start_ready(launch, None, state_file=self._state_file, timeout_s=timeout_s)
                try:
                    run_query(state.bolt_port, None, _SET_PASSWORD, {"password": password}, database="system")
                    draft.replace(self.password_file)
                finally:
                    write_state(self._state_file, stop_process(state, timeout_s=60))
            else:
                self.password_file.unlink(missing_ok=True)

    @property
    def _archives(self) -> Path:
        return self.cache_dir / "classes"

    @property
    def _state_file(self) -> Path:
        return self.home / "server.json"

    def _alone(self, tell: Callable[[str], None] = lambda _what: None) -> AbstractContextManager[None]:
        return alone(self.data_dir, self.home, tell)

    def _check_disk(self) -> None:
        free, needed = shutil.disk_usage(self.home).free, needed_bytes(self.home)
        if free < needed:
            message = f"Neo4j needs {needed >> 20} MiB to start, and {self.home} has {free >> 20} MiB free."
            message += " Free disk space, or move the data folder."
            raise NotEnoughDisk(message, needed_bytes=needed, free_bytes=free)

    def _has_users(self) -> bool:
        return (self.home / "data" / "databases" / "system").exists()

    def _first_or_known_password(self) -> str:
        if self._has_users():
            return self.password
        password = launching.read_password(self.password_file)
        if password is None:
            self.password_file.unlink(missing_ok=True)
            password = launching.create_password(self.password_file)
        launching.write_first_password(password, auth_file=self.home / "data" / "dbms" / "auth.ini")
        return password

    def _launch(self, jars: list[Path], ports: dict[str, int], *, auth: bool = True, read_only: bool = False) -> Launch:
        # Only Neo4j 2026 and later use the vector module; older versions run as fast on the wheel's Java.
        java = find_java(want_vector_module=int(self.version.split(".")[0]) >= 2026, configured=self.java)
        return Launch(
            home=self.home,
            version=self.version,
            java=java,
            jars=jars,
            bolt_port=ports["bolt_port"],
            http_port=ports["http_port"],
            heap_mib=self.heap_mib,
            pagecache_mib=self.pagecache_mib,
            auth=auth,
            archives=self._archives,
            read_only=read_only,
        )
