"""The commands that register GraphPalace in a host of agents, and take it out again."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphpalace.domain.hooks import FILING, HOST_EVENTS, HookReport, HostScope, InstalledHost, known_host
from graphpalace.errors import InvalidInput
from graphpalace.serve.cli.context import AsJson, context
from graphpalace.serve.cli.output import err, out, print_json, print_plain
from graphpalace.serve.cli.tables import Column, show_table

if TYPE_CHECKING:
    from graphpalace.agent_hosts.host_config import HostConfig
    from graphpalace.domain.hooks import HostName
    from graphpalace.serve.cli.install.file_change import FileChange

Project = Annotated[
    bool, typer.Option("--project", help="Only for the project in the current folder, not for all of your projects.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask first.")]
_AFTERWARDS = {
    "claude-code": "Claude Code reads it when a session starts; /hooks and /mcp show it.",
    "codex": "Codex runs new hooks only after you have looked at them and trusted them: type /hooks in Codex.",
    "cursor": "Cursor reads it at once; Settings > Hooks and Settings > MCP show it.",
    "gemini": "Gemini CLI reads it when it starts; /hooks and /mcp show it.",
}


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(install)
    app.command()(uninstall)


def install(
    host: Annotated[str, typer.Argument(help="claude-code, codex, cursor or gemini.", metavar="[HOST]")] = "",
    project: Project = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    listed: Annotated[
        bool, typer.Option("--list", help="Show what is installed, and when each hook ran last.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Give an agent host a memory: add the MCP server and the hooks of GraphPalace to its configuration.

    The command first shows the changes and asks. Everything else in the files stays, and a copy of each old file is
    kept. Running the command again changes nothing.
    """
    if listed:
        _list(as_json=as_json)
        return
    from graphpalace.serve.cli.install.file_change import Backups
    from graphpalace.serve.cli.install.installation import installing

    config = _config(_host(host), "project" if project else "user")
    changes = installing(config, context.config)
    if not changes:
        out.print(f"{host} is installed already", markup=False)
        return
    if not _agreed(changes, "Change these files?", dry_run=dry_run, yes=yes):
        return
    backups = Backups(context.home().folder)
    for change in changes:
        copy = backups.keep(change)
        change.write()
        kept = f" (as it was: {copy})" if copy else ""
        out.print(f"{change.path} written{kept}", soft_wrap=True, markup=False, highlight=False)
    out.print(_AFTERWARDS[config.host], markup=False)
    if project:
        out.print(
            "These files name commands on this machine. Do not commit them to a repository that others use.",
            markup=False,
        )
    _say_how_to_start()


def uninstall(
    host: Annotated[str, typer.Argument(help="claude-code, codex, cursor or gemini.", metavar="HOST")] = "",
    project: Project = False,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Remove the MCP server and the hooks of GraphPalace from the configuration of an agent host. The palace stays."""
    from graphpalace.serve.cli.install.file_change import Backups
    from graphpalace.serve.cli.install.installation import uninstalling

    config = _config(_host(host), "project" if project else "user")
    backups = Backups(context.home().folder)
    changes = uninstalling(config, backups)
    if not changes:
        out.print(f"{host} is not installed", markup=False)
        return
    if not _agreed(changes, "Change these files?", dry_run=dry_run, yes=yes):
        return
    for change in changes:
        restored = change.before is not None and backups.before(change.path, change.before) == (change.after, True)
        change.write()
        backups.forget(change.path, restored=restored)
        done = "removed" if change.after is None else "as it was" if restored else "written"
        out.print(f"{change.path} {done}", soft_wrap=True, markup=False, highlight=False)


def _host(name: str) -> HostName:
    found = known_host(name)
    if found is None:
        names = ", ".join(HOST_EVENTS)
        said = f"host is {name!r}; it must be one of {names}" if name else f"name a host: {names}; or give --list"
        raise InvalidInput(said, field="host", value=name)
    return found


def _config(host: HostName, scope: HostScope) -> HostConfig:
    from graphpalace.agent_hosts.host_config import host_config

    return host_config(host, scope, home=Path.home(), project=Path.cwd())


def _agreed(changes: list[FileChange], question: str, *, dry_run: bool, yes: bool) -> bool:
    """Show changes, and return whether they shall be written.

    Raises:
        InvalidInput: If nobody can be asked.
    """
    for change in changes:
        print_plain(change.difference(), end="")
    if dry_run:
        return False
    if not yes and not sys.stdin.isatty():
        raise InvalidInput("there is no terminal to ask; give --yes to write this, or --dry-run", field="yes")
    if not yes:
        typer.confirm(question, abort=True, err=True)
    return True


def _say_how_to_start() -> None:
    home = context.home()
    from graphpalace.client.service_file import running_or_none

    if running_or_none(home.folder) is None:
        said = "It starts with the next session." if home.autostart else "Start it with `graphpalace up`."
        err.print(f"The service does not run yet. {said}", markup=False)


def _list(*, as_json: bool) -> None:
    from graphpalace.agent_hosts.host_config import installed
    from graphpalace.hook.notes import FOLDER
    from graphpalace.operations.hooks.reports import hook_report

    found = [installed(_config(host, scope)) for host in HOST_EVENTS for scope in ("user", "project")]
    report = hook_report(context.home().folder / FOLDER, found)
    if as_json:
        told = asdict(report)
        print_json({"installed": told.pop("installed"), "hooks": told})
        return
    titles = ("host", "for", "MCP server", "hooks", "last run", "last problem")
    rows = [_row(one, report) for one in found if one.scope == "user" or one.server or one.hooks or one.problem]
    show_table(out, [Column(title, text="wraps" if title == "last problem" else "cut") for title in titles], rows)
    for host, events in HOST_EVENTS.items():
        for event in events:
            if event.note:
                out.print(f"{host}: {event.name}: {event.note}", markup=False, highlight=False, soft_wrap=True)
    if report.unfiled:
        out.print(f"{report.unfiled} conversations wait to be filed, until a hook reaches the service", markup=False)


def _row(one: InstalledHost, report: HookReport) -> list[str]:
    runs = [run for run in report.runs if run.host == one.host]
    hooks = [run for run in runs if run.event != FILING]
    last = max(hooks, key=lambda run: run.at, default=None)
    failed = max((run for run in runs if run.failure), key=lambda run: run.failed_at or "", default=None)
    events = f"{len(one.hooks)} of {len(one.hooks) + len(one.missing)}"
    told = f"{last.at} {last.event}: {last.did}, {last.took_ms:.0f} ms" if last else ""
    problem = one.problem or (f"{failed.failed_at} {failed.event}: {failed.failure}" if failed else "")
    where = "the user" if one.scope == "user" else "this project"
    return [one.host, where, "yes" if one.server else "no", events, told, problem]
