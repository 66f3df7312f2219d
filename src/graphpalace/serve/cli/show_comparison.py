"""Shows two runs of an evaluation beside each other: the means, and the questions that moved most."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from graphpalace.domain.texts import counted
from graphpalace.serve.cli.show_evaluation import METRIC_TITLES, shown_metrics, shown_p
from graphpalace.serve.cli.tables import Column, figures, show_table

if TYPE_CHECKING:
    from graphpalace.evaluation.comparison import Comparison, MovedQuestion

_MARK = "*"  # before a relevant document


def show_comparison(console: Console, found: Comparison, first: str, second: str) -> None:
    """Print the comparison of two runs on one collection.

    Args:
        first, second: The names of the runs.
    """
    console.print(
        f"[bold]{escape(found.collection)}[/bold]: {counted(found.questions, 'question')}; in B {found.better} better, "
        f"{found.worse} worse, {found.equal} equal",
        highlight=False,
        soft_wrap=True,
    )
    rows = [
        (label, *shown_metrics(side)) for label, side in ((f"A: {first}", found.before), (f"B: {second}", found.after))
    ]
    changes = [f"{found.after[metric] - found.before[metric]:+.3f}" for metric in METRIC_TITLES]
    show_table(console, [Column(""), *figures(*METRIC_TITLES.values())], [*rows, ("B - A", *changes)])
    interval, p = found.difference.interval, found.difference.p
    if interval is not None:
        console.print(
            f"nDCG@10 changes by {found.difference.mean:+.3f} (95 %: {interval[0]:+.3f} to {interval[1]:+.3f}, "
            f"p = {shown_p(p)})",
            highlight=False,
        )
    for moved in found.moved:
        console.print()
        _show_moved(console, moved, found.titles)
    console.print()


def _show_moved(console: Console, moved: MovedQuestion, titles: Mapping[str, str]) -> None:
    console.print(
        f"[bold]{escape(moved.id)}[/bold]  nDCG@10 {moved.before.metrics['ndcg@10']:.3f} -> "
        f"{moved.after.metrics['ndcg@10']:.3f} ({moved.change:+.3f})  {escape(' '.join(moved.text.split()))}",
        highlight=False,
        soft_wrap=True,
    )
    found = {*moved.before.documents, *moved.after.documents}
    missing = [document for document in moved.relevant if document not in found]
    if missing:
        named = ", ".join(_named(document, titles) for document in missing)
        console.print(f"  relevant and in neither: {escape(named)}", highlight=False, soft_wrap=True)
    rows = [
        (str(rank), *_cell(before, moved, titles), *_cell(after, moved, titles))
        for rank, (before, after) in enumerate(zip_longest(moved.before.documents, moved.after.documents), start=1)
    ]
    columns = [Column("", right=True), Column(""), Column("A", text="cut"), Column(""), Column("B", text="cut")]
    show_table(console, columns, rows, indent=2)


def _cell(document: str | None, moved: MovedQuestion, titles: Mapping[str, str]) -> tuple[str, str]:
    if document is None:
        return "", ""
    return _MARK if document in moved.relevant else "", _named(document, titles)


def _named(document: str, titles: Mapping[str, str]) -> str:
    title = titles.get(document, "")
    return f"{document} {title}".rstrip()
