"""The command that searches."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Annotated, Any

import typer

from graphpalace.domain.moments import TIMES, moment
from graphpalace.errors import InvalidInput
from graphpalace.serve.cli.context import AsJson, Palace, check_question, numbers, setting_option
from graphpalace.serve.cli.output import err, out
from graphpalace.serve.cli.reached import reached
from graphpalace.serve.cli.show_answer import remember, show_answer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(search)


def search(
    query: Annotated[str, typer.Argument(help="Words or a question to search for.")],
    wing: Annotated[str | None, typer.Option(help="Search only in this wing.")] = None,
    room: Annotated[str | None, typer.Option(help="Search only in rooms with this name.")] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="TIME", help=f"Find only what was said or stored at or after this time: {TIMES}."),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Find only what was said or stored up to this day, or before this moment."),
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="The palace as it was at this time: only what was said or stored by then, and facts as they held "
            "then. For example 2019, 2019-05 or 2019-05-31.",
        ),
    ] = None,
    speaker: Annotated[
        str | None, typer.Option(help="Find only what this speaker said, for example user or assistant.")
    ] = None,
    project: Annotated[
        str | None, typer.Option(help="Find only what was said in conversations on this project.")
    ] = None,
    conversation: Annotated[
        str | None, typer.Option(help="Find only what was said in the conversation of this id, or HOST/ID.")
    ] = None,
    top_k: Annotated[int, typer.Option("--top-k", help="Number of hits, 1 to 200.")] = 10,
    lanes: Annotated[str, setting_option("search", "lanes", form="fulltext,semantic,path")] = "",
    codes: Annotated[
        list[str] | None,
        typer.Option(help="Classification code to look for, for example cpc:H04L9/32, or ipc:H04L=0.7 with a weight."),
    ] = None,
    weights: Annotated[str, setting_option("search", "weights", form="fulltext=2,semantic=0.5")] = "",
    fusion: Annotated[str | None, setting_option("search", "fusion")] = None,
    preset: Annotated[str | None, typer.Option(help="Name of a plan under [search.presets] in the settings.")] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what each lane added to each hit, and what learning changed.")
    ] = False,
    unlearned: Annotated[bool, typer.Option("--unlearned", help="Ignore feedback.")] = False,
    rerank: Annotated[
        bool, typer.Option("--rerank", help="Rerank the best hits as configured under [rerank] in the settings.")
    ] = False,
    mmr_lambda: Annotated[float | None, setting_option("rerank", "mmr_lambda")] = None,
    fold_duplicates: Annotated[bool | None, setting_option("search", "fold_duplicates")] = None,
    times: Annotated[bool | None, setting_option("search", "times")] = None,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Search by words and by meaning. Each hit shows its path in the palace and which lanes found it."""
    given: dict[str, Any] = {
        "wing": wing,
        "room": room,
        "since": None if since is None else moment("since", since, now=datetime.now()),
        "until": None if until is None else moment("until", until, now=datetime.now(), end=True),
        "as_of": as_of,
        "speaker": speaker,
        "project": project,
        "conversation": conversation,
        "top_k": top_k,
        "preset": preset,
        "lanes": lanes.split(",") if lanes else None,
        "target_profile": _profile(codes or []) or None,
        "weights": numbers("weights", weights, hint="write them like fulltext=2,semantic=0.5"),
        "fusion": fusion,
        "rerank": rerank,
        "mmr_lambda": mmr_lambda,
        "fold_duplicates": fold_duplicates,
        "times": times,
    }
    with reached(palace, wing=wing, room=room, check=partial(check_question, query, **given)) as found:
        answer = found.search(query, unlearned=unlearned, **given)
        if not answer.hits and next(found.list(page=1), None) is None:
            err.print(
                f"palace {answer.palace} is empty: store files in it with `graphpalace ingest FOLDER --wing NAME`",
                markup=False,
                highlight=False,
                soft_wrap=True,
            )
    remember(answer)
    show_answer(out, answer, as_json=as_json, explain=explain)


def _profile(codes: list[str]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for text in codes:
        code, _, weight = text.partition("=")
        scheme, colon, symbol = code.partition(":")
        try:
            found.setdefault(scheme, {})[symbol] = float(weight or 1)
        except ValueError:
            colon = ""
        if not colon:
            raise InvalidInput(f"--codes is {text!r}; write it like cpc:H04L9/32 or ipc:H04L=0.7", field="codes")
    return found
