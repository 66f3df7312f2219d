"""Shows how well confidence tells questions with an answer from those without."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape

from graphpalace.serve.cli.tables import Column, figures, show_table

if TYPE_CHECKING:
    from graphpalace.evaluation.confidence_figures import NoAnswerFigures

_TITLES = ("AUC", "AUC foreign", "calibration error", "hits: AUC", "hits: calibration error")


def show_no_answer(console: Console, name: str, found: NoAnswerFigures) -> None:
    """Print the figures of one collection."""
    cases = ", ".join(
        f"{count} {kind} (mean confidence {found.confidence[kind]:.2f}, told that nothing fits well: "
        f"{found.nothing_fits[kind]:.0%})"
        for kind, count in found.cases.items()
        if count
    )
    console.print(f"[bold]{escape(name)}[/bold]: {cases}", highlight=False, soft_wrap=True)
    values = (
        found.auc,
        found.auc_foreign,
        found.calibration_error,
        found.hit_auc,
        found.hit_calibration_error,
    )
    row = ["-" if value is None else f"{value:.3f}" for value in values]
    show_table(console, [Column(""), *figures(*_TITLES)], [("search", *row)])
    console.print()


def no_answer_as_json(name: str, found: NoAnswerFigures) -> dict[str, Any]:
    """Return the figures for programs."""
    return {"collection": name, **asdict(found)}
