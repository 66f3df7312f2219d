"""The answer of a search: printed for people or as JSON, and kept so that a later command can number its hits."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from graphpalace.domain.texts import counted
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.fuse.snippets import excerpt, word_places
from graphpalace.serve.cli.context import context
from graphpalace.serve.cli.output import Line, Part, print_json
from graphpalace.serve.cli.tables import Column, figures, shortened, show_table
from graphpalace.serve.render import plain
from graphpalace.settings.home import data_folder

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from graphpalace.domain.knowledge.facts import CurrentFact
    from graphpalace.domain.search.answer import Answer, Hit, HitSource, LaneScore, NameWay


class LastAnswer(NamedTuple):
    """What is kept of an answer: no text, only where its hits are."""

    palace: str
    run: str
    hits: list[str]


def remember(answer: Answer) -> None:
    """Keep the last answer. If the data folder cannot be written to, hits have no numbers later."""
    path = _path()
    kept = LastAnswer(answer.palace, answer.run, [hit.id for hit in answer.hits])
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(kept._asdict(), file)
        draft.replace(path)


def hit_of(number: int) -> tuple[LastAnswer, str]:
    """Return the last answer, and the id of its hit with this number.

    Raises:
        NotFound: If there was no search yet.
        InvalidInput: If the answer has no such hit.
    """
    try:
        last = LastAnswer(**json.loads(_path().read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        raise NotFound(f"there is no answer yet with a hit {number}: search first") from None
    if not 1 <= number <= len(last.hits):
        shown = f"has the hits 1 to {len(last.hits)}" if last.hits else "has no hits"
        raise InvalidInput(f"hit is {number}; the last answer {shown}", field="hit", value=number)
    return last, last.hits[number - 1]


def _path() -> Path:
    return data_folder(context.config) / "last_answer.json"


def source_words(uri: str, start_line: int, end_line: int) -> str:
    """Return the source of a text as people read it: a file and its lines, or the notes of a room.

    Args:
        start_line, end_line: Of the text in its source, from 1, inclusive.

    >>> source_words("file:///home/ann/my%20notes.md", 3, 9), source_words("notes:keys", 1, 1)
    ('/home/ann/my notes.md:3-9', 'notes of keys')
    """
    kind, _, rest = uri.partition(":")
    if kind == "notes":  # a text that was added without a source
        return f"notes of {rest}"
    place = unquote(urlsplit(uri).path) if kind == "file" else uri
    return f"{place}:{start_line}-{end_line}"


# Most hits with this confidence are right. A percentage would say more than is known: of hits with the same
# confidence, more are right among papers than among short notes.
_SURE = 0.5
# What the score of a lane is, where it has a common name.
_MEASURES = {"fulltext": "BM25", "expanded": "BM25", "semantic": "cosine"}
# How the score of a hit follows from its lanes.
_FUSIONS = {
    "evidence": "combines the evidence of its lanes",
    "rrf": "is computed from its ranks in the lanes",
}
# What learning changed: the names of the fields of a hit, and how people read them.
_LEARNED = {
    "question": "question map",
    "lanes": "lane balance",
    "memory": "similar questions",
    "others": "other questions",
    "bound": "limit",
}
_PASSAGE_CHARS, _REPLY_CHARS = 300, 300


def show_answer(out: Console, found: Answer, *, as_json: bool, explain: bool = False) -> None:
    """Print an answer."""
    if as_json:
        shown = plain(found)
        del shown["palace"]  # which the command was given
        print_json(shown)
        return
    for lane, reason in found.left_out.items():
        out.print(Line((f"without {lane}", "yellow"), f" {reason}"))
    if not found.hits:
        out.print("nothing found")
    elif not found.fits:
        said = f" (confidence {found.confidence or 0:.2f})"
        out.print(Line(("nothing fits well", "yellow"), said), highlight=False)
    for number, hit in enumerate(found.hits, start=1):
        _hit(out, number, hit, found)
        if explain:
            _reasons(out, hit)
    if explain:
        plan, stages = found.plan, found.timings_ms
        weights = ", ".join(f"{lane} {plan.weights.get(lane, 1):g}" for lane in plan.lanes)
        _dim(out, f"fusion {plan.fusion}: the score of a hit {_FUSIONS[plan.fusion]}; weights: {weights}")
        _dim(out, ", ".join(f"{name} {ms:.1f} ms" for name, ms in stages.items()))
    if (time := found.plan.time) is not None:
        said = f"time: {time.words} ({time.since[:10]} to {time.until[:10]}); what was said then is ranked higher"
        _dim(out, f"{said}; --no-times turns it off")
    for fact in found.facts:
        _styled(out, _said(fact), "green")
    sure = "" if found.confidence is None else f", confidence {found.confidence:.2f}"
    hits = f"{counted(len(found.hits), 'hit')}{sure} in {found.timings_ms['total']:.0f} ms"
    _dim(out, f"{hits}; run {found.run}")


def _said(fact: CurrentFact) -> str:
    """Return a fact as a line, with the first of its drawers."""
    since = f" since {fact.since}" if fact.since else ""
    drawers = f"  ({', '.join(fact.drawers[:3])})" if fact.drawers else ""
    return f"{fact.subject} {fact.predicate} {fact.object}{since}{drawers}"


def marked(text: str, query: str) -> list[Part]:
    """Return the parts of the passage of a text that has the most words of a question, with these words in bold."""
    passage = excerpt(text, _PASSAGE_CHARS, strategy="match", query=query)
    parts: list[Part] = []
    done = 0
    for start, word in word_places(passage, query):
        end = start + len(word)
        if end > done:  # words of a question may overlap
            parts += [passage[done:start], (passage[max(start, done) : end], "bold yellow")]
            done = end
    return [*parts, passage[done:]]


def _styled(out: Console, line: str, style: str) -> None:
    out.print(Line((line, style)), highlight=False, soft_wrap=True)


def _dim(out: Console, line: str) -> None:
    _styled(out, line, "dim")


def _reasons(out: Console, hit: Hit) -> None:
    """Print what each lane added to a hit, what learning changed, and the edges that lead to it."""
    lanes = [
        (
            lane,
            str(score.rank or "-"),
            f"{score.score:.3f}",
            "-" if score.evidence is None else f"{score.evidence:.3f}",
            f"{score.share:.0%}",
        )
        for lane, score in sorted(hit.lanes.items())
    ]
    show_table(out, [Column("lane"), *figures("rank", "score", "evidence", "share")], lanes, indent=3)
    if hit.confidence is not None:
        _dim(out, f"   confidence {hit.confidence:.2f}")
    if change := hit.taught:
        was = "not found" if change.rank is None else f"rank {change.rank}"
        parts = ", ".join(f"{name} {getattr(change, part):+.3f}" for part, name in _LEARNED.items())
        _dim(out, f"   learned: {parts}; without learning: {was}, score {change.score:.3f}")
    if said := hit.importance:
        _dim(out, f"   importance {said.value:g}: {said.change:+.3f}")
    if points := hit.pointing:
        _dim(out, f"   {points.share:.0%} of its words are links: {points.change:+.3f}")
    if then := hit.timely:
        _dim(out, f"   said in that time: {then.change:+.3f}")
    if last := hit.reranked:
        parts = ", ".join(f"{part} {getattr(last, part):.3f}" for part in ("dense", "narrative", "pheromone"))
        _dim(out, f"   reranked: {parts}")
    for edge in hit.trail:
        _dim(out, f"   {edge.type} {edge.source} -> {edge.target}")
    out.print()


def _hit(out: Console, number: int, hit: Hit, found: Answer) -> None:
    lanes = "; ".join(_lane(lane, score) for lane, score in sorted(hit.lanes.items()))
    found_by = f" ({lanes})" if lanes else ""
    path = " > ".join(step.name for step in hit.path)
    sure = "" if hit.confidence is None or not found.fits else "sure, " if hit.confidence >= _SURE else "maybe, "
    head = Line((f"{number}. {path}", "bold"), "  ", (f"{sure}score {hit.score:.4f}{found_by}", "dim"))
    out.print(head, highlight=False, soft_wrap=True)
    _dim(out, f"   {_lines(hit.source)}  {hit.id}")
    for copy in hit.also_at:
        place = f"also at {copy.wing} > {copy.room} > {copy.closet}, {_lines(copy.source)}"
        _dim(out, f"   {place}  {copy.id}")
    if gone := hit.outdated:
        now = f"; now: {_said(gone.replaced_by)}" if gone.replaced_by else ""
        now += f", replaced by {gone.drawer}" if gone.drawer else ""
        _styled(out, f"   outdated since {gone.since}, {gone.change:+.3f}{now}", "yellow")
    if (newer := hit.newer) and newer.change:
        said = f"probably outdated ({newer.probability:.0%}) by {_number(newer.drawer, found)}, {newer.change:+.3f}"
        _styled(out, f"   {said}", "yellow")
    if (older := hit.news_on) and older.change:
        said = f"probably newer ({older.probability:.0%}) than {_number(older.drawer, found)}, {older.change:+.3f}"
        _dim(out, f"   {said}")
    if hit.by_name:
        _dim(out, f"   {_by_name(hit.by_name, found)}")
    passage: list[Part] = ["   ", *marked(" ".join(hit.text.split()), found.query), "\n"]
    if reply := hit.reply:
        said = shortened(" ".join(reply.text.split()), _REPLY_CHARS)
        passage += [(f"   {reply.author or 'reply'}, {reply.drawer}: ", "dim"), said, "\n"]
    out.print(Line(*passage), soft_wrap=not out.is_terminal)


def _lane(lane: str, score: LaneScore) -> str:
    """Return the rank that a lane gave to a hit, and the score by which it ranked it."""
    rank = f"rank {score.rank}" if score.rank else "not ranked"
    return f"{lane}: {rank}, {_MEASURES.get(lane, 'score')} {score.score:.2f}"


def _by_name(way: NameWay, found: Answer) -> str:
    """Say by which name a hit was found, and what else mentions that name."""
    if way.drawer is None:
        return f"found by the name {way.name}, which the question mentions"
    return f"found by the name {way.name}, which {_number(way.drawer, found)} mentions too"


def _number(drawer: str, found: Answer) -> str:
    """Return the number of a hit by its drawer, or the drawer's id if the answer does not have it."""
    number = next((number for number, hit in enumerate(found.hits, start=1) if hit.id == drawer), None)
    return f"hit {number}" if number else drawer


def _lines(source: HitSource) -> str:
    return source_words(source.uri, source.start_line, source.end_line)
