"""Print the answer of a search for people, or as JSON for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote, urlparse

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from graphpalace.domain.counts import counted
from graphpalace.fuse.snippets.excerpt import excerpt, word_places
from graphpalace.serve.cli.output import print_json
from graphpalace.serve.cli.tables import Column, figures, shortened, show_table
from graphpalace.serve.render import as_json as json_of

if TYPE_CHECKING:
    from graphpalace.domain.knowledge.fact_index import CurrentFact
    from graphpalace.domain.search.answer import Answer, Hit, HitSource, NameWay

# Most hits with this confidence are right. A percentage would say more than is known: of hits with the same
# confidence, more are right among papers than among short notes.
_SURE = 0.5
_PASSAGE_CHARS, _REPLY_CHARS = 300, 300


def show_answer(out: Console, found: Answer, *, as_json: bool, explain: bool = False) -> None:
    """Print an answer."""
    if as_json:
        shown = json_of(found)
        del shown["palace"]  # which the command was given
        print_json(shown)
        return
    for lane, reason in found.left_out.items():
        out.print(f"[yellow]without {lane}[/yellow] {escape(reason)}")
    if not found.hits:
        out.print("nothing found")
    elif not found.fits:
        out.print(f"[yellow]nothing fits well[/yellow] (confidence {found.confidence or 0:.2f})", highlight=False)
    for number, hit in enumerate(found.hits, start=1):
        _hit(out, number, hit, found)
        if explain:
            _reasons(out, hit)
    if explain:
        plan, stages = found.plan, found.timings_ms
        weights = ", ".join(f"{lane} {plan.weights.get(lane, 1):g}" for lane in plan.lanes)
        out.print(f"[dim]fused by {plan.fusion}; weights: {weights}[/dim]", highlight=False)
        out.print("[dim]" + ", ".join(f"{name} {ms:.1f} ms" for name, ms in stages.items()) + "[/dim]", highlight=False)
    if (time := found.plan.time) is not None:
        said = f"time: {time.words} ({time.since[:10]} to {time.until[:10]}); what was said then is ranked higher"
        out.print(f"[dim]{escape(said)}; --no-times turns it off[/dim]", highlight=False, soft_wrap=True)
    for fact in found.facts:
        out.print(f"[green]{escape(_said(fact))}[/green]", highlight=False, soft_wrap=True)
    sure = "" if found.confidence is None else f", confidence {found.confidence:.2f}"
    hits = f"{counted(len(found.hits), 'hit')}{sure} in {found.timings_ms['total']:.0f} ms"
    out.print(f"[dim]{hits}; run {found.run}[/dim]", highlight=False)


def _said(fact: CurrentFact) -> str:
    """Return a fact as a line, with the first of its drawers."""
    since = f" since {fact.since}" if fact.since else ""
    drawers = f"  ({', '.join(fact.drawers[:3])})" if fact.drawers else ""
    return f"{fact.subject} {fact.predicate} {fact.object}{since}{drawers}"


def marked(text: str, query: str) -> Text:
    """Return the passage of a text that has the most words of a question, with these words in bold."""
    passage = Text(excerpt(text, _PASSAGE_CHARS, strategy="match", query=query))
    for start, word in word_places(passage.plain, query):
        passage.stylize("bold yellow", start, start + len(word))
    return passage


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
        out.print(f"   [dim]confidence {hit.confidence:.2f}[/dim]", highlight=False)
    if change := hit.taught:
        was = "not found" if change.rank is None else f"rank {change.rank}"
        parts = ", ".join(
            f"{part} {getattr(change, part):+.3f}" for part in ("question", "lanes", "memory", "others", "bound")
        )
        learned = f"learned: {parts}; without learning: {was}, score {change.score:.3f}"
        out.print(f"   [dim]{learned}[/dim]", highlight=False, soft_wrap=True)
    if said := hit.importance:
        out.print(f"   [dim]importance {said.value:g}: {said.change:+.3f}[/dim]", highlight=False, soft_wrap=True)
    if points := hit.pointing:
        out.print(f"   [dim]links {points.share:.0%}: {points.change:+.3f}[/dim]", highlight=False, soft_wrap=True)
    if then := hit.timely:
        out.print(f"   [dim]said in that time: {then.change:+.3f}[/dim]", highlight=False, soft_wrap=True)
    if last := hit.reranked:
        parts = ", ".join(f"{part} {getattr(last, part):.3f}" for part in ("dense", "narrative", "pheromone"))
        out.print(f"   [dim]reranked: {parts}[/dim]", highlight=False, soft_wrap=True)
    for edge in hit.trail:
        out.print(f"   [dim]{edge.type} {edge.source} -> {edge.target}[/dim]", highlight=False)
    out.print()


def _hit(out: Console, number: int, hit: Hit, found: Answer) -> None:
    lanes = ", ".join(
        f"{lane} {score.rank}. ({score.score:.2f})" if score.rank else f"{lane} ({score.score:.2f})"
        for lane, score in sorted(hit.lanes.items())
    )
    path = " > ".join(step.name for step in hit.path)
    sure = "" if hit.confidence is None or not found.fits else "sure, " if hit.confidence >= _SURE else "maybe, "
    out.print(
        f"[bold]{number}. {escape(path)}[/bold]  [dim]{sure}{hit.score:.4f} = {lanes}[/dim]",
        highlight=False,
        soft_wrap=True,
    )
    out.print(f"   [dim]{escape(_lines(hit.source))}  {hit.id}[/dim]", highlight=False, soft_wrap=True)
    for copy in hit.also_at:
        place = escape(f"also at {copy.wing} > {copy.room} > {copy.closet}, {_lines(copy.source)}")
        out.print(f"   [dim]{place}  {copy.id}[/dim]", highlight=False, soft_wrap=True)
    if gone := hit.outdated:
        now = f"; now: {_said(gone.replaced_by)}" if gone.replaced_by else ""
        now += f", replaced by {gone.drawer}" if gone.drawer else ""
        said = f"outdated since {gone.since}, {gone.change:+.3f}{now}"
        out.print(f"   [yellow]{escape(said)}[/yellow]", highlight=False, soft_wrap=True)
    if (newer := hit.newer) and newer.change:
        said = f"newer on this ({newer.probability:.0%}): {_number(newer.drawer, found)}, {newer.change:+.3f}"
        out.print(f"   [yellow]{said}[/yellow]", highlight=False, soft_wrap=True)
    if (older := hit.news_on) and older.change:
        said = f"probably news ({older.probability:.0%}) on {_number(older.drawer, found)}, {older.change:+.3f}"
        out.print(f"   [dim]{said}[/dim]", highlight=False, soft_wrap=True)
    if hit.by_name:
        out.print(f"   [dim]{escape(_by_name(hit.by_name, found))}[/dim]", highlight=False, soft_wrap=True)
    passage = Text("   ").append(marked(" ".join(hit.text.split()), found.query)).append("\n")
    if reply := hit.reply:
        said = shortened(" ".join(reply.text.split()), _REPLY_CHARS)
        passage.append(f"   {reply.author or 'reply'}, {reply.drawer}: ", "dim").append(said).append("\n")
    out.print(passage, soft_wrap=not out.is_terminal)


def _by_name(way: NameWay, found: Answer) -> str:
    """Say by way of which name a hit was found, and where else that name stands."""
    if way.drawer is None:
        return f"found by way of {way.name}, which the question names"
    return f"found by way of {way.name}, which {_number(way.drawer, found)} names too"


def _number(drawer: str, found: Answer) -> str:
    """Return the number of a hit by its drawer, or the drawer's id if the answer does not have it."""
    number = next((number for number, hit in enumerate(found.hits, start=1) if hit.id == drawer), None)
    return f"hit {number}" if number else drawer


def _lines(source: HitSource) -> str:
    parsed = urlparse(source.uri)
    place = unquote(parsed.path) if parsed.scheme == "file" else source.uri
    return f"{place}:{source.start_line}-{source.end_line}"
