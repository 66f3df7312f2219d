"""Print tables, the state of the server and the progress of a download for people, and JSON for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from graphpalace.domain.texts import counted
from graphpalace.serve.cli.output import Line, print_json
from graphpalace.serve.cli.tables import Column, show_table

if TYPE_CHECKING:
    from rich.console import Console

    from graphpalace.client.service_file import RunningService
    from graphpalace.managed_neo4j.server import ManagedServer
    from graphpalace.serve.cli.doctor.check import Check
    from graphpalace.settings.home import Home
    from graphpalace.store.palaces.languages import WordsDue

_MARK = {"good": Line(("ok", "green")), "note": Line(("note", "yellow")), "bad": Line(("bad", "red"))}


_TITLES = {"created_at": "created", "hall_type": "type", "wing_type": "type"}  # in words of people


def table(out: Console, rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> None:
    """Print rows as a table. A field whose name ends with `_at` is a moment."""
    titles = [Column(_TITLES.get(column, column)) for column in columns]
    show_table(out, titles, [[_cell(one, row.get(one)) for one in columns] for row in rows])


def _cell(field: str, value: Any) -> str:
    if value is None:
        return ""
    return str(value)[:19].replace("T", " ") if field.endswith("_at") else str(value)


def server(out: Console, managed: ManagedServer) -> None:
    """Print how to reach the managed Neo4j."""
    url = getattr(managed.status(), "browser_url", "")
    out.print(f"Bolt     {managed.uri}")
    out.print(
        f"Browser  {url}  (user {managed.user}, password in {managed.password_file})",
        soft_wrap=True,
        markup=False,
    )


def service(out: Console, running: RunningService, home: Home) -> None:
    """Print where the service runs, in a line."""
    out.print(
        f"service  {running.url}  (process {running.pid}, log {home.log})",
        soft_wrap=True,
        highlight=False,
        markup=False,
    )


def status(out: Console, found: dict[str, Any], *, as_json: bool) -> None:
    """Print the result of `status`."""
    if as_json:
        print_json(found)
        return
    for key in ("server", "reason", "pid", "uri", "browser", "database", "version", "edition", "schema"):
        if found.get(key):
            out.print(f"{key:<9}{found[key]}", soft_wrap=True, highlight=False, markup=False)
    one = found["service"]
    parts = [one["state"], one["url"], one["pid"] and f"process {one['pid']}", one["reason"]]
    line = ", ".join(str(part) for part in parts if part)
    out.print(f"service  {line}", soft_wrap=True, highlight=False, markup=False)
    for failure in found["hook_failures"]:
        out.print(f"hook     {failure}", soft_wrap=True, highlight=False, markup=False)
    if found["palaces"]:
        table(out, found["palaces"], ["name", "wings", "rooms", "closets", "drawers"])


def checks(out: Console, found: Sequence[Check], *, as_json: bool) -> None:
    """Print the results of `doctor`."""
    if as_json:
        print_json([asdict(check) for check in found])
        return
    columns = [Column("state"), Column("check"), Column("found", text="wraps")]
    rows = [
        (_MARK[check.state], check.name, check.found + (f" -> {check.fix}" if check.fix else "")) for check in found
    ]
    show_table(out, columns, rows, titles=False)
    wrong, notes = (sum(check.state == state for check in found) for state in ("bad", "note"))
    out.print(f"{counted(wrong, 'problem')}, {counted(notes, 'note')}", highlight=False)


def renewal(console: Console) -> Callable[[WordsDue], None]:
    """Return a callback that tells, at each tenth, how far the renewal of the words of a palace is."""
    told: set[tuple[str, int]] = set()

    def tell(due: WordsDue) -> None:
        tenth = 10 * (due.drawers - due.left) // max(due.drawers, 1)
        if due.left and (due.name, tenth) not in told:
            told.add((due.name, tenth))
            done = f"{due.drawers - due.left} of {due.drawers} drawers"
            console.print(f"renewing the words of palace {due.name}: {done}", markup=False, highlight=False)

    return tell


@contextmanager
def download_progress(console: Console) -> Iterator[Callable[[int, int], None]]:
    """Yield a callback that takes the bytes done and the bytes in all; its first call shows a bar."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.progress import TransferSpeedColumn as Speed

    columns = (TextColumn("downloading Neo4j"), BarColumn(), DownloadColumn(), Speed(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = None

        def update(done: int, total: int) -> None:
            nonlocal task
            if task is None:
                task = progress.add_task("", total=total)
            progress.update(task, completed=done, total=total)

        yield update
