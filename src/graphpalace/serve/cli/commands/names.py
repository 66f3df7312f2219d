"""The commands for names that texts mention."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graphpalace.domain.texts import counted
from graphpalace.offers import knowledge
from graphpalace.serve.cli.command_group import Commands
from graphpalace.serve.cli.context import AsJson, Palace
from graphpalace.serve.cli.offered import command
from graphpalace.serve.cli.output import err, out, print_json
from graphpalace.serve.cli.progress import ProgressStep, shown_progress, stopped
from graphpalace.serve.cli.reached import InProcess, Ray, reached
from graphpalace.serve.cli.tables import Column, figures, shortened, show_table

if TYPE_CHECKING:
    from graphpalace.domain.knowledge.entity import EntityType
    from graphpalace.domain.knowledge.names import (
        Merge,
        NameChange,
        NameList,
        NamePage,
        NamePageQuery,
        NameQuery,
        NameReading,
        Split,
    )

names = Commands(help="List, show, merge and split the names that texts mention, and read those of older palaces.")


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(names, name="names")


@command(names, "list", knowledge.LIST_NAMES, arguments=("query",), options={"entity_type": "--type"})
def _listed(answer: NameList, _asked: NameQuery) -> None:
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


@command(names, "merge", knowledge.MERGE_NAMES, arguments=("name", "other"))
def _merged(done: NameChange, asked: Merge) -> None:
    _show_change(done, f"{done.entity.name!r} has {asked.other!r} as an alias now")


@command(names, "split", knowledge.SPLIT_NAME, arguments=("name", "alias"), options={"drawers": "--drawer"})
def _split(done: NameChange, asked: Split) -> None:
    if asked.drawers and done.other:
        told = f"{done.other.name!r} is meant there now"
    elif done.other:
        told = f"{asked.alias!r} is a name of its own again"
    else:
        told = f"{asked.alias!r} was taken out; no drawer mentions it"
    _show_change(done, told)


@names.command("build")
def names_build(
    again: Annotated[bool, typer.Option("--again", help="Read all drawers again.")] = False,
    in_process: InProcess = False,
    ray: Ray = None,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Read the names of all drawers that are due, as those of a palace of an earlier version are."""
    with (
        stopped("what is already read is kept; run the same command again to read the rest"),
        reached(palace, in_process=in_process, ray=ray) as found,
        shown_progress("reading names", err) as tell,
    ):
        done = found.names.build(again=again, progress=lambda now: tell(reading_step(now)))
    if as_json:
        print_json(done)
    else:
        out.print(f"the names of {counted(done.read, 'drawer')} were read ({done.recogniser})", highlight=False)


def reading_step(now: NameReading) -> ProgressStep:
    """Return how far the reading of names is."""
    return ProgressStep("reading names", now.read, now.read + now.due, "drawers")


def _sure(entity_type: EntityType) -> str:
    return entity_type.value if entity_type.sure else ""


@command(names, "show", knowledge.SHOW_NAME, arguments=("name",), defaults={"limit": 10}, without=("offset",))
def _shown(page: NamePage, _asked: NamePageQuery) -> None:
    entity = page.entity
    aliases = f", also {', '.join(entity.aliases)}" if entity.aliases else ""
    kind = f" ({entity.entity_type.value})" if entity.entity_type.sure else ""
    out.print(f"{entity.name}{kind}{aliases}", markup=False, highlight=False, soft_wrap=True)
    out.print(
        f"{counted(entity.drawer_count, 'drawer')}, {counted(page.facts, 'fact')}, id {entity.id}", highlight=False
    )
    if page.merged:
        out.print(f"merged by hand: {', '.join(page.merged)}", markup=False, highlight=False, soft_wrap=True)
    for each in page.may_be_two:
        told = f"may be two people: {each.sign} in {', '.join(each.drawers)}"
        out.print(told, markup=False, highlight=False, soft_wrap=True)
    if page.may_be_two:
        out.print("`graphpalace names split NAME OTHER --drawer ID` gives a mention to another name", markup=False)
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
        show_table(out, columns, rows, title="Drawers")
    if page.neighbours:
        columns = [*figures("shared"), Column("type"), Column("name", text="wraps")]
        rows = [(str(each.shared), _sure(each.entity_type), each.name) for each in page.neighbours]
        show_table(out, columns, rows, title="Together with")


def _show_change(done: NameChange, told: str) -> None:
    moved = f"{counted(done.drawers, 'drawer')} and {counted(done.facts, 'fact')} moved"
    out.print(f"{told}; {moved}", markup=False, highlight=False, soft_wrap=True)
