"""The commands for facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from graphpalace.domain.counts import counted
from graphpalace.serve.cli import show
from graphpalace.serve.cli.command_group import Commands
from graphpalace.serve.cli.context import AsJson, Palace
from graphpalace.serve.cli.output import err, out, print_json
from graphpalace.serve.cli.reached import reached
from graphpalace.serve.cli.tables import Column, figures, show_table

if TYPE_CHECKING:
    from graphpalace.domain.knowledge.facts import Fact
    from graphpalace.domain.knowledge.proposals import ProposalReport

kg = Commands(help="State facts with their times, and ask for them.")

_TIMES = "2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z"

Subject = Annotated[str, typer.Argument(metavar="SUBJECT", help="A name, for example 'Ada Lovelace'.")]
PredicateOf = Annotated[str, typer.Argument(metavar="PREDICATE", help="What joins the names, for example works_at.")]
Confidence = Annotated[float, typer.Option(help="How sure the fact is, above 0 and at most 1.")]
Source = Annotated[str, typer.Option(help="Who or what says so.")]
Drawer = Annotated[list[str] | None, typer.Option("--drawer", help="Id of a drawer that says so.")]
OnlyPredicate = Annotated[str | None, typer.Option("--predicate", help="Only facts with this predicate.")]
AsOf = Annotated[
    str | None, typer.Option(metavar="TIME", help=f"Facts that hold in the world at this time: {_TIMES}. Default: now.")
]
KnownAt = Annotated[
    str | None, typer.Option(metavar="TIME", help="Facts that the palace knew at this time. Default: now.")
]
Limit = Annotated[int, typer.Option(help="Largest number of facts, 1 to 1000.")]


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(kg, name="kg")


@kg.command("add")
def kg_add(
    subject: Subject,
    predicate: PredicateOf,
    object: Annotated[str, typer.Argument(metavar="OBJECT", help="Another name.")],
    since: Annotated[
        str | None, typer.Option("--from", metavar="TIME", help=f"It holds from this time on: {_TIMES}.")
    ] = None,
    until: Annotated[str | None, typer.Option("--to", metavar="TIME", help="And before this time.")] = None,
    confidence: Confidence = 1.0,
    source: Source = "stated",
    drawer: Drawer = None,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """State a fact. The same fact twice is one."""
    with reached(palace) as found:
        added = found.add_fact(
            subject,
            predicate,
            object,
            valid_from=since,
            valid_to=until,
            confidence=confidence,
            source=source,
            drawers=drawer or [],
        )
    if as_json:
        print_json(added)
        return
    out.print("added" if added.created else "known already")
    _show([added.fact])


@kg.command("supersede")
def kg_supersede(
    subject: Subject,
    predicate: PredicateOf,
    object: Annotated[str, typer.Argument(metavar="OBJECT", help="The new object.")],
    replaces: Annotated[
        str | None, typer.Option(metavar="NAME", help="The old object; needed only if there are several.")
    ] = None,
    at: Annotated[
        str | None, typer.Option(metavar="TIME", help=f"When the new fact begins to hold: {_TIMES}. Default: now.")
    ] = None,
    confidence: Confidence = 1.0,
    source: Source = "stated",
    drawer: Drawer = None,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Let a fact take the place of another one, which ends. Both can still be asked for."""
    with reached(palace) as found:
        changed = found.supersede_fact(
            subject,
            predicate,
            object,
            replaces=replaces,
            at=at,
            confidence=confidence,
            source=source,
            drawers=drawer or [],
        )
    if as_json:
        print_json(changed)
        return
    replaced = counted(len(changed.replaced), "fact")
    out.print(f"{'added' if changed.created else 'known already'}, {replaced} replaced", highlight=False)
    _show([changed.fact, *changed.replaced])


@kg.command("invalidate")
def kg_invalidate(
    fact: Annotated[str | None, typer.Argument(metavar="FACT", help="Id of the fact; or else use the options.")] = None,
    subject: Annotated[str | None, typer.Option(help="Subject of the facts.")] = None,
    predicate: Annotated[str | None, typer.Option(help="Their predicate.")] = None,
    object: Annotated[str | None, typer.Option(help="Their object.")] = None,
    ended: Annotated[
        str | None, typer.Option(metavar="TIME", help="They did hold until this time. Default: they never did.")
    ] = None,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Take back a fact that was never true, or end one that nothing replaces."""
    with reached(palace) as found:
        gone = found.invalidate_fact(fact, subject=subject, predicate=predicate, object=object, ended=ended)
    if as_json:
        print_json(gone)
        return
    out.print(f"{counted(len(gone.invalidated), 'fact')} taken back, {len(gone.kept)} kept as ended", highlight=False)
    _show([*gone.invalidated, *gone.kept])


@kg.command("query")
def kg_query(
    subject: Annotated[str | None, typer.Option(help="Subject of the facts.")] = None,
    predicate: OnlyPredicate = None,
    object: Annotated[str | None, typer.Option(help="Their object.")] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    limit: Limit = 100,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Show the facts that meet everything that is given."""
    with reached(palace) as found:
        facts = found.facts(subject, predicate, object, as_of=as_of, known_at=known_at, limit=limit)
    if as_json:
        print_json(facts)
    else:
        _show(facts.facts, more=facts.more)


@kg.command("timeline")
def kg_timeline(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Subject or object of the facts.")],
    predicate: OnlyPredicate = None,
    known_at: KnownAt = None,
    unlearned: Annotated[bool, typer.Option("--unlearned", help="Also show what was taken back.")] = False,
    limit: Limit = 100,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Show the facts on a name from all times, in their order."""
    with reached(palace) as found:
        facts = found.fact_timeline(name, predicate=predicate, known_at=known_at, unlearned=unlearned, limit=limit)
    if as_json:
        print_json(facts)
    else:
        _show(facts.facts, more=facts.more)


@kg.command("traverse")
def kg_traverse(
    start: Annotated[str, typer.Argument(metavar="NAME", help="The name to start from.")],
    depth: Annotated[int, typer.Option(help="Largest number of facts from there, 1 to 5.")] = 2,
    predicate: OnlyPredicate = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    limit: Limit = 100,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Show what a name is connected with over several facts."""
    with reached(palace) as found:
        way = found.traverse_facts(start, depth=depth, predicate=predicate, as_of=as_of, known_at=known_at, limit=limit)
    if as_json:
        print_json(way)
        return
    rows = [(str(step.depth), *_row(step.fact)) for step in way.steps]
    show_table(out, [*figures("depth"), *_COLUMNS], rows)
    _end(len(way.steps), more=way.more)


@kg.command("contradictions")
def kg_contradictions(
    subject: Annotated[str | None, typer.Option(help="Only facts on this name.")] = None,
    predicate: OnlyPredicate = None,
    limit: Annotated[int, typer.Option(help="Largest number of pairs, 1 to 1000.")] = 100,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Show pairs of facts that cannot both be true, as [knowledge] in the settings declares it."""
    with reached(palace) as found:
        pairs = found.fact_contradictions(subject=subject, predicate=predicate, limit=limit)
    if as_json:
        print_json(pairs)
        return
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


@kg.command("stats")
def kg_stats(palace: Palace = None, as_json: AsJson = False) -> None:
    """Count the facts of a palace."""
    with reached(palace) as found:
        stats = found.fact_stats()
    if as_json:
        print_json(stats)
        return
    counts = {name: str(value) for name, value in asdict(stats).items() if name != "predicates"}
    show_table(out, [Column("what"), *figures("number")], list(counts.items()), titles=False)
    show.table(out, [asdict(one) for one in stats.predicates], ["predicate", "facts"])


_COLUMNS = [
    *(Column(title) for title in ("id", "from", "to")),
    Column("fact", text="wraps"),
    *figures("confidence"),
    Column("state"),
]


def _show(facts: Sequence[Fact], *, more: bool | None = None) -> None:
    _rows(facts)
    if more is not None:
        _end(len(facts), more=more)


def _rows(facts: Sequence[Fact], *, indent: int = 0) -> None:
    if facts:
        show_table(out, _COLUMNS, [_row(fact) for fact in facts], indent=indent)


def _row(fact: Fact) -> tuple[str, ...]:
    state = f"taken back {fact.invalidated_at}" if fact.invalidated_at else "replaced" if fact.superseded_by else ""
    said = f"{fact.subject} {fact.predicate} {fact.object}"
    return fact.id, fact.valid_from or "-", fact.valid_to or "-", said, f"{fact.confidence:g}", state


def _end(count: int, *, more: bool) -> None:
    out.print(f"{counted(count, 'fact')}{'; there are more: give a higher --limit' if more else ''}", highlight=False)
