"""Runs the checks of `graphpalace doctor`, each by itself and within a time."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import Future
from typing import Any

from graphpalace.errors import GraphPalaceError
from graphpalace.serve.cli.doctor import database_checks, machine_checks, model_checks, service_checks, settings_checks
from graphpalace.serve.cli.doctor.check import Check, Installation, without_secrets

CheckFunction = Callable[[Installation], Iterator[Check]]
LONGEST_S = 30.0  # hashing the jars on a slow disk takes some seconds
_RANK = {"bad": 0, "note": 1, "good": 2}
_CHECKS: dict[str, CheckFunction] = {
    "Settings": settings_checks.settings_are_valid,
    "Environment": settings_checks.variables_are_settings,
    "Secrets": settings_checks.secrets_are_private,
    "Service key": settings_checks.a_key_is_set,
    "Proxy": settings_checks.proxies_answer,
    "Port": machine_checks.ports_are_free,
    "Lock": machine_checks.locks_are_free,
    "Service": service_checks.service_runs,
    "Service settings": service_checks.service_has_these_settings,
    "Backup": service_checks.backups_are_made,
    "Start at login": service_checks.unit_is_current,
    "Embedding model": model_checks.model_can_be_computed,
    "Endpoints": model_checks.endpoints_answer,
    "Names": model_checks.names_can_be_read,
    "Hooks": service_checks.hooks_work,
    "Agents": service_checks.hosts_find_the_commands,
    "Cache folder": machine_checks.cache_is_usable,
}
_OF_MANAGED: dict[str, CheckFunction] = {
    "Java": machine_checks.java_is_new_enough,
    "Neo4j jars": machine_checks.jars_are_whole,
    "Data folder": machine_checks.data_folder_is_usable,
    "Disk": machine_checks.disk_has_space,
    "Memory": machine_checks.memory_is_enough,
    "Managed Neo4j": machine_checks.neo4j_runs,
    "Password file": machine_checks.password_is_there,
    "Leftovers": machine_checks.nothing_is_left,
}


async def examine(of: Installation, *, longest_s: float = LONGEST_S) -> list[Check]:
    """Run all checks, and return what they found, problems first.

    Args:
        longest_s: How long each may take. One that takes longer is a finding itself, and is not waited for.
    """
    wanted = _CHECKS if of.settings.neo4j.uri else _OF_MANAGED | _CHECKS
    running = [_bounded(name, _in_thread(check, of), longest_s) for name, check in wanted.items()]
    found = await asyncio.gather(*running, _bounded("Database", _database(of, longest_s), 2 * longest_s))
    checks = [Check("Python", "good", sys.version.split()[0]), *(one for some in found for one in some)]
    return without_secrets(sorted(checks, key=lambda check: _RANK[check.state]), of.settings)


async def _bounded(name: str, work: Coroutine[Any, Any, list[Check]], longest_s: float) -> list[Check]:
    """Return what a check finds; that it fails by itself is a finding, too."""
    try:
        return await asyncio.wait_for(work, longest_s)
    except TimeoutError:
        fix = "look at the disk, the network and the load of this machine, and run the command again"
        return [Check(name, "bad", f"this check did not end within {longest_s:g} s", fix)]
    except GraphPalaceError as error:
        return [Check(name, "bad", error.message, "correct what the message names")]
    except OSError as error:
        told = f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}"
        return [Check(name, "bad", f"this check failed: {told}", "let this user read and write what the message names")]
    except Exception as error:
        fix = "report it, with what `graphpalace --version` prints"
        return [Check(name, "bad", f"this check failed: {type(error).__name__}: {error}", fix)]


async def _in_thread(check: CheckFunction, of: Installation) -> list[Check]:
    """Run a check in a thread that nobody waits for when the command ends."""
    future = Future[list[Check]]()
    future.set_running_or_notify_cancel()  # nobody can cancel it then, and find it done

    def work() -> None:
        try:
            future.set_result([*check(of)])
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return await asyncio.wrap_future(future)


async def _database(of: Installation, longest_s: float) -> list[Check]:
    if not database_checks.should_answer(of):
        return []
    database, checks = await database_checks.answering(of)
    if database is None:
        return checks
    try:
        running = [
            _bounded(name, _listed(check(of, database)), longest_s) for name, check in database_checks.CHECKS.items()
        ]
        return checks + [one for some in await asyncio.gather(*running) for one in some]
    finally:
        await database.close()


async def _listed(checks: AsyncIterator[Check]) -> list[Check]:
    return [check async for check in checks]
