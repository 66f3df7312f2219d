"""Checks of the service, its hooks, and the agents that use it."""

from __future__ import annotations

import os
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from graphpalace.agent_hosts.host_config import (
    HOSTS,
    NAME,
    HostConfig,
    host_config,
    installed,
    own_entries,
    read_bytes,
    text_of,
)
from graphpalace.agent_hosts.json_text import parsed
from graphpalace.app.backup import backup_folder
from graphpalace.client import service_file
from graphpalace.client.service_file import marks_of
from graphpalace.domain.hooks import FILING, HOST_EVENTS
from graphpalace.errors import GraphPalaceError
from graphpalace.hook.notes import FOLDER
from graphpalace.operations.backup.folder import newest_in
from graphpalace.operations.hooks.reports import hook_report, recent_failures
from graphpalace.serve.cli.doctor.check import Check, Installation
from graphpalace.serve.cli.server.service_unit import unit_of
from graphpalace.serve.cli.server.status import service_state
from graphpalace.serve.scheduler.backup_service import is_overdue


def service_runs(of: Installation) -> Iterator[Check]:
    """Look at the service's file, its process, and whether it answers."""
    home = of.home
    found = service_state(home)
    where = f"{found.url}, process {found.pid}"
    record = service_file.path_of(home.folder)
    if found.state == "running":
        yield Check("Service", "good", f"running, {where}" + (", open to all users" if found.open else ""))
    elif found.state == "not readable":
        fix = f"make it a file that only you can read, or name another folder as [neo4j] data_dir: {found.reason}"
        yield Check("Service", "bad", f"{record} cannot be used", fix)
    elif found.state != "stopped":
        yield Check("Service", "bad", f"{found.state}: {found.reason}", *of.run("service", "restart"))
    elif found.reason:
        yield Check("Service", "note", f"stopped; {found.reason}", *of.run("up"))
    elif record.exists():
        yield Check("Service", "note", f"{record} is damaged, or that of another folder", *of.run("up"))
    elif home.autostart:
        yield Check("Service", "note", "stopped, starts when it is needed")
    else:
        yield Check("Service", "note", "stopped", *of.run("up"))


def service_has_these_settings(of: Installation) -> Iterator[Check]:
    """Compare the settings with those that the service started with."""
    try:
        found = service_file.running_or_none(of.home.folder)
    except GraphPalaceError:
        return
    if found is None or not found.settings:
        return
    own = marks_of(of.settings)
    if changed := sorted(key for key, mark in found.settings.items() if own.get(key) != mark):
        said = f"the service runs with another {', '.join(changed)}"
        yield Check("Service settings", "note", said, *of.run("service", "restart"))


def backups_are_made(of: Installation) -> Iterator[Check]:
    """Look at the newest backup of a service that makes them by itself; one that is late is a note."""
    schedule = of.settings.backup.schedule
    if not schedule:
        return
    newest = newest_in(folder := backup_folder(of.settings))
    late = newest is None or is_overdue(schedule, newest, datetime.now(UTC))
    if newest is None:
        said = f"none yet in {folder}"
    else:
        said = f"the newest is of {newest.isoformat(timespec='seconds')}"
        said += ", and two were due since then" if late else ""
    yield Check("Backup", "note" if late else "good", said, *(of.run("backup") if late else ()))


def unit_is_current(of: Installation) -> Iterator[Check]:
    """Check that what starts the service at login starts this GraphPalace."""
    try:
        unit = unit_of(of.home)
    except GraphPalaceError:
        return
    if unit.path.is_file() and not unit.installed:
        said = f"{unit.path} starts another GraphPalace, or with another settings file"
        yield Check("Start at login", "note", said, *of.run("service", "install", "--yes"))


def hooks_work(of: Installation) -> Iterator[Check]:
    """Look at the hooks that have run; one that failed is a note, as no agent waits for it."""
    report = hook_report(of.home.folder / FOLDER)
    failing = recent_failures(report, now=datetime.now(UTC))
    waiting = f"; {report.unfiled} conversations wait to be filed" if report.unfiled else ""
    if failing:
        yield Check("Hooks", "note", "; ".join(failing) + waiting, f"see {report.log}")
    elif report.runs:
        slowest = max(report.runs, key=lambda run: run.took_ms if run.event != FILING else 0.0)
        found = f"{len(report.runs)} have run, the slowest in {slowest.took_ms:.0f} ms ({slowest.host} {slowest.event})"
        yield Check("Hooks", "note" if waiting else "good", found + waiting)


def hosts_find_the_commands(of: Installation) -> Iterator[Check]:
    """Check that the commands in the configuration of agents exist, for the user and for this project."""
    for host in HOST_EVENTS:
        for scope in ("user", "project"):
            config = host_config(host, scope, home=Path.home(), project=Path.cwd())
            found = installed(config)
            again = of.run("install", host, "--yes", *(["--project"] if scope == "project" else []))
            if found.problem:
                yield Check(f"Agent {host}", "bad", found.problem, "correct this line of the file of the agent")
            elif missing := [*_missing(config)]:
                said = f"{' and '.join(map(str, config.files))} names {', '.join(missing)}, which does not exist"
                yield Check(f"Agent {host}", "bad", said, *again)
            elif found.server or found.hooks:
                yield Check(
                    f"Agent {host}",
                    "good",
                    f"{'MCP server' if found.server else 'no MCP server'}, {len(found.hooks)} hooks",
                )


def _missing(config: HostConfig) -> Iterator[str]:
    """Yield the programs and settings files that a host is told to use and that do not exist, each once."""
    seen = set[str]()
    for words in _commands(config):
        named = [after for before, after in pairwise(words) if before == "--config"]
        gone = [one for one in words[:1] if not shutil.which(one)] + [one for one in named if not Path(one).exists()]
        yield from (one for one in gone if one not in seen)
        seen.update(gone)


def _commands(config: HostConfig) -> Iterator[list[str]]:
    known = HOSTS[config.host]
    servers, hooks = (text_of(path, read_bytes(path)) for path in (config.servers, config.hooks))
    if servers:
        content: Any = tomllib.loads(servers) if known.toml else parsed(servers).value
        with suppress(KeyError, TypeError):
            server = content[known.servers][NAME]
            yield [server["command"], *server.get("args", [])]
    for event in HOST_EVENTS[config.host] if hooks else ():
        for entry in own_entries(hooks, event.name):
            for one in entry.get("hooks", [entry]):
                yield shlex.split(one["command"], posix=os.name != "nt")
