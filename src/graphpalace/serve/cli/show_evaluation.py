"""Shows the figures of evaluations: of one collection, of two runs side by side, and of questions without an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape

from graphpalace.domain.texts import counted
from graphpalace.serve.cli.tables import Column, figures, show_table

if TYPE_CHECKING:
    from graphpalace.evaluation.comparison import Comparison, MovedQuestion
    from graphpalace.evaluation.confidence_figures import ConfidenceFigures, NoAnswerFigures
    from graphpalace.evaluation.figures import EvaluationResult, Measurement


METRIC_TITLES = {
    "ndcg@10": "nDCG@10",
    "recall@5": "Recall@5",
    "recall@10": "Recall@10",
    "mrr@10": "MRR@10",
    "hit@1": "Hit@1",
}


def show_evaluation(console: Console, found: EvaluationResult) -> None:
    left_out = f", {found.unjudged} without a relevant document left out" if found.unjudged else ""
    console.print(
        f"[bold]{escape(found.collection)}[/bold]: {counted(found.documents, 'document')}, "
        f"{counted(found.questions, 'question')}{left_out}; "
        f"{found.seconds:.1f} s; a search takes {found.latency_ms['p50']:.1f} ms (p50), "
        f"{found.latency_ms['p95']:.1f} ms (p95)",
        highlight=False,
        soft_wrap=True,
    )
    if found.confidence:
        console.print(_confidence(found.confidence), highlight=False, soft_wrap=True)
    learning = found.learning
    if learning:
        given = "+".join(str(each.feedbacks) for each in learning.seeds)
        asked = "+".join(str(each.measured) for each in learning.seeds)
        console.print(f"learn {learning.plan.mode}: {given} feedbacks, {asked} questions measured", highlight=False)
    _table(console, found.systems, "search" if learning else "rrf")
    if found.kinds:
        rows = [(kind, str(each.questions), *shown_metrics(each.metrics)) for kind, each in found.kinds.items()]
        show_table(console, [Column("search on"), *figures("questions", *METRIC_TITLES.values())], rows)
    if found.ablations:
        _table(console, found.ablations, "search_learned" if learning else "search")
    if learning and learning.met.questions:
        asked = counted(learning.met.questions, "question")
        console.print(f"{asked} with a name that also occurs in a question with feedback", highlight=False)
        _table(console, learning.met.systems, "search")
    console.print()


def _confidence(found: ConfidenceFigures) -> str:
    """Return a sentence on what the search said of its first hits."""
    shown = "" if found.shown is None else f", and their mean confidence is {found.shown:.0%}"
    said = [f"{found.right:.0%} of the first hits are right{shown}"]
    if found.nothing_fits_if_right is not None:
        said.append(f'"nothing fits well" is said of {found.nothing_fits_if_right:.0%} of the right ones')
    if found.nothing_fits_if_unanswerable is not None:
        of = counted(found.unanswerable, "question")
        said.append(f"and of {found.nothing_fits_if_unanswerable:.0%} of {of} without an answer")
    return ", ".join(said)


def _table(console: Console, systems: dict[str, Measurement], baseline: str) -> None:
    ndcg, *others = METRIC_TITLES.values()
    titles = (ndcg, "95 %", *others, f"nDCG@10 - {baseline}", "95 %", "p")
    rows = []
    for name, each in systems.items():
        ndcg, *others = shown_metrics(each.metrics)
        difference = each.difference
        compared = (
            ("", "", "")
            if difference is None
            else (f"{difference.mean:+.3f}", _span(difference.interval, sign="+"), shown_p(difference.p))
        )
        rows.append((name, ndcg, _span(each.intervals["ndcg@10"]), *others, *compared))
    show_table(console, [Column(""), *figures(*titles)], rows)


def _span(interval: tuple[float, float] | None, *, sign: str = "") -> str:
    return "" if interval is None else f"{interval[0]:{sign}.3f} to {interval[1]:{sign}.3f}"


def shown_metrics(metrics: Mapping[str, float]) -> list[str]:
    """Return the metrics in the order of `METRIC_TITLES`."""
    return [f"{metrics[metric]:.3f}" for metric in METRIC_TITLES]


def shown_p(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.4f}" if value >= 0.0005 else "<.0005"


def evaluation_as_json(found: EvaluationResult) -> dict[str, Any]:
    """Return the metrics of each system first, then their intervals and differences."""
    every = found.systems | found.ablations
    plain = {
        "collection": found.collection,
        "documents": found.documents,
        "questions": found.questions,
        "systems": {name: each.metrics for name, each in found.systems.items()},
        "kinds": {kind: asdict(each) for kind, each in found.kinds.items()},
        "confidence": found.confidence and asdict(found.confidence),
        "latency_ms": found.latency_ms,
        "ablations": {name: each.metrics for name, each in found.ablations.items()},
        "intervals": {name: each.intervals for name, each in every.items()},
        "differences": {name: asdict(each.difference) for name, each in every.items() if each.difference},
        "unjudged": found.unjudged,
        "seconds": found.seconds,
    }
    learning = found.learning
    if learning is None:
        return plain
    plan = learning.plan
    return plain | {
        "learn": plan.mode,
        "aged": plan.aged,
        "wrong": plan.wrong,
        "feedbacks": sum(each.feedbacks for each in learning.seeds),
        "seeds": [asdict(each) for each in learning.seeds],
        "curve": [asdict(point) for point in learning.curve],
        "met": {
            "questions": learning.met.questions,
            "systems": {name: each.metrics for name, each in learning.met.systems.items()},
        },
    }


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
