"""The short forms of a search's answer and of a taxonomy, within a budget of bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from graphpalace.domain.knowledge.facts import CurrentFact
from graphpalace.domain.palaces.palace_shape import Taxonomy
from graphpalace.domain.search.answer import Answer, Hit
from graphpalace.domain.search.news import LIKELY_NEWS
from graphpalace.errors import NotFound
from graphpalace.fuse.snippets import excerpt, json_bytes
from graphpalace.serve.render import as_json

NOTHING_FITS = "nothing fits well"
_LEAST_CHARS, _MOST_CHARS = 60, 4000


@dataclass(frozen=True, slots=True)
class BriefHit:
    """A hit, as a model reads it. What has a default here is left out where it says nothing."""

    id: str
    place: str
    score: float
    text: str
    confidence: Any = None
    source: str = ""
    when: Any = None
    also_at: Sequence[str] = ()
    outdated: Any = None
    reply: Any = None
    via: str = ""


@dataclass(frozen=True, slots=True)
class BriefAnswer:
    """An answer, as a model reads it."""

    run: Annotated[str, Field(description="for open_drawer and feedback")]
    hits: Sequence[BriefHit]
    facts: Any = None
    omitted: int = 0
    confidence: Any = None
    note: Any = None


def brief(answer: Answer, *, budget_bytes: int) -> dict[str, Any]:
    """Return the hits with as much of each text as fits, cut around the words of the question.

    If even short passages do not fit, the last hits are left out and counted.
    """
    hits, facts = list(answer.hits), _facts(answer, budget_bytes)
    while True:
        shown = _fitted(answer, hits, facts, budget_bytes)
        if shown is not None or len(hits) <= 1:
            return shown or _shown(answer, hits, facts, _LEAST_CHARS)
        hits.pop()


def detailed(answer: Answer, *, budget_bytes: int | None) -> dict[str, Any]:
    """Return the whole answer: whole texts, and why each was found.

    Args:
        budget_bytes: The last hits that do not fit are left out, but not the first; None: all are shown.
    """
    whole = as_json(answer)
    whole["hits"] = [
        {name: part for name, part in full.items() if name != "source"}
        | _hit(answer, hit, len(hit.text))
        | {"outdated": full["outdated"], "newer": full["newer"]}
        for full, hit in zip(whole["hits"], answer.hits, strict=True)
    ]
    while budget_bytes is not None and len(whole["hits"]) > 1 and len(json_bytes(whole)) > budget_bytes:
        whole["hits"].pop()
        whole["omitted"] = answer.count - len(whole["hits"])
    return whole


def _fitted(answer: Answer, hits: Sequence[Hit], facts: Sequence[str], budget_bytes: int) -> dict[str, Any] | None:
    """Return the hits with the longest passages that fit, or None if there are none."""
    best = _shown(answer, hits, facts, _LEAST_CHARS)
    if len(json_bytes(best)) > budget_bytes:
        return None
    low, high = _LEAST_CHARS, min(_MOST_CHARS, max([len(hit.text) for hit in hits], default=0))
    while low < high:
        middle = (low + high + 1) // 2
        shown = _shown(answer, hits, facts, middle)
        if len(json_bytes(shown)) <= budget_bytes:
            best, low = shown, middle
        else:
            high = middle - 1
    return best


def _shown(answer: Answer, hits: Sequence[Hit], facts: Sequence[str], chars: int) -> dict[str, Any]:
    shown: dict[str, Any] = {"run": answer.run, "hits": [_hit(answer, hit, chars) for hit in hits]}
    if facts:
        shown["facts"] = facts
    if answer.confidence is not None:
        shown["confidence"] = round(answer.confidence, 2)
    if not answer.fits:
        shown["note"] = NOTHING_FITS
    return shown | ({"omitted": answer.count - len(hits)} if len(hits) < answer.count else {})


def _hit(answer: Answer, hit: Hit, chars: int) -> dict[str, Any]:
    text = excerpt(hit.text, max(chars, _LEAST_CHARS), strategy="match", query=answer.query)
    shown: dict[str, Any] = {
        "id": hit.id,
        "place": f"{hit.wing}/{hit.room}",
        "score": round(hit.score, 4),
        "text": text,
    }
    if hit.confidence is not None:
        shown["confidence"] = round(hit.confidence, 2)
    if not hit.source.uri.startswith("notes:"):  # a text without a source is in the notes of its room
        lines = f"{hit.source.start_line}-{hit.source.end_line}"
        shown["source"] = f"{hit.source.uri}#{lines}"
    if hit.also_at:
        shown["also_at"] = [f"{copy.id} in {copy.wing}/{copy.room}" for copy in hit.also_at]
    if gone := hit.outdated:
        now = f"; now: {_said(gone.replaced_by)}" if gone.replaced_by else ""
        now += f", replaced by {gone.drawer}" if gone.drawer else ""
        shown["outdated"] = f"since {gone.since}{now}"
    elif hit.newer and hit.newer.change and hit.newer.probability >= LIKELY_NEWS:
        shown["outdated"] = f"probably: {hit.newer.drawer} is news on it"
    if reply := hit.reply:
        said = excerpt(reply.text, max(chars, _LEAST_CHARS), strategy="match", query=answer.query)
        shown["reply"] = f"{reply.author or 'unknown'}, {reply.drawer}: {said}"
    if hit.by_name:
        shown["via"] = hit.by_name.name
    return shown | ({"when": hit.occurred_at} if hit.occurred_at else {})


def _said(fact: CurrentFact) -> str:
    return f"{fact.subject} {fact.predicate} {fact.object}" + (f" since {fact.since}" if fact.since else "")


def _facts(answer: Answer, budget_bytes: int) -> list[str]:
    """Return as many of the facts as fit into a quarter of the budget."""
    said: list[str] = []
    for fact in answer.facts:
        if len(json_bytes([*said, _said(fact)])) > budget_bytes // 4:
            break
        said.append(_said(fact))
    return said


@dataclass(frozen=True, slots=True)
class BriefWing:
    """A wing, as a model reads it."""

    name: str
    type: str
    drawers: int
    rooms: Annotated[Any, Field(description="drawers by room, or number of rooms")]


@dataclass(frozen=True, slots=True)
class BriefTaxonomy:
    """The wings and rooms of a palace, as a model reads them."""

    palace: str
    drawers: int
    wings: Sequence[BriefWing]
    omitted: Annotated[int, Field(description="smaller wings")] = 0


def brief_taxonomy(taxonomy: Taxonomy, *, wing: str | None, budget_bytes: int) -> dict[str, Any]:
    """Return the wings, largest first. If the budget is short, the rooms of the last ones are only counted.

    Args:
        wing: Only this wing.
    Raises:
        NotFound: If there is no such wing.
    """
    wings = sorted(taxonomy.wings, key=lambda one: (-one.drawers, one.name))
    if wing is not None and not (wings := [one for one in wings if one.name == wing]):
        known = ", ".join(repr(one.name) for one in taxonomy.wings[:10]) or "none yet"
        raise NotFound(f"wing {wing!r} is not in palace {taxonomy.palace!r}; it has {known}", wing=wing)
    head = {"palace": taxonomy.palace, "drawers": taxonomy.drawers}
    counted = [
        {"name": one.name, "type": str(one.wing_type), "drawers": one.drawers, "rooms": len(one.rooms)} for one in wings
    ]
    room = budget_bytes - len(json_bytes(head | {"wings": [], "omitted": len(wings)}))
    shown: list[dict[str, Any]] = []
    for entry in counted:
        size = len(json_bytes(entry)) + 1
        if size > room and shown:
            break
        shown.append(entry)
        room -= size
    for at, entry in enumerate(shown):
        full = entry | {"rooms": {one.name: one.drawers for one in wings[at].rooms}}
        more = len(json_bytes(full)) - len(json_bytes(entry))
        if more <= room:
            shown[at] = full
            room -= more
    left_out = len(wings) - len(shown)
    return head | {"wings": shown} | ({"omitted": left_out} if left_out else {})
