"""Functions that print tables, answers and progress for people, and JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlparse

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.progress import TransferSpeedColumn as Speed
from rich.text import Text

from graphpalace.domain.counts import counted
from graphpalace.serve.cli.tables import Column, figures, show_table
from graphpalace.serve.render import as_json as json_of

if TYPE_CHECKING:
    from graphpalace.domain.search.answer import Answer, Hit
    from graphpalace.managed_neo4j.server import ManagedServer
    from graphpalace.operations.drawers.ingest import IngestReport
    from graphpalace.serve.cli.commands.doctor import Check

_MARK = {"good": Text("ok", "green"), "note": Text("note", "yellow"), "bad": Text("bad", "red")}


def table(out: Console, rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> None:
    """Print rows as a table."""
    show_table(
        out, [Column(column) for column in columns], [[str(row.get(one, "")) for one in columns] for row in rows]
    )


def server(out: Console, managed: ManagedServer) -> None:
    """Print how to reach the managed Neo4j."""
    state = managed.status()
    url = getattr(state, "http_url", "")
    out.print(f"Bolt     {managed.uri}")
    out.print(
        f"Browser  {url}/browser/  (user {managed.user}, password in {managed.password_file})",
        soft_wrap=True,
        markup=False,
    )


def status(out: Console, found: dict[str, Any], *, as_json: bool) -> None:
    """Print the result of `status`."""
    if as_json:
        out.print_json(json.dumps(found))
        return
    for key in ("server", "reason", "pid", "uri", "browser", "database", "version", "edition", "schema"):
        if found.get(key):
            out.print(f"{key:<9}{found[key]}", soft_wrap=True, highlight=False, markup=False)
    if found["palaces"]:
        table(out, found["palaces"], ["name", "wings", "rooms", "closets", "drawers"])


def checks(out: Console, found: Sequence[Check]) -> None:
    """Print the results of `doctor`."""
    columns = [Column("state"), Column("check"), Column("found", text="wraps")]
    rows = [
        (_MARK[check.state], check.name, check.found + (f" -> {check.fix}" if check.fix else "")) for check in found
    ]
    show_table(out, columns, rows, titles=False)


@contextmanager
def download_progress(console: Console) -> Iterator[Callable[[int, int], None]]:
    """Yield a callback that takes the bytes done and the bytes in all; its first call shows a bar."""
    columns = (TextColumn("downloading Neo4j"), BarColumn(), DownloadColumn(), Speed(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        task = None

        def update(done: int, total: int) -> None:
            nonlocal task
            if task is None:
                task = progress.add_task("", total=total)
            progress.update(task, completed=done, total=total)

        yield update


@contextmanager
def ingest_progress(console: Console) -> Iterator[Callable[[IngestReport], None]]:
    """Yield a callback that shows the files done, the drawers per second and the time left."""
    columns = (
        TextColumn("ingesting"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("files, {task.fields[drawers]} drawers, {task.fields[rate]:.0f}/s"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("", total=None, drawers=0, rate=0.0)

        def update(report: IngestReport) -> None:
            elapsed = progress.tasks[0].elapsed or 0.0
            progress.update(
                task,
                completed=report.files_done,
                total=report.files_total,
                drawers=report.drawers_created,
                rate=report.drawers_created / elapsed if elapsed else 0.0,
            )

        yield update


def ingest_report(out: Console, report: IngestReport, *, as_json: bool, prune: bool) -> None:
    """Print what an ingest stored, what it skipped, and which sources no longer exist."""
    if as_json:
        out.print_json(json.dumps(asdict(report)))
        return
    out.print(
        f"documents: {report.documents_stored} stored, {report.documents_unchanged} unchanged; "
        f"drawers: {report.drawers_created} new, {report.drawers_kept} kept, {report.drawers_removed} removed; "
        f"{report.similar_edges} SIMILAR_TO edges; {report.seconds:.1f} s",
        highlight=False,
    )
    if report.skipped:
        out.print("skipped: " + ", ".join(f"{count} {reason}" for reason, count in sorted(report.skipped.items())))
    for message in report.unreadable:
        out.print(f"[yellow]not read[/yellow] {escape(message)}")
    if report.gone:
        out.print(f"sources that no longer exist: {len(report.gone)}" + ("" if prune else " (--prune removes them)"))
        for uri in report.gone[: len(report.gone) if prune else 5]:
            out.print(f"  {escape(unquote(uri))}", highlight=False)


def answer(out: Console, found: Answer, *, as_json: bool, explain: bool = False) -> None:
    """Print an answer."""
    if as_json:
        shown = json_of(found)
        del shown["palace"]  # which the command was given
        out.print_json(json.dumps(shown))
        return
    for lane, reason in found.left_out.items():
        out.print(f"[yellow]without {lane}[/yellow] {escape(reason)}")
    if not found.hits:
        out.print("nothing found")
    for number, hit in enumerate(found.hits, start=1):
        _hit(out, number, hit)
        if explain:
            _reasons(out, hit)
    if explain:
        plan, stages = found.plan, found.timings_ms
        weights = ", ".join(f"{lane} {plan.weights.get(lane, 1):g}" for lane in plan.lanes)
        out.print(f"[dim]fused by {plan.fusion}; weights: {weights}[/dim]", highlight=False)
        out.print("[dim]" + ", ".join(f"{name} {ms:.1f} ms" for name, ms in stages.items()) + "[/dim]", highlight=False)
    hits = f"{counted(len(found.hits), 'hit')} in {found.timings_ms['total']:.0f} ms"
    out.print(f"[dim]{hits}; run {found.run}[/dim]", highlight=False)


def _reasons(out: Console, hit: Hit) -> None:
    """Print what each lane added to a hit, what learning changed, and the edges that lead to it."""
    lanes = [
        (
            lane,
            str(score.rank or "-"),
            f"{score.score:.3f}",
            "-" if score.evidence is None else f"{score.evidence:.3f}",
            f"{score.share:.0%}",
        )
        for lane, score in sorted(hit.lanes.items())
    ]
    show_table(out, [Column("lane"), *figures("rank", "score", "evidence", "share")], lanes, indent=3)
    if change := hit.taught:
        was = "not found" if change.rank is None else f"rank {change.rank}"
        parts = ", ".join(
            f"{part} {getattr(change, part):+.3f}" for part in ("question", "lanes", "memory", "others", "bound")
        )
        learned = f"learned: {parts}; without learning: {was}, score {change.score:.3f}"
        out.print(f"   [dim]{learned}[/dim]", highlight=False, soft_wrap=True)
    if said := hit.importance:
        out.print(f"   [dim]importance {said.value:g}: {said.change:+.3f}[/dim]", highlight=False, soft_wrap=True)
    if last := hit.reranked:
        parts = ", ".join(f"{part} {getattr(last, part):.3f}" for part in ("dense", "narrative", "pheromone"))
        out.print(f"   [dim]reranked: {parts}[/dim]", highlight=False, soft_wrap=True)
    for edge in hit.trail:
        out.print(f"   [dim]{edge.type} {edge.source} -> {edge.target}[/dim]", highlight=False)
    out.print()


def _hit(out: Console, number: int, hit: Hit) -> None:
    lanes = ", ".join(
        f"{lane} {score.rank}. ({score.score:.2f})" if score.rank else f"{lane} ({score.score:.2f})"
        for lane, score in sorted(hit.lanes.items())
    )
    path = " > ".join(step.name for step in hit.path)
    out.print(
        f"[bold]{number}. {escape(path)}[/bold]  [dim]{hit.score:.4f} = {lanes}[/dim]", highlight=False, soft_wrap=True
    )
    lines = f"{hit.source.start_line}-{hit.source.end_line}"
    out.print(f"   [dim]{escape(_place(hit.source.uri))}:{lines}  {hit.id}[/dim]", highlight=False, soft_wrap=True)
    text = " ".join(hit.text.split())
    words = f"   {escape(text[:300])}{'…' if len(text) > 300 else ''}\n"
    out.print(words, highlight=False, soft_wrap=not out.is_terminal)


def _place(uri: str) -> str:
    parsed = urlparse(uri)
    return unquote(parsed.path) if parsed.scheme == "file" else uri
