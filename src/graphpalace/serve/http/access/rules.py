"""What the holder of a key needs for each route, and routes that check it with the values that they work with.

A route without either is closed to all of them.

A key for a wing reaches what names its wing, and the drawers in it. It is refused everything else, because answers
about a palace show more than one wing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any

from fastapi.routing import APIRoute

from graphpalace.app import GraphPalace
from graphpalace.domain.access.caller import Grant, Role, current_caller
from graphpalace.offers.every import GROUPS
from graphpalace.serve.http.access.asked import Asked
from graphpalace.serve.http.access.needs import (
    Need,
    any_key,
    drawer,
    everything,
    feedback,
    forgetting,
    job,
    new_drawers,
    new_job,
    new_simulation,
    palace,
    part_of_palace,
    rerank_batch,
    simulation,
    simulation_files,
    wing,
)

READ, WRITE, ADMIN = Role.READ, Role.WRITE, Role.ADMIN


def _opening(asked: Asked) -> Role:
    """Opening what a search showed is feedback, if the search is named."""
    return READ if asked.field("run") is None else WRITE


def _exploring(asked: Asked) -> Role:
    return WRITE if asked.field("mark") else READ


_DECLARED = {offer.route: palace(offer.role) for group in GROUPS for offer in group.offers if offer.role is not None}
RULES: Mapping[str, Need] = _DECLARED | {
    # Drawers
    "POST /v1/search": wing(READ),
    "POST /v1/drawers": wing(WRITE),
    "POST /v1/drawers/batch": new_drawers,
    "POST /v1/drawers/check_duplicate": wing(READ),
    "GET /v1/drawers": wing(READ),
    "GET /v1/drawers/{drawer}": drawer(_opening),
    "PATCH /v1/drawers/{drawer}": drawer(WRITE),
    "DELETE /v1/drawers/{drawer}": drawer(WRITE),
    "GET /v1/drawers/{drawer}/history": drawer(READ),
    "POST /v1/drawers/{drawer}/superseded": drawer(WRITE, "old", "new"),
    "DELETE /v1/drawers/{drawer}/superseded": drawer(WRITE, "old"),
    "POST /v1/prune": wing(WRITE),
    "POST /v1/forget": forgetting,
    "POST /v1/ingest": everything(ADMIN),  # it reads files of the service's machine
    "POST /v1/ingest/plan": wing(WRITE),
    "POST /v1/ingest/documents": wing(WRITE),
    "POST /v1/ingest/content": wing(WRITE),
    # Conversations and diaries
    "POST /v1/messages": wing(WRITE),
    "POST /v1/conversations": everything(ADMIN),  # it reads a file of the service's machine
    "POST /v1/conversations/content": wing(WRITE),
    "GET /v1/conversations": wing(READ),
    "GET /v1/conversations/{host}/{conversation:path}": wing(READ),
    "GET /v1/hooks": everything(READ),
    "POST /v1/hooks/{host}/{event}": everything(ADMIN),  # it reads transcripts of the service's machine
    # Palaces and places
    "GET /v1/status": any_key,
    "GET /v1/palaces": any_key,
    "GET /v1/settings": everything(ADMIN),
    "POST /v1/palaces": palace(ADMIN, "name"),
    "DELETE /v1/palaces/{palace}": palace(ADMIN, "name"),
    "POST /v1/palaces/reembed": palace(ADMIN, "name"),
    "GET /v1/wings": part_of_palace(READ),
    "POST /v1/wings": wing(WRITE, "name"),
    "DELETE /v1/wings/{wing:path}": wing(ADMIN, "name"),
    "GET /v1/rooms": wing(READ),
    "POST /v1/rooms": wing(WRITE),
    "DELETE /v1/rooms/{room:path}": wing(ADMIN),
    "GET /v1/taxonomy": part_of_palace(READ),
    "POST /v1/export": palace(ADMIN),
    "POST /v1/import/begin": palace(ADMIN),
    "POST /v1/import/rows": palace(ADMIN),
    "POST /v1/import/finish": palace(ADMIN),
    # Walking
    "POST /v1/explore": palace(_exploring),
    # Runs and reranks
    "POST /v1/runs/rrf_blend_frontier": palace(READ),
    "POST /v1/rerank/batch": rerank_batch,
    # Learning
    "POST /v1/feedback": feedback,
    # Simulations
    "POST /v1/mcmp/start": new_simulation,
    "POST /v1/mcmp/stop": simulation(WRITE),
    "POST /v1/mcmp/reset": simulation(WRITE),
    "POST /v1/mcmp/pause": simulation(WRITE),
    "POST /v1/mcmp/resume": simulation(WRITE),
    "POST /v1/mcmp/agents/add": simulation(WRITE),
    "POST /v1/mcmp/agents/resize": simulation(WRITE),
    "POST /v1/mcmp/config": simulation(WRITE),
    "GET /v1/mcmp/settings": simulation(READ),
    "POST /v1/mcmp/settings": simulation(WRITE),
    "GET /v1/mcmp/status": simulation(READ),
    "GET /v1/mcmp/simulations": any_key,
    "POST /v1/mcmp/search": simulation(READ),
    "GET /v1/mcmp/results": simulation(READ),
    "GET /v1/mcmp/report": simulation(READ),
    "GET /v1/mcmp/doc/{document:path}": simulation(READ),
    "GET /v1/mcmp/corpus/list": simulation_files,
    "POST /v1/mcmp/jobs/start": new_job,
    "GET /v1/mcmp/jobs/status": job(READ),
    "POST /v1/mcmp/jobs/cancel": job(WRITE),
    # Keys
    "GET /v1/keys": everything(ADMIN),
    "POST /v1/keys": everything(ADMIN),
    "DELETE /v1/keys/{key}": everything(ADMIN),
}


class GuardedRoute(APIRoute):
    """A route whose function runs only if the caller may do what it does.

    The check comes after the request was read, so that it cannot understand a request otherwise than the function does.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        """Put the check before the function."""
        (method,) = options["methods"]
        super().__init__(path, _guarded(endpoint, RULES.get(f"{method} {path}", _closed)), **options)


async def _closed(_asked: Asked) -> Iterable[Grant]:
    """What nobody has declared is for callers who may do everything."""
    return [Grant(Role.ADMIN)]


def _guarded(endpoint: Callable[..., Awaitable[Any]], need: Need) -> Callable[..., Awaitable[Any]]:
    assert iscoroutinefunction(endpoint), "FastAPI would call it in a thread"

    @wraps(endpoint)
    async def checked(**values: Any) -> Any:
        caller = current_caller()
        if caller.key is not None:
            app: GraphPalace = values["app"]
            asked = Asked(app, caller, values)
            asked.require(await need(asked))
        return await endpoint(**values)

    return checked
