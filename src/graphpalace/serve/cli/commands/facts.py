"""The commands for facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from graphpalace.domain.texts import counted
from graphpalace.offers import knowledge
from graphpalace.serve.cli import show
from graphpalace.serve.cli.command_group import Commands
from graphpalace.serve.cli.context import AsJson, Palace
from graphpalace.serve.cli.offered import command
from graphpalace.serve.cli.output import err, out, print_json
from graphpalace.serve.cli.reached import reached
from graphpalace.serve.cli.tables import Column, figures, show_table

if TYPE_CHECKING:
    from graphpalace.domain.knowledge.contradictions import FoundContradictions
    from graphpalace.domain.knowledge.fact_requests import (
        ContradictionQuery,
        CountQuery,
        FactQuery,
        Invalidation,
        NewFact,
        Supersession,
        TimelineQuery,
        TraversalQuery,
    )
    from graphpalace.domain.knowledge.facts import (
        AddedFact,
        Fact,
        FactStats,
        FactTraversal,
        FoundFacts,
        InvalidatedFacts,
        ProposalReport,
        SupersededFacts,
    )

kg = Commands(help="Add facts with their times, and ask for them.")


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(kg, name="kg")


@command(
    kg,
    "add",
    knowledge.ADD_FACT,
    arguments=("subject", "predicate", "object"),
    options={"valid_from": "--from", "valid_to": "--to", "drawers": "--drawer"},
)
def _added(added: AddedFact, _asked: NewFact) -> None:
    out.print("added" if added.created else "known already")
    _rows([added.fact])


@command(
    kg,
    "supersede",
    knowledge.SUPERSEDE_FACT,
    arguments=("subject", "predicate", "object"),
    options={"drawers": "--drawer"},
)
def _superseded(changed: SupersededFacts, _asked: Supersession) -> None:
    replaced = counted(len(changed.replaced), "fact")
    out.print(f"{'added' if changed.created else 'known already'}, {replaced} replaced", highlight=False)
    _rows([changed.fact, *changed.replaced])


@command(kg, "invalidate", knowledge.INVALIDATE_FACT, arguments=("fact",))
def _invalidated(gone: InvalidatedFacts, _asked: Invalidation) -> None:
    out.print(f"{counted(len(gone.invalidated), 'fact')} taken back, {len(gone.kept)} kept as ended", highlight=False)
    _rows([*gone.invalidated, *gone.kept])


@command(kg, "query", knowledge.FIND_FACTS)
def _found(found: FoundFacts, _asked: FactQuery) -> None:
    _rows(found.facts)
    _end(len(found.facts), more=found.more)


@command(kg, "list", knowledge.FIND_FACTS, without=("subject", "predicate", "object"))
def _listed(found: FoundFacts, asked: FactQuery) -> None:
    """List the facts that hold. `kg query` chooses among them."""
    _found(found, asked)


@command(
    kg,
    "show",
    knowledge.TRAVERSE_FACTS,
    arguments=("start",),
    fixed={"depth": 1},
    as_value=lambda way: {"facts": [step.fact for step in way.steps], "more": way.more},
)
def _shown(way: FactTraversal, _asked: TraversalQuery) -> None:
    """Show the facts on a name that hold. `kg timeline` shows those of all times."""
    _rows([step.fact for step in way.steps])
    _end(len(way.steps), more=way.more)


@command(kg, "timeline", knowledge.FACT_TIMELINE, arguments=("name",))
def _timeline(found: FoundFacts, _asked: TimelineQuery) -> None:
    _rows(found.facts)
    _end(len(found.facts), more=found.more)


@command(kg, "traverse", knowledge.TRAVERSE_FACTS, arguments=("start",))
def _traversed(way: FactTraversal, _asked: TraversalQuery) -> None:
    rows = [(str(step.depth), *_row(step.fact)) for step in way.steps]
    show_table(out, [*figures("depth"), *_COLUMNS], rows)
    _end(len(way.steps), more=way.more)


@command(kg, "contradictions", knowledge.FACT_CONTRADICTIONS)
def _contradictions(pairs: FoundContradictions, _asked: ContradictionQuery) -> None:
    for pair in pairs.contradictions:
        kind = f"two objects of {pair.predicate}" if pair.kind == "two_objects" else f"{pair.predicate} and its inverse"
        out.print(f"{kind}, {pair.since or 'since ever'} to {pair.until or 'now'}", markup=False, highlight=False)
        _rows([pair.first, pair.second], indent=2)
    out.print(
        f"{counted(len(pairs.contradictions), 'contradiction')}{' and more' if pairs.more else ''}", highlight=False
    )


@kg.command("propose")
def kg_propose(
    wing: Annotated[str | None, typer.Option(help="Read only drawers of this wing.")] = None,
    room: Annotated[str | None, typer.Option(help="Read only drawers of rooms with this name.")] = None,
    most: Annotated[int | None, typer.Option(help="Largest number of drawers. Default: all.")] = None,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Let the extractor that [knowledge] extractor_url names propose facts for drawers that it has not read."""
    with reached(palace, wing=wing, room=room) as found, _progress() as progress:
        report = found.propose_facts(wing=wing, room=room, most=most, progress=progress)
    if as_json:
        print_json(report)
        return
    out.print(
        f"{counted(report.drawers, 'drawer')} read: {report.added} new facts, {report.known} known, "
        f"{report.refused} refused; {report.unreadable} without a usable answer, {report.due} still to be read",
        highlight=False,
    )


@contextmanager
def _progress() -> Iterator[Callable[[ProposalReport], None]]:
    """Yield a callback that shows the drawers read, the new facts, and the time left."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("reading"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("drawers, {task.fields[added]} new facts"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, disable=not err.is_terminal) as progress:
        task = progress.add_task("", total=None, added=0)

        def update(report: ProposalReport) -> None:
            progress.update(task, completed=report.drawers, total=report.drawers + report.due, added=report.added)

        yield update


@command(kg, "stats", knowledge.FACT_STATS)
def _stats(stats: FactStats, _asked: CountQuery) -> None:
    counts = {name: str(value) for name, value in asdict(stats).items() if name != "predicates"}
    show_table(out, [Column("what"), *figures("number")], list(counts.items()), titles=False)
    show.table(out, [asdict(one) for one in stats.predicates], ["predicate", "facts"])


_COLUMNS = [
    *(Column(title) for title in ("id", "from", "to")),
    Column("fact", text="wraps"),
    *figures("confidence"),
    Column("state"),
]


def _rows(facts: Sequence[Fact], *, indent: int = 0) -> None:
    if facts:
        show_table(out, _COLUMNS, [_row(fact) for fact in facts], indent=indent)


def _row(fact: Fact) -> tuple[str, ...]:
    state = f"taken back {fact.invalidated_at}" if fact.invalidated_at else "replaced" if fact.superseded_by else ""
    said = f"{fact.subject} {fact.predicate} {fact.object}"
    return fact.id, fact.valid_from or "-", fact.valid_to or "-", said, f"{fact.confidence:g}", state


def _end(count: int, *, more: bool) -> None:
    out.print(f"{counted(count, 'fact')}{'; there are more: give a higher --limit' if more else ''}", highlight=False)
