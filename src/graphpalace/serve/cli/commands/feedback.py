"""The commands that give feedback and show what the palace learned from it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphpalace.domain.texts import counted
from graphpalace.errors import InvalidInput
from graphpalace.serve.cli import show
from graphpalace.serve.cli.context import AsJson, Palace, check_question
from graphpalace.serve.cli.output import out, print_json
from graphpalace.serve.cli.reached import reached
from graphpalace.serve.cli.show_answer import hit_of
from graphpalace.serve.cli.tables import Column, figures, show_table

if TYPE_CHECKING:
    from rich.console import Console

    from graphpalace.client.synchronous.palace import Palace as ReachedPalace
    from graphpalace.domain.learning.feedback_requests import FeedbackReceipt, LearnedState, ListedFeedback, TrialState
    from graphpalace.settings.load import Settings

_Drawers = list[str] | None
MOST_KEY = 1000  # characters, the same as over HTTP
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
        str | None,
        typer.Argument(
            metavar="RUN",
            help="Id of the run, as shown with an answer. Without RUN and --question, numbers of hits are those of "
            "the last answer.",
        ),
    ] = None,
    useful: Annotated[_Drawers, typer.Option(help="A drawer that helped: its id, or the number of its hit.")] = None,
    useless: Annotated[_Drawers, typer.Option(help="A drawer that did not help: its id or number.")] = None,
    question: Annotated[str | None, typer.Option(help="A question to search again, instead of RUN.")] = None,
    reward: Annotated[float, typer.Option(help="Strength of the feedback, above 0 and at most 1.")] = 1.0,
    key: Annotated[
        str | None,
        typer.Option(
            help="A key of your choice; feedback with the same key counts once. Without a key, the same feedback on "
            "a RUN counts once, and the same feedback on a --question counts once an hour."
        ),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the feedback.")] = False,
    limit: Annotated[int, typer.Option(help="Number of feedbacks to list, 1 to 200.")] = 50,
    take_back: Annotated[str | None, typer.Option(metavar="ID", help="Take back the feedback with this id.")] = None,
    wing: Annotated[
        str | None, typer.Option(help="With --list: only feedback on this wing. With --question: search only in it.")
    ] = None,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Mark hits of an answer as useful or useless. Later searches learn from this feedback."""
    giving = run is not None or question is not None or bool(useful or useless)
    if giving + listed + (take_back is not None) != 1:
        raise InvalidInput(
            "give RUN or --question with --useful or --useless, or give --list or --take-back", field="run"
        )
    if wing is not None and not listed and question is None:
        raise InvalidInput("--wing can only be used with --list or --question", field="wing", value=wing)
    if key is not None and not giving:
        raise InvalidInput("--key can only be used with --useful or --useless", field="key", value=key)
    if key is not None and not 1 <= len(key) <= MOST_KEY:
        raise InvalidInput(f"--key has {len(key)} characters; it must have 1 to {MOST_KEY}", field="key", value=key)
    numbered = [int(name) for name in [*(useful or []), *(useless or [])] if name.isdecimal()]
    if numbered and run is None and question is None:
        last, _ = hit_of(numbered[0])
        run, palace = last.run, palace or last.palace
    check = partial(check_question, question, wing=wing) if question is not None else _no_check
    with reached(palace, wing=wing, check=check) as found:
        if listed:
            _list(out, found.feedbacks(wing=wing, limit=limit), as_json=as_json)
        elif take_back is not None:
            found.take_back(take_back)
            print_json({"taken_back": take_back}) if as_json else out.print(f"{take_back} taken back")
        else:
            given = found.feedback(
                run,
                query=question or "",
                wing=None if question is None else wing,
                useful=_judged(found, run, useful or [], reward, option="--useful"),
                useless=_judged(found, run, useless or [], reward, option="--useless"),
                id=key,
            )
            _show_receipt(given, as_json=as_json)


def learned(
    wing: Annotated[str | None, typer.Option(help="Only this wing. Default: the whole palace.")] = None,
    reset: Annotated[bool, typer.Option("--reset", help="Forget all feedback on the palace or the wing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Show what was learned, from how much feedback, and how much each part improves the answers."""
    with reached(palace, wing=wing) as found:
        if not reset:
            state = found.learned(wing=wing)
            print_json(state) if as_json else _learned(out, state)
            return
        if not yes:
            what = "the whole palace" if wing is None else f"wing {wing}"
            typer.confirm(f"Forget all feedback on {what}?", abort=True, err=True)
        forgotten = found.unlearn(wing=wing)
    print_json({"forgotten": forgotten}) if as_json else out.print(f"{forgotten} feedback forgotten")


def _judged(
    found: ReachedPalace, run: str | None, names: Sequence[str], reward: float, *, option: str
) -> list[dict[str, Any]]:
    """Return what is judged, with its reward; a number stands for the hit of the answer with this number."""
    if names and not isfinite(reward):  # JSON has no such number
        raise InvalidInput(f"{option} has a reward of {reward}; it must be above 0 and at most 1", field="reward")
    shown: Sequence[str] = ()
    if run is not None and any(name.isdecimal() for name in names):
        shown = found.shown(run)
    judged = []
    for name in names:
        if name.isdecimal() and not 1 <= int(name) <= len(shown):
            known = (
                f"the answer of {run} has {counted(len(shown), 'hit')}"
                if run
                else "a number of a hit needs the RUN that shows it"
            )
            raise InvalidInput(f"{option} is {name}; {known}", field=option.strip("-"), value=name)
        judged.append({"id": shown[int(name) - 1] if name.isdecimal() else name, "reward": reward})
    return judged


def _no_check(_settings: Settings) -> None:
    return None


def _show_receipt(given: FeedbackReceipt, *, as_json: bool) -> None:
    if as_json:
        print_json(given)
        return
    outcome = "stored" if given.fresh else "was given before"
    out.print(f"{given.id} {outcome}: {given.useful} useful, {given.useless} useless", highlight=False)


def _list(console: Console, rows: Sequence[ListedFeedback], *, as_json: bool) -> None:
    if as_json:
        print_json(rows)
    elif not rows:
        console.print("there is no feedback")
    else:
        listed = [
            (
                row.id,
                row.given_at[:19].replace("T", " "),
                row.source,
                ", ".join(row.wings),
                str(len(row.useful) + sum(one.useful for one in row.documents)),
                str(len(row.useless) + sum(not one.useful for one in row.documents)),
                row.query,
            )
            for row in rows
        ]
        show_table(console, _LISTED, listed)


def _learned(console: Console, found: LearnedState) -> None:
    where = f"palace {found.palace}" if found.wing is None else f"wing {found.wing}"
    lines = [f"{where}: {counted(found.lessons, 'lesson')} on {counted(found.questions, 'question')}"]
    if found.learns_from is None:
        lines.append("nothing was learned yet: give feedback with `graphpalace feedback`")
    elif found.learns_from == "palace" and found.wing is not None:
        lines.append(
            f"it uses {counted(found.lessons_used, 'lesson')} of the whole palace, until the wing itself has "
            f"lessons on {counted(found.needed, 'question')}"
        )
    if not found.enabled:
        lines.append("searches do not use what was learned: [learning] enabled is false")
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    if found.learns_from is not None:
        _show_parts(console, found)
    if found.lanes:
        rows = [{"wing": row.wing, "lane": row.lane, "success": f"{row.success:.3f}"} for row in found.lanes]
        show.table(console, rows, ["wing", "lane", "success"])


def _show_parts(console: Console, found: LearnedState) -> None:
    moved = found.question_cosine or 1
    map_does = f"moves the vectors of questions; mean cosine of a moved vector to its question: {moved:.3f}"
    same_does = f"adds {found.same_weight:g} to the score of drawers that answered the same question"
    columns = [Column("part"), Column("what it does", text="wraps"), *figures("gain", "error"), Column("used")]
    rows = [
        ("question map", map_does, *(_trial(found, found.map_trial)[1:] if found.map_trial else ("-", "-", "yes"))),
        ("lane balance", *_trial(found, found.lane_trial)),
        *((f"lane {each.lane}", *_trial(found, each)) for each in found.lane_weights),
        ("same questions", same_does, "-", "-", "yes" if found.same_weight else "no"),
        ("similar questions", *_trial(found, found.memory_trial)),
        ("other questions", *_trial(found, found.others_trial)),
    ]
    show_table(console, columns, rows)
    tried = [("hits", found.hit_confidence), ("answers", found.answer_confidence)]
    calibrations = [
        (
            f"confidence of {of}",
            f"{each.scale:g}",
            f"{each.shift:+g}",
            f"{each.gain:+.4f}",
            f"{each.error:.4f}",
            "yes" if each.kept else "no",
        )
        for of, each in tried
        if each
    ]
    if calibrations:
        titles = figures("log-odds x", "shift", "gain in log loss", "error")
        show_table(console, [Column("part"), *titles, Column("used")], calibrations)


def _trial(found: LearnedState, trial: TrialState | None) -> tuple[str, str, str, str]:
    if trial is None:
        return f"is tried as soon as there are {found.needed} questions", "-", "-", "no"
    return trial.change, f"{trial.gain:+.4f}", f"{trial.error:.4f}", "yes" if trial.kept else "no"
