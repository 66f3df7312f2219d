"""Write the configuration and the first password of the managed Neo4j, and start it as a separate process."""

from __future__ import annotations

import hashlib
import os
import secrets
import subprocess
from dataclasses import dataclass
from pathlib import Path

import psutil

from graphpalace.managed_neo4j.java import VECTOR_MODULE, Java, archive_draft, archive_options
from graphpalace.managed_neo4j.ports import LOOPBACK

USER = "neo4j"

_ITERATIONS = 1024


def read_password(path: Path) -> str | None:
    """Return the password, or None if the file is missing or empty."""
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except FileNotFoundError:
        return None


def create_password(path: Path) -> str:
    """Create a random password and write it to a new file of mode 0600.

    Raises:
        FileExistsError: If the file exists.
    """
    password = secrets.token_urlsafe(32)
    _write_private(path, password + "\n")
    return password


def write_first_password(password: str, *, auth_file: Path) -> None:
    """Set the password of a Neo4j that has no users yet.

    This writes the same file as `neo4j-admin dbms set-initial-password`, but needs no second JVM and does not pass the
    password as an argument of a process, where every user of the machine could read it.
    """
    salt = secrets.token_bytes(32)
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(_ITERATIONS - 1):
        digest = hashlib.sha256(digest).digest()
    auth_file.parent.mkdir(parents=True, exist_ok=True)
    auth_file.unlink(missing_ok=True)
    _write_private(auth_file, f"{USER}:SHA-256,{digest.hex()},{salt.hex()},{_ITERATIONS}:\n")


def _write_private(path: Path, text: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)


_MIB = 1024 * 1024
# The page of Neo4j Browser loads fonts, guides, analytics and news from the internet; this policy prevents it.
_LOCAL = " ".join(f"{scheme}://{host}:*" for scheme in ("ws", "http") for host in (LOOPBACK, "localhost"))
BROWSER_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    f" font-src 'self' data:; connect-src 'self' {_LOCAL}; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
)
# On few cores, the parallel collector uses up to a tenth less processor time than G1, which runs beside the work.
_FEW_CORES = 4
_CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")


@dataclass(frozen=True)
class Launch:
    """The values that a start of Neo4j depends on. Without `auth`, only Bolt is opened, to reset the password.

    Attributes:
        archives: Folder of the class archives, which make a start faster.
        read_only: Whether nobody can write to the database.
    """

    home: Path
    version: str
    java: Java
    jars: list[Path]
    bolt_port: int
    http_port: int
    heap_mib: int
    pagecache_mib: int
    auth: bool
    archives: Path
    read_only: bool = False

    @property
    def year(self) -> int:
        """The first number of the version: 5, or the year for versions since 2025."""
        return int(self.version.split(".")[0])

    @property
    def console_log(self) -> Path:
        """The file that receives the output of the process."""
        return self.home / "logs" / "console.log"


def memory_for_heap_mib() -> int:
    """Return a quarter of the memory of the machine or container, at least 512 MiB and at most 4 GiB."""
    return max(512, min(4096, memory_bytes() // 4 // _MIB))


def memory_for_pages_mib() -> int:
    """Return an eighth of the memory of the machine or container, at least 128 MiB and at most 2 GiB."""
    return max(128, min(2048, memory_bytes() // 8 // _MIB))


def memory_bytes() -> int:
    """Return the memory of the machine or container."""
    physical = psutil.virtual_memory().total
    try:
        return min(physical, int(_CGROUP_LIMIT.read_text()))  # the limit of a container
    except (OSError, ValueError):
        return physical


def settings(launch: Launch) -> dict[str, str]:
    """Return the content of neo4j.conf, which opens only the loopback address and sends no data anywhere."""
    bolt, http = f"{LOOPBACK}:{launch.bolt_port}", f"{LOOPBACK}:{launch.http_port}"
    chosen = {
        "server.bolt.listen_address": bolt,
        "server.bolt.advertised_address": bolt,
        "server.http.enabled": str(launch.auth).lower(),
        "server.http.listen_address": http,
        "server.http.advertised_address": http,
        "server.https.enabled": "false",
        "dbms.security.auth_enabled": str(launch.auth).lower(),
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        "server.bolt.telemetry.enabled": "false",
        # A local connection cannot be lost silently, and with keep-alive the driver sets a timeout for every read.
        "server.bolt.connection_keep_alive_for_requests": "OFF",
        "browser.remote_content_hostname_whitelist": "localhost",
        "dbms.security.http_static_content_security_policy_header": BROWSER_POLICY,
        "server.memory.heap.initial_size": f"{launch.heap_mib}m",
        "server.memory.heap.max_size": f"{launch.heap_mib}m",
        "server.memory.pagecache.size": f"{launch.pagecache_mib}m",
        # By default, Neo4j reads a whole index again each time it has grown by a twentieth.
        "db.index_sampling.update_percentage": "50",
    }
    # After closing its stores, Neo4j waits 10 s for packets that nobody sends.
    quiet = "internal.dbms.bolt.netty_server_shutdown_quiet_period"
    chosen |= {f"{quiet}_duration": "0s"} if launch.year >= 2025 else {quiet: "0"}
    if launch.read_only:
        chosen |= {"server.databases.read_only": "neo4j"}
    if launch.year >= 2026:
        chosen |= {"server.fleet_discovery.enabled": "false", "dbms.fleet_manager.enabled": "false"}
    return chosen


def arguments(launch: Launch) -> list[str]:
    """Return the arguments of the java program."""
    java, modern = launch.java, launch.year >= 2025
    main = "org.neo4j.server.Neo4jCommunity" if modern else "org.neo4j.server.CommunityEntryPoint"
    memory = [f"-Xms{min(256, launch.heap_mib)}m", f"-Xmx{launch.heap_mib}m"]
    found = [
        f"-XX:+Use{'Parallel' if (os.cpu_count() or 1) <= _FEW_CORES else 'G1'}GC",
        # The heap grows only if more than a twentieth of the time is spent on collecting garbage, not a hundredth.
        "-XX:GCTimeRatio=19",
        "-XX:-OmitStackTraceInFastThrow",
        "-XX:+DisableExplicitGC",
        "-Dlog4j2.disable.jmx=true",
        "-Dio.netty.tryReflectionSetAccessible=true",
        "-Djdk.nio.maxCachedBufferSize=1024",
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/java.io=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
        "--enable-native-access=ALL-UNNAMED",
    ]
    if java.major >= 23:
        found.append("--sun-misc-unsafe-memory-access=allow")
    if launch.year >= 2026 and java.has_vector_module:
        found.append(f"--add-modules={VECTOR_MODULE}")
    archive = archive_options(java, launch.jars, found, folder=launch.archives, draft=archive_draft(launch.home))
    class_path = os.pathsep.join(map(str, launch.jars))
    paths = [f"--home-dir={launch.home}", f"--config-dir={launch.home / 'conf'}"]
    return [*memory, *found, *archive, "-cp", class_path, main, *paths, "--console-mode"]


def start(launch: Launch) -> subprocess.Popen[bytes]:
    """Start Neo4j in a session of its own, so that it outlives this process and its terminal."""
    for name in ("conf", "logs", "run"):
        (launch.home / name).mkdir(parents=True, exist_ok=True)
    lines = [f"{key}={value}\n" for key, value in settings(launch).items()]
    (launch.home / "conf" / "neo4j.conf").write_text("".join(lines), encoding="utf-8")
    # The arguments are in a file, because the class path is longer than a command line may be on Windows.
    argument_file = launch.home / "conf" / "java.args"
    quoted = ('"' + argument.replace("\\", "\\\\").replace('"', '\\"') + '"' for argument in arguments(launch))
    argument_file.write_text("\n".join(quoted) + "\n", encoding="utf-8")
    if launch.console_log.exists():
        launch.console_log.replace(launch.console_log.with_suffix(".previous.log"))
    flags = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    environ = {key: value for key, value in os.environ.items() if not key.startswith(("NEO4J_", "JDK_JAVA_"))}
    with launch.console_log.open("wb") as log:
        return subprocess.Popen(
            [str(launch.java.path), f"@{argument_file}"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=launch.home,
            env=environ,
            start_new_session=True,
            creationflags=flags,
        )
