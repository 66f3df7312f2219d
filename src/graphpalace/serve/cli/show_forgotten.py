"""Show what would be forgotten, and what was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from graphpalace.domain.texts import counted
from graphpalace.serve.cli.output import out, print_json

if TYPE_CHECKING:
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
