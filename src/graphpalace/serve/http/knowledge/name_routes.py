"""The routes for names."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from fastapi import Query

from graphpalace.domain.identity import MOST_NAME_CHARS
from graphpalace.domain.knowledge.entity import EntityType
from graphpalace.domain.knowledge.names import MOST_LISTED, DrawerNames, NameChange, NameList, NamePage, NameReading
from graphpalace.serve.http.knowledge.models import BuildLine, BuildRequest, MergeRequest, SplitRequest
from graphpalace.serve.http.progress_response import LinesResponse, ProgressResponse, progress_lines
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router

router = new_router()

Offset = Annotated[int, Query(ge=0, le=2**31, description="how many to skip")]
Limit = Annotated[int, Query(ge=1, le=MOST_LISTED, description="largest number")]


@router.get("/names", tags=["knowledge"])
async def names(
    app: Operations,
    query: Annotated[str, Query(max_length=MOST_NAME_CHARS, description="part of a name or an alias")] = "",
    entity_type: Annotated[EntityType | None, Query(description="only names of this type")] = None,
    offset: Offset = 0,
    limit: Limit = 50,
    palace: PalaceName = None,
) -> NameList:
    """List the names that drawers mention, those with most drawers first."""
    found = named(app, palace)
    return await app.name_pages.listed(found, query=query, entity_type=entity_type, offset=offset, limit=limit)


@router.get("/names/{name:path}", tags=["knowledge"])
async def name_page(
    name: str, app: Operations, offset: Offset = 0, limit: Limit = 20, palace: PalaceName = None
) -> NamePage:
    """Show a name: its drawers, how many facts there are about it, and the names that share drawers with it."""
    return await app.name_pages.page(named(app, palace), name, offset=offset, limit=limit)


@router.get("/mentions", tags=["knowledge"])
async def mentions(
    app: Operations,
    drawer: Annotated[list[str], Query(description="ids of drawers", min_length=1, max_length=MOST_LISTED)],
    palace: PalaceName = None,
) -> list[DrawerNames]:
    """Return the names that drawers mention. Drawers that do not exist are left out."""
    return await app.name_pages.mentions(named(app, palace), drawer)


@router.post(
    "/names/build",
    tags=["knowledge"],
    response_class=LinesResponse,
    responses=progress_lines(BuildLine, last="result"),
)
async def build_names(body: BuildRequest, app: Operations) -> ProgressResponse:
    """Read the names of the drawers that are due, and report the progress line by line.

    A client that leaves stops it; what is already read is kept, and the same request reads the rest.
    """
    palace = named(app, body.palace)
    await app.names.check(palace)
    return ProgressResponse.of(
        lambda progress: app.names.build(palace, again=body.again, progress=progress),
        line=_line,
        last=partial(_line, done=True),
    )


@router.post("/names/merge", tags=["knowledge"])
async def merge_names(body: MergeRequest, app: Operations) -> NameChange:
    """Merge a name into another that means the same, with its drawers and facts. `split` undoes it."""
    return await app.name_changes.merge(named(app, body.palace), body.name, body.other)


@router.post("/names/split", tags=["knowledge"])
async def split_name(body: SplitRequest, app: Operations) -> NameChange:
    """Take an alias out of a name, with the drawers and facts that it brought, or its mentions in some drawers."""
    return await app.name_changes.split(named(app, body.palace), body.name, body.alias, drawers=body.drawers)


def _line(reading: NameReading, *, done: bool = False) -> dict[str, Any]:
    return {"done": done, "reading": asdict(reading)}
