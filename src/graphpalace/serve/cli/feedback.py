"""The commands that teach the palace, and that show what it learned."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from graphpalace.domain.counts import counted
from graphpalace.domain.learned_state import LearnedState, TrialState
from graphpalace.errors import InvalidInput
from graphpalace.serve.cli import show
from graphpalace.serve.cli.context import AsJson, Palace, check_question, context, out, with_palace
from graphpalace.serve.cli.tables import Column, figures, show_table

if TYPE_CHECKING:
    from graphpalace.graph_palace import GraphPalace
    from graphpalace.operations.feedback import Given

_Drawers = list[str] | None
MOST_KEY = 1000  # characters, as over HTTP
_LISTED = [
    *(Column(title) for title in ("id", "given", "by", "wings")),
    *figures("useful", "useless"),
    Column("question", text="wraps"),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(feedback)
    app.command()(learned)


def feedback(
    run: Annotated[
        str | None, typer.Argument(metavar="RUN", help="The run that a search, a rerank or a tool on runs gave.")
    ] = None,
    useful: Annotated[_Drawers, typer.Option(help="Id of a drawer that helped, or number of its hit.")] = None,
    useless: Annotated[_Drawers, typer.Option(help="The same of one that did not.")] = None,
    question: Annotated[str | None, typer.Option(help="In place of RUN: it is searched again.")] = None,
    reward: Annotated[float, typer.Option(help="How much they helped, or did not: above 0, at most 1.")] = 1.0,
    key: Annotated[
        str | None,
        typer.Option(
            help="Of your choice: feedback of the same key counts once. Without: of a RUN the same counts once; of a"
            " --question the same counts once within an hour, and is new evidence later."
        ),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the feedback that was given.")] = False,
    limit: Annotated[int, typer.Option(help="How much of it to list, 1 to 200.")] = 50,
    take_back: Annotated[str | None, typer.Option(metavar="ID", help="Undo the feedback of this id.")] = None,
    wing: Annotated[str | None, typer.Option(help="List this wing's, or ask --question in it.")] = None,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Say what was useful in an answer and what was not; the next answers learn from it."""
    giving = run is not None or question is not None or bool(useful or useless)
    if giving + listed + (take_back is not None) != 1:
        raise InvalidInput("give RUN or --question with --useful or --useless; or --list; or --take-back", field="run")
    if wing is not None and not listed and question is None:
        raise InvalidInput("--wing goes with --list or --question", field="wing", value=wing)
    if key is not None and not giving:
        raise InvalidInput("--key goes with --useful or --useless", field="key", value=key)
    if key is not None and not 1 <= len(key) <= MOST_KEY:
        raise InvalidInput(f"--key has {len(key)} characters; it must have 1 to {MOST_KEY}", field="key", value=key)
    if listed:
        rows = with_palace(
            lambda wired, named: wired.learned.feedback(named, wing=wing, limit=limit), palace, wing=wing
        )
        _list(out, rows, as_json=as_json)
    elif take_back is not None:
        with_palace(lambda wired, named: wired.feedback.take_back(named, take_back), palace)
        out.print_json(json.dumps({"taken_back": take_back})) if as_json else out.print(f"{take_back} taken back")
    else:
        again = None if question is None else check_question(question, context.settings(), wing=wing)

        async def give(wired: GraphPalace, named: str) -> Given:
            return await wired.feedback.give(
                named,
                run=run,
                question=again,
                useful=await _rewards(wired, named, run, useful or [], reward, option="--useful"),
                useless=await _rewards(wired, named, run, useless or [], reward, option="--useless"),
                feedback_id=key,
            )

        given = with_palace(give, palace, wing=wing)
        if as_json:
            out.print_json(json.dumps(asdict(given)))
        else:
            told = "kept" if given.fresh else "was given before"
            out.print(f"{given.id} {told}: {given.useful} useful, {given.useless} useless", highlight=False)


def learned(
    wing: Annotated[str | None, typer.Option(help="Only this wing; default: the whole palace.")] = None,
    reset: Annotated[bool, typer.Option("--reset", help="Forget all its feedback.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before.")] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Show what was learned, of how much feedback, and what each part of it is worth."""
    if not reset:
        found = with_palace(lambda wired, named: wired.learned.of(named, wing=wing), palace, wing=wing)
        out.print_json(json.dumps(asdict(found))) if as_json else _learned(out, found)
        return

    async def forget(wired: GraphPalace, named: str) -> int:
        if not yes:
            what = "the whole palace" if wing is None else f"wing {wing}"
            typer.confirm(f"Forget all feedback of {what}?", abort=True, err=True)
        return await wired.learned.reset(named, wing=wing)

    forgotten = with_palace(forget, palace, wing=wing)
    out.print_json(json.dumps({"forgotten": forgotten})) if as_json else out.print(f"{forgotten} feedback forgotten")


async def _rewards(
    wired: GraphPalace, palace: str, run: str | None, names: Sequence[str], reward: float, *, option: str
) -> dict[str, float]:
    """Return the reward by drawer; a number means the hit of the answer."""
    shown: Sequence[str] = ()
    if run is not None and any(name.isdecimal() for name in names):
        shown = await wired.feedback.shown(palace, run)
    rewards: dict[str, float] = {}
    for name in names:
        if name.isdecimal() and not 1 <= int(name) <= len(shown):
            known = (
                f"the answer of {run} has {counted(len(shown), 'hit')}"
                if run
                else "a number needs the RUN whose hit it is"
            )
            raise InvalidInput(f"{option} is {name}; {known}", field=option.strip("-"), value=name)
        rewards[shown[int(name) - 1] if name.isdecimal() else name] = reward
    return rewards


def _list(console: Console, rows: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        console.print_json(json.dumps(rows))
    elif not rows:
        console.print("no feedback was given")
    else:
        listed = [
            (
                row["id"],
                row["given_at"][:19].replace("T", " "),
                row["source"],
                ", ".join(row["wings"]),
                str(len(row["useful"]) + sum(one["useful"] for one in row["documents"])),
                str(len(row["useless"]) + sum(not one["useful"] for one in row["documents"])),
                row["query"],
            )
            for row in rows
        ]
        show_table(console, _LISTED, listed)


def _learned(console: Console, found: LearnedState) -> None:
    where = f"palace {found.palace}" if found.wing is None else f"wing {found.wing}"
    lines = [f"{where}: {counted(found.lessons, 'lesson')} on {counted(found.questions, 'question')}"]
    if found.learns_from is None:
        lines.append("nothing was learned yet: tell `graphpalace feedback` what was useful")
    elif found.learns_from == "palace" and found.wing is not None:
        lines.append(
            f"learns from {counted(found.lessons_used, 'lesson')} of the whole palace, until it has "
            f"{counted(found.needed, 'question')} of its own"
        )
    if not found.enabled:
        lines.append("answers do not use it: [learning] enabled is false")
    for line in lines:
        console.print(escape(line), highlight=False, soft_wrap=True)
    if found.learns_from is not None:
        _show_parts(console, found)
    if found.lanes:
        rows = [{"wing": row.wing, "lane": row.lane, "success": f"{row.success:.3f}"} for row in found.lanes]
        show.table(console, rows, ["wing", "lane", "success"])


def _show_parts(console: Console, found: LearnedState) -> None:
    map_does = f"puts questions anew, at a mean cosine of {found.question_cosine or 1:.3f} to as they were"
    same_does = f"what answered the same question gains {found.same_weight:g}"
    columns = [Column("part"), Column("what it does", text="wraps"), *figures("gain", "error"), Column("used")]
    rows = [
        ("question map", map_does, "-", "-", "yes"),
        ("lane balance", *_trial(found, found.lane_trial)),
        ("same questions", same_does, "-", "-", "yes" if found.same_weight else "no"),
        ("like questions", *_trial(found, found.memory_trial)),
        ("other questions", *_trial(found, found.others_trial)),
    ]
    show_table(console, columns, rows)


def _trial(found: LearnedState, trial: TrialState | None) -> tuple[str, str, str, str]:
    if trial is None:
        return f"is tried from {found.needed} questions on", "-", "-", "no"
    return trial.change, f"{trial.gain:+.4f}", f"{trial.error:.4f}", "yes" if trial.kept else "no"
