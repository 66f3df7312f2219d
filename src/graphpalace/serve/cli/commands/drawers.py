"""The commands that store, show and forget single drawers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from graphpalace.domain.moments import TIMES, moment
from graphpalace.domain.texts import counted
from graphpalace.errors import InvalidInput
from graphpalace.serve.cli.context import AsJson, Palace, context
from graphpalace.serve.cli.output import out, print_json
from graphpalace.serve.cli.reached import InProcess, reached
from graphpalace.serve.cli.show_answer import hit_of, source_words
from graphpalace.serve.cli.tables import Column, shortened, show_table
from graphpalace.settings.home import setting_text

if TYPE_CHECKING:
    from graphpalace.domain.drawers.drawer import DrawerWithPath
    from graphpalace.domain.forgetting import ForgetReceipt, KeptReceipt


_KINDS = {
    "history": "earlier text",
    "lessons": "lesson",
    "judgements": "judgement in other feedback",
    "searches": "kept search",
    "runs": "run",
    "entries": "entry in other searches and runs",
    "simulations": "simulation",
    "diary": "diary entry",
    "names": "name",
}
_PLURALS = {
    "judgements": "judgements in other feedback",
    "searches": "kept searches",
    "entries": "entries in other searches and runs",
    "diary": "diary entries",
}


def show_plan(receipt: ForgetReceipt) -> None:
    """Show where the drawers are that would be deleted, and what else would be deleted."""
    for place in receipt.places:
        out.print(f"  {place}", style="dim", markup=False, highlight=False, soft_wrap=True)
    also = [
        counted(number, _KINDS[kind], _PLURALS.get(kind)) for kind, number in asdict(receipt.traces).items() if number
    ]
    also += [counted(receipt.facts, "fact")] if receipt.facts else []
    if also:
        out.print(f"also deleted: {', '.join(also)}", highlight=False, soft_wrap=True)


def show_receipts(receipts: Sequence[KeptReceipt], *, as_json: bool) -> None:
    """Show what was forgotten before."""
    if as_json:
        print_json({"receipts": receipts})
        return
    if not receipts:
        out.print("nothing was forgotten yet")
    for one in receipts:
        by = f" by {one.by}" if one.by else ""
        chosen = ", ".join(one.kinds)
        line = f"{one.at[:19]}  {one.id}  {counted(one.deleted, 'drawer')}, chosen by {chosen}{by}"
        out.print(line, highlight=False, markup=False, soft_wrap=True)


_PAGE = 200  # drawers that the service sends at a time
_LISTED = [Column("id"), Column("place", text="wraps"), Column("title", text="wraps"), Column("text", text="cut")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(add)
    app.command("list")(list_drawers)
    app.command()(show)
    app.command()(supersede)
    app.command()(forget)


def add(
    text: Annotated[str, typer.Argument(help="The text to store, or - to read it from standard input.")],
    wing: Annotated[str, typer.Option(help="Wing to put it into.")],
    room: Annotated[str, typer.Option(help="Room to put it into.")] = "general",
    title: Annotated[
        str | None, typer.Option(help="Title of the document that the text belongs to. Default: the notes of the room.")
    ] = None,
    author: Annotated[str | None, typer.Option(help="Who said it.")] = None,
    occurred_at: Annotated[str | None, typer.Option(metavar="TIME", help=f"When it was said: {TIMES}.")] = None,
    importance: Annotated[float, typer.Option(help="0 to 1. Above 0.5, the text ranks a little higher.")] = 0.5,
    language: Annotated[
        str | None,
        typer.Option(
            metavar="CODE",
            help="Language of the wing, such as de. Default: the configured language; if none is set, it is guessed.",
        ),
    ] = None,
    unless_similar: Annotated[
        float | None,
        typer.Option(
            metavar="COSINE",
            help="Do not store the text if the wing has an equal text, or one with at least this cosine, 0 to 1.",
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            metavar="KEY", help="A key of your choice. A repeated call with the same key stores nothing again."
        ),
    ] = None,
    in_process: InProcess = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Store one text word for word. Use `ingest` for files and folders."""
    said = None if occurred_at is None else moment("occurred_at", occurred_at, now=datetime.now())
    language = language or setting_text("ingest", "language", context.config)
    with reached(palace, in_process=in_process, sent=("ingest.language",)) as found:
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
            equal = drawer.similar.how == "same"
            says = "says the same" if equal else f"says nearly the same (cosine {drawer.similar.cosine:.2f})"
            kept = f"{says}, so nothing was stored; it is"
        out.print(f"{drawer.id} {kept} in {drawer.wing} > {drawer.room}", markup=False, highlight=False)
        for older in drawer.news or ():
            out.print(f"{older.drawer} is probably outdated now ({older.probability:.0%}): {older.text}", markup=False)
            out.print(f"  if so: graphpalace supersede {older.drawer} {drawer.id}", markup=False, highlight=False)


def list_drawers(
    wing: Annotated[str | None, typer.Option(help="Only drawers of this wing.")] = None,
    room: Annotated[str | None, typer.Option(help="Only drawers of rooms with this name.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Largest number of drawers.")] = 50,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """List the drawers of a palace, a wing or a room, in the order of their ids."""
    with reached(palace, wing=wing, room=room) as found:
        drawers = list(islice(found.list(wing=wing, room=room, page=min(limit + 1, _PAGE)), limit + 1))
    more, drawers = len(drawers) > limit, drawers[:limit]
    if as_json:
        print_json({"drawers": drawers, "more": more})
        return
    show_table(
        out, _LISTED, [(one.id, f"{one.wing}/{one.room}", one.closet, shortened(one.text, 80)) for one in drawers]
    )
    end = "; there are more: give a higher --limit" if more else ""
    out.print(f"{counted(len(drawers), 'drawer')}{end}", highlight=False)


def show(
    drawer: Annotated[
        str, typer.Argument(metavar="ID|N", help="Id of a drawer, or the number of a hit of the last answer.")
    ],
    history: Annotated[bool, typer.Option("--history", help="Also show its earlier texts.")] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Show the whole text of a drawer, and its place. Opening a hit of the last answer counts as weak feedback."""
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
    new: Annotated[str | None, typer.Argument(metavar="NEW", help="Id of the drawer that replaces it.")] = None,
    undo: Annotated[
        bool, typer.Option("--undo", help="Mark the old drawer as valid again, whatever newer drawers say.")
    ] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Mark a drawer as replaced by another one. Answers mark the old one as outdated and rank it below the new one."""
    if undo == (new is not None):
        raise InvalidInput("give either the drawer that replaces it, or --undo", field="new", value=new)
    with reached(palace) as found:
        if new is None:
            found.take_back_supersede(old)
            out.print(f"{old} is valid again", markup=False, highlight=False)
            return
        done = found.supersede(old, new)
    if as_json:
        print_json(done)
    else:
        out.print(f"{old} is outdated since {done.since[:19]}, replaced by {new}", markup=False, highlight=False)


def forget(
    drawers: Annotated[list[str] | None, typer.Argument(metavar="ID...", help="Ids of drawers.")] = None,
    source: Annotated[str | None, typer.Option(help="Everything from the source with this URI.")] = None,
    wing: Annotated[str | None, typer.Option(help="Only in this wing. Without other options: the whole wing.")] = None,
    room: Annotated[str | None, typer.Option(help="Only in this room of the wing.")] = None,
    conversation: Annotated[
        str | None, typer.Option(metavar="HOST/ID", help="Everything that was said in this conversation.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Everything that mentions this name, or an alias of it.")] = None,
    pattern: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Everything that contains this text, in upper or lower case.")
    ] = None,
    regex: Annotated[bool, typer.Option("--regex", help="The pattern is a regular expression of RE2.")] = False,
    receipts: Annotated[bool, typer.Option("--receipts", help="List what was forgotten before.")] = False,
    by: Annotated[str | None, typer.Option(metavar="NAME", help="Who asked for the deletion, for the receipt.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be deleted.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Delete the drawers that match all given options. It first shows what would be deleted, and asks.

    Everything that was derived from the drawers is deleted too: lessons, facts, runs and simulations. `graphpalace
    compact` then removes the texts from the files of the managed Neo4j.
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
        raise InvalidInput("--receipts lists what was forgotten; it takes no other options", field="receipts")
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
    place = f"{source_words(drawer.source_uri, drawer.start_line, drawer.end_line)}  {drawer.id}"
    labels = ", ".join((*drawer.aliases, *(f"#{tag}" for tag in drawer.tags)))  # of a note
    for line in (place, said, " > ".join(drawer.headings), labels):
        if line:
            out.print(line, style="dim", markup=False, highlight=False)
    out.print()
    out.print(drawer.text, markup=False, highlight=False)
