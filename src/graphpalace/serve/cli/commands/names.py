"""The commands for names that texts mention."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from graphpalace.domain.counts import counted
from graphpalace.domain.knowledge.entity import EntityType
from graphpalace.serve.cli.command_group import Commands
from graphpalace.serve.cli.context import AsJson, Palace
from graphpalace.serve.cli.output import err, out, print_json
from graphpalace.serve.cli.reached import reached
from graphpalace.serve.cli.tables import Column, figures, shortened, show_table

if TYPE_CHECKING:
    from graphpalace.domain.knowledge.names import NameChange, NamePage, NameReading

_CTRL_C = 130  # the exit code after Ctrl-C
names = Commands(help="List, show, merge and split the names that texts mention, and read those of older palaces.")
Name = Annotated[str, typer.Argument(help="The name, in any way of writing it.")]


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(names, name="names")


@names.command("list")
def names_list(
    query: Annotated[str, typer.Argument(help="Part of a name or of an alias. Default: all names.")] = "",
    entity_type: Annotated[
        EntityType | None, typer.Option("--type", help="Only names of this type, which is a guess unless it is `code`.")
    ] = None,
    offset: Annotated[int, typer.Option(min=0, help="How many names to skip.")] = 0,
    limit: Annotated[int, typer.Option(min=1, max=200, help="The largest number of names.")] = 50,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """List the names that texts mention, those with most drawers first."""
    with reached(palace) as found:
        answer = found.names.list(query, entity_type=entity_type, offset=offset, limit=limit)
    if as_json:
        print_json(answer)
        return
    doubts = {each.id: " / ".join(sign.sign for sign in each.signs) for each in answer.may_be_two}
    columns = [*figures("drawers"), Column("type"), Column("name", text="wraps"), Column("aliases", text="cut")]
    rows = [
        (
            str(each.drawer_count),
            _sure(each.entity_type),
            f"{each.name} (may be two: {doubts[each.id]})" if each.id in doubts else each.name,
            shortened(", ".join(each.aliases), 80),
        )
        for each in answer.names
    ]
    show_table(out, columns, rows)
    if answer.due:
        err.print(f"the names in {counted(answer.due, 'drawer')} are still to be read", highlight=False)


@names.command("show")
def names_show(
    name: Name,
    limit: Annotated[int, typer.Option(min=1, max=200, help="The largest number of drawers.")] = 10,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Show a name: its drawers, how many facts there are about it, and the names that share drawers with it."""
    with reached(palace) as found:
        page = found.names.page(name, limit=limit)
    if as_json:
        print_json(page)
    else:
        _show_page(out, page)


@names.command("merge")
def names_merge(
    name: Annotated[str, typer.Argument(help="The name that stays.")],
    other: Annotated[str, typer.Argument(help="The name that becomes an alias of it.")],
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Merge a name into another that means the same, with its drawers and facts. `names split` undoes it."""
    with reached(palace) as found:
        done = found.names.merge(name, other)
    _show_change(done, f"{done.entity.name!r} has {other!r} as an alias now", as_json=as_json)


@names.command("split")
def names_split(
    name: Name,
    alias: Annotated[
        str | None,
        typer.Argument(
            help="The alias that means something else. With --drawer: the name that the drawers mean, by default the "
            "same name with a number."
        ),
    ] = None,
    drawer: Annotated[
        list[str] | None,
        typer.Option(help="Take out only the mentions in this drawer, which means another thing. May be repeated."),
    ] = None,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Take an alias out of a name, with the drawers and facts that it brought, or its mentions in some drawers.

    `names merge` undoes it.
    """
    with reached(palace) as found:
        done = found.names.split(name, alias, drawers=drawer or [])
    if drawer and done.other:
        told = f"{done.other.name!r} is meant there now"
    elif done.other:
        told = f"{alias!r} is a name of its own again"
    else:
        told = f"{alias!r} was taken out; no drawer mentions it"
    _show_change(done, told, as_json=as_json)


@names.command("build")
def names_build(
    again: Annotated[bool, typer.Option("--again", help="Read all drawers again.")] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Read the names of all drawers that are due, as those of a palace of an earlier version are."""
    try:
        with reached(palace) as found, reading_progress(err) as progress:
            done = found.names.build(again=again, progress=progress)
    except KeyboardInterrupt:
        err.print("stopped: what is already read is kept; run the same command again to read the rest", soft_wrap=True)
        raise typer.Exit(_CTRL_C) from None
    if as_json:
        print_json(done)
    else:
        out.print(f"the names of {counted(done.read, 'drawer')} were read ({done.recogniser})", highlight=False)


@contextmanager
def reading_progress(console: Console) -> Iterator[Callable[[NameReading], None]]:
    """Yield a callback that shows how many drawers are read, and the time left."""
    columns = (TextColumn("reading names"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)
        yield lambda reading: progress.update(task, completed=reading.read, total=reading.read + reading.due)


def _sure(entity_type: EntityType) -> str:
    return entity_type.value if entity_type.sure else ""


def _show_page(console: Console, page: NamePage) -> None:
    entity = page.entity
    aliases = f", also {', '.join(entity.aliases)}" if entity.aliases else ""
    kind = f" ({entity.entity_type.value})" if entity.entity_type.sure else ""
    console.print(f"{entity.name}{kind}{aliases}", markup=False, highlight=False, soft_wrap=True)
    console.print(
        f"{counted(entity.drawer_count, 'drawer')}, {counted(page.facts, 'fact')}, id {entity.id}", highlight=False
    )
    if page.merged:
        console.print(f"merged by hand: {', '.join(page.merged)}", markup=False, highlight=False, soft_wrap=True)
    for each in page.may_be_two:
        told = f"may be two people: {each.sign} in {', '.join(each.drawers)}"
        console.print(told, markup=False, highlight=False, soft_wrap=True)
    if page.may_be_two:
        console.print("`graphpalace names split NAME OTHER --drawer ID` gives a mention to another name", markup=False)
    if page.drawers:
        columns = [*figures("times"), Column("text", text="cut"), Column("place", text="wraps"), Column("id")]
        rows = [
            (
                "title" if each.is_title else str(each.count),
                shortened(each.text, 60),
                f"{each.wing}/{each.room}",
                each.drawer,
            )
            for each in page.drawers
        ]
        show_table(console, columns, rows, title="Drawers")
    if page.neighbours:
        columns = [*figures("shared"), Column("type"), Column("name", text="wraps")]
        rows = [(str(each.shared), _sure(each.entity_type), each.name) for each in page.neighbours]
        show_table(console, columns, rows, title="Together with")


def _show_change(done: NameChange, told: str, *, as_json: bool) -> None:
    if as_json:
        print_json(done)
        return
    moved = f"{counted(done.drawers, 'drawer')} and {counted(done.facts, 'fact')} moved"
    out.print(f"{told}; {moved}", markup=False, highlight=False, soft_wrap=True)
