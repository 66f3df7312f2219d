"""The commands for the service that runs in the background."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from graphpalace.error_codes import EXIT
from graphpalace.errors import NotFound
from graphpalace.serve.cli import show
from graphpalace.serve.cli.command_group import Commands
from graphpalace.serve.cli.context import AsJson, context
from graphpalace.serve.cli.output import err, out, print_json, print_plain

services = Commands(help="Manage the service that runs in the background. `graphpalace up` starts it.")
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask first.")]
_FOLLOW_S = 0.2


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(services, name="service")


@services.command("status")
def service_status(as_json: AsJson = False) -> None:
    """Show whether the service runs, where, since when, and with how much memory.

    The exit code is 11 if it does not run, or does not answer.
    """
    from graphpalace.serve.cli.server.status import service_state

    found = service_state(context.home())
    if as_json:
        print_json(asdict(found))
    else:
        for key, value in asdict(found).items():
            shown = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
            if shown not in ("", None):
                out.print(f"{key.replace('_', ' '):<12}{shown}", soft_wrap=True, highlight=False, markup=False)
    if found.state not in ("running", "of another version"):
        raise typer.Exit(EXIT["SERVICE_UNAVAILABLE"])


@services.command("restart")
def service_restart() -> None:
    """Restart the service with the current settings. Running requests are finished first."""
    from graphpalace.client.ensure_service import START_S, alone
    from graphpalace.client.service_process import end, launch

    home = context.home()
    with alone(home):
        end(home)
        show.service(out, launch(home, timeout_s=START_S, for_all=True), home)


@services.command("logs")
def service_logs(
    lines: Annotated[int, typer.Option(min=1, max=1000, help="How many of the last lines to show.")] = 50,
    follow: Annotated[bool, typer.Option("--follow", help="Also show new lines, until Ctrl-C.")] = False,
) -> None:
    """Show the last lines of the log of the service that runs in the background."""
    from graphpalace.client.service_process import tail

    log = context.home().log
    if not log.is_file():
        raise NotFound(f"there is no log at {log}: no service was started in the background", file=str(log))
    size = log.stat().st_size
    for line in tail(log)[-lines:]:
        print_plain(line)
    with suppress(KeyboardInterrupt):
        while follow:
            size = _print_from(log, size)
            time.sleep(_FOLLOW_S)


@services.command("install")
def service_install(yes: Yes = False) -> None:
    """Let the system start the service when you log in: as a systemd user unit, or as a launchd agent on macOS.

    The file is shown before it is written.
    """
    from graphpalace.serve.cli.server.service_unit import run_all, unit_of

    unit = unit_of(context.home())
    if unit.installed:
        out.print(f"{unit.path} is already installed", soft_wrap=True, markup=False)
    else:
        err.print(f"{unit.path}{' exists and will be replaced' if unit.path.exists() else ''}:", markup=False)
        print_plain(unit.text)
        if unit.left_out:
            err.print(
                "These environment variables are set here, but not when the system starts the service: "
                f"{', '.join(unit.left_out)}.",
                markup=False,
            )
            err.print("Put them into the settings file if the service needs them.")
        if not yes:
            typer.confirm("Write this file?", abort=True, err=True)
        unit.write()
        out.print(f"{unit.path} written", soft_wrap=True, markup=False)
    _tell(run_all(unit.enable), unit.enable)


@services.command("uninstall")
def service_uninstall(yes: Yes = False) -> None:
    """Remove the file that `install` wrote. A running service keeps running until it is stopped."""
    from graphpalace.serve.cli.server.service_unit import run_all, unit_of

    unit = unit_of(context.home())
    if not unit.path.exists():
        out.print(f"{unit.path} is not installed", soft_wrap=True, markup=False)
        return
    if not yes:
        typer.confirm(f"Remove {unit.path}?", abort=True, err=True)
    failed = run_all(unit.disable)
    unit.path.unlink()
    out.print(f"{unit.path} removed", soft_wrap=True, markup=False)
    _tell(failed, unit.disable)


def _tell(failed: str | None, commands: list[list[str]]) -> None:
    """Say how to do by hand what the system did not let us do."""
    if failed is not None:
        err.print(f"The system refused the command: {failed}. Run this yourself:", markup=False, soft_wrap=True)
        for command in commands:
            err.print(f"  {' '.join(command)}", markup=False, soft_wrap=True)


def _print_from(log: Path, size: int) -> int:
    """Print what was added to a file, and return its new size; a file that was replaced is printed from its start."""
    with suppress(OSError):
        now = log.stat().st_size
        if now != size:
            with log.open("rb") as file:
                file.seek(size if now > size else 0)
                print_plain(file.read().decode("utf-8", "replace"), end="")
            return now
    return size
