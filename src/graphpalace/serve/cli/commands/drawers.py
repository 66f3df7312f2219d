"""The commands that store and show single drawers."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from graphpalace.domain.counts import counted
from graphpalace.domain.moments import TIMES, moment
from graphpalace.errors import InvalidInput
from graphpalace.serve.cli.context import AsJson, Palace, context
from graphpalace.serve.cli.last_answer import hit_of
from graphpalace.serve.cli.output import out, print_json
from graphpalace.serve.cli.reached import reached
from graphpalace.serve.cli.show_forgotten import show_plan, show_receipts
from graphpalace.settings.home import setting_text

if TYPE_CHECKING:
    from graphpalace.domain.drawer import DrawerWithPath


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(add)
    app.command()(show)
    app.command()(supersede)
    app.command()(forget)


def add(
    text: Annotated[str, typer.Argument(help="The text to store, or - to read it from standard input.")],
    wing: Annotated[str, typer.Option(help="Wing to put it into.")],
    room: Annotated[str, typer.Option(help="Room to put it into.")] = "general",
    title: Annotated[
        str | None, typer.Option(help="Title of the document it belongs to. Default: the notes of the room.")
    ] = None,
    author: Annotated[str | None, typer.Option(help="Who said it.")] = None,
    occurred_at: Annotated[str | None, typer.Option(metavar="TIME", help=f"When it was said: {TIMES}.")] = None,
    importance: Annotated[float, typer.Option(help="0 to 1; above .5 lifts it a little in answers.")] = 0.5,
    language: Annotated[
        str | None,
        typer.Option(
            metavar="CODE",
            help="Language of its wing, such as de. Default: as the settings say, or else it is guessed.",
        ),
    ] = None,
    unless_similar: Annotated[
        float | None,
        typer.Option(
            metavar="COSINE", help="Store it only if nothing in its wing says the same or is that near, 0 to 1."
        ),
    ] = None,
    key: Annotated[
        str | None, typer.Option(metavar="KEY", help="Of this call: the same call with the same key is done once.")
    ] = None,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Store one text word for word. Use `ingest` for files and folders."""
    said = None if occurred_at is None else moment("occurred_at", occurred_at, now=datetime.now())
    language = language or setting_text("ingest", "language", context.config)
    with reached(palace, sent=("ingest.language",)) as found:
        drawer = found.add(
            sys.stdin.read() if text == "-" else text,
            wing=wing,
            room=room,
            title=title,
            author=author,
            occurred_at=said,
            importance=importance,
            language=None if language == "auto" else language,
            unless_similar=unless_similar,
            key=key,
        )
    if as_json:
        print_json(drawer)
    else:
        kept = "stored" if drawer.created else "was stored already"
        if drawer.similar is not None and drawer.similar.how != "exact":
            says = (
                "says the same" if drawer.similar.how == "same" else f"is near it (cosine {drawer.similar.cosine:.2f})"
            )
            kept = f"{says}, so nothing was stored; it is"
        out.print(f"{drawer.id} {kept} in {drawer.wing} > {drawer.room}", markup=False, highlight=False)
        for older in drawer.news or ():
            out.print(f"this looks like news on {older.drawer} ({older.probability:.0%}): {older.text}", markup=False)
            out.print(f"  graphpalace supersede {older.drawer} {drawer.id}, if it is", markup=False, highlight=False)


def show(
    drawer: Annotated[
        str, typer.Argument(metavar="ID|N", help="Id of a drawer, or the number of a hit of the last answer.")
    ],
    history: Annotated[bool, typer.Option("--history", help="Show its earlier texts, too.")] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Show a drawer whole, with its place. Opening a hit of the last answer counts as weak feedback."""
    run = None
    if drawer.isdecimal():
        last, drawer = hit_of(int(drawer))
        run, palace = last.run, palace or last.palace
    with reached(palace) as found:
        whole = found.get(drawer) if run is None else found.open_drawer(drawer, run=run)
        earlier = found.history(drawer).texts if history else []
    if as_json:
        print_json({**vars(whole), "history": earlier} if history else whole)
    else:
        _show(whole)
        for one in earlier:
            out.print(f"\nuntil {one.until[:19]}, since {one.since[:19]}:", style="dim", markup=False, highlight=False)
            out.print(one.text, markup=False, highlight=False)


def supersede(
    old: Annotated[str, typer.Argument(metavar="OLD", help="Id of the drawer that is outdated.")],
    new: Annotated[str | None, typer.Argument(metavar="NEW", help="Id of the drawer that holds instead.")] = None,
    undo: Annotated[
        bool, typer.Option("--undo", help="Let the old drawer count again: nothing is news on it.")
    ] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Say which drawer takes the place of another. Answers mark the old one and rank it below the new one."""
    if undo == (new is not None):
        raise InvalidInput("give the drawer that holds instead, or --undo, and not both", field="new", value=new)
    with reached(palace) as found:
        if new is None:
            found.take_back_supersede(old)
            out.print(f"{old} counts again", markup=False, highlight=False)
            return
        done = found.supersede(old, new)
    if as_json:
        print_json(done)
    else:
        out.print(f"{old} is outdated since {done.since[:19]}, replaced by {new}", markup=False, highlight=False)


def forget(
    drawers: Annotated[list[str] | None, typer.Argument(metavar="ID...", help="Ids of drawers.")] = None,
    source: Annotated[str | None, typer.Option(help="Everything of this source, by its URI.")] = None,
    wing: Annotated[str | None, typer.Option(help="Only in this wing; alone: the whole wing.")] = None,
    room: Annotated[str | None, typer.Option(help="Only in this room of the wing.")] = None,
    conversation: Annotated[
        str | None, typer.Option(metavar="HOST/ID", help="Everything that was said in this conversation.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Everything that mentions this name, or an alias of it.")] = None,
    pattern: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Everything that has this text, in capitals or small letters.")
    ] = None,
    regex: Annotated[bool, typer.Option("--regex", help="The pattern is a regular expression of RE2.")] = False,
    receipts: Annotated[bool, typer.Option("--receipts", help="List what was forgotten before.")] = False,
    by: Annotated[str | None, typer.Option(metavar="NAME", help="Who asks for it, for the receipt.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be deleted.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Forget what meets everything that is given. It shows what would go, and asks first.

    What came from the drawers goes too: what was learned, known facts, runs and simulations. `graphpalace compact`
    removes the texts from the files of the managed Neo4j.
    """
    chosen = {
        "drawers": drawers or None,
        "source": source,
        "wing": wing,
        "room": room,
        "conversation": conversation,
        "name": name,
        "pattern": pattern,
        "regex": regex,
    }
    if receipts and (dry_run or any(chosen.values())):
        raise InvalidInput("--receipts lists what was forgotten; give nothing else with it", field="receipts")
    with reached(palace) as found:
        if receipts:
            show_receipts(found.forget_receipts(), as_json=as_json)
            return
        receipt = found.forget(**chosen, dry_run=True)
        if not as_json and (dry_run or not yes):
            show_plan(receipt)
        if not dry_run:
            if not yes:
                typer.confirm(f"Delete {counted(len(receipt.drawers), 'drawer')}?", abort=True, err=True)
            receipt = found.forget(**chosen, by=by)
    if as_json:
        print_json(receipt)
    else:
        done = "would be deleted" if dry_run else "deleted"
        kept = f"; receipt {receipt.id}" if receipt.id else ""
        out.print(f"{counted(len(receipt.drawers), 'drawer')} {done}{kept}", highlight=False, soft_wrap=True)


def _show(drawer: DrawerWithPath) -> None:
    path = " > ".join(step.name for step in drawer.path)
    out.print(path, style="bold", markup=False, highlight=False)
    said = ", ".join(part for part in (drawer.author, drawer.occurred_at) if part)
    place = f"{drawer.source_uri}:{drawer.start_line}-{drawer.end_line}  {drawer.id}"
    labels = ", ".join((*drawer.aliases, *(f"#{tag}" for tag in drawer.tags)))  # of a note
    for line in (place, said, " > ".join(drawer.headings), labels):
        if line:
            out.print(line, style="dim", markup=False, highlight=False)
    out.print()
    out.print(drawer.text, markup=False, highlight=False)
