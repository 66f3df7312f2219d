"""What of answers and of files a caller may see."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated

from fastapi import Request
from pydantic import Field

from graphpalace.app import GraphPalace
from graphpalace.domain.access.caller import OWNER, Role, current_caller
from graphpalace.domain.drawers.drawer import Deleted
from graphpalace.domain.forgetting import ForgetReceipt, ForgottenTraces
from graphpalace.domain.palaces.palace_shape import Taxonomy
from graphpalace.domain.palaces.palaces import Palace
from graphpalace.domain.palaces.places import Room, Wing
from graphpalace.domain.search.answer import Answer
from graphpalace.domain.search.request import OTHER_WINGS, SearchRequest


def sees_all(palace: str) -> bool:
    """Return whether the caller may read the whole palace."""
    return current_caller().may_in(Role.READ, palace)


def own_wings(palace: str, wings: Iterable[Wing]) -> list[Wing]:
    """Return those of the wings of a palace that the caller may read."""
    return [wing for wing in wings if current_caller().may_in(Role.READ, palace, wing.name)]


async def own_palaces(app: GraphPalace, palaces: Iterable[Palace]) -> list[Palace]:
    """Return the palaces that the caller reaches, each with the counts of the wings that the caller may read."""
    own = [palace for palace in palaces if current_caller().reaches(palace.name)]
    return [palace if sees_all(palace.name) else await _counted(app, palace) for palace in own]


async def _counted(app: GraphPalace, palace: Palace) -> Palace:
    wings = own_wings(palace.name, await app.drawers.wings(palace.name))
    return replace(
        palace,
        wings=len(wings),
        rooms=sum(wing.rooms for wing in wings),
        closets=sum(wing.closets for wing in wings),
        drawers=sum(wing.drawers for wing in wings),
    )


def own_taxonomy(taxonomy: Taxonomy) -> Taxonomy:
    """Return a taxonomy with the wings that the caller may read."""
    wings = [wing for wing in taxonomy.wings if current_caller().may_in(Role.READ, taxonomy.palace, wing.name)]
    return replace(taxonomy, drawers=sum(wing.drawers for wing in wings), wings=wings)


def own_rooms(palace: str, rooms: Sequence[Room]) -> list[Room]:
    """Return rooms of a wing; who may not read the other wings does not see which of their rooms are near."""
    return list(rooms) if sees_all(palace) else [replace(room, tunnels=[]) for room in rooms]


def own_question(palace: str, question: SearchRequest) -> SearchRequest:
    """Return a question in a wing; for who may not read the other wings, nothing is computed from these.

    Facts know no wings, and what was learned is learned from questions to the whole palace.
    """
    if sees_all(palace):
        return question
    return replace(question, without=question.without | {OTHER_WINGS, "facts", "learning"})


def own_answer(palace: str, answer: Answer) -> Answer:
    """Return an answer on a wing; who may not read the other wings is not told how long each of its stages took.

    These times would tell how much the others have. The ways to hits are empty, as no lane goes by way of other wings.
    """
    if sees_all(palace):
        return answer
    return replace(answer, timings_ms={"total": answer.timings_ms["total"]})


def own_receipt(palace: str, receipt: ForgetReceipt) -> ForgetReceipt:
    """Return a receipt; who may not read the other wings is told of drawers only.

    Which facts, questions and runs went with them depends on what the other wings have.
    """
    return receipt if sees_all(palace) else replace(receipt, facts=0, traces=ForgottenTraces())


def own_deleted(palace: str, deleted: Deleted) -> Deleted:
    """Return what was deleted, without the number of facts for who may not read the other wings, which say them too."""
    return deleted if sees_all(palace) else replace(deleted, facts=0)


OwnerProof = Annotated[
    str | None,
    Field(
        max_length=200,
        description="`proof` in the service's file `service.json`: who can read that may have all files read",
    ),
]


def folders_for(request: Request, proof: str | None, allowed: Sequence[str] | None) -> Sequence[str] | None:
    """Return the folders that the service reads for a caller; None: anything that its user may read.

    A key is not enough, since the owner may give it to people on other machines. Only the user of the service can read
    the file that has the proof.

    Args:
        proof: What the caller sent.
        allowed: What the settings allow to every caller.
    """
    own = request.app.state.owner_proof
    proven = proof is not None and own and secrets.compare_digest(proof.encode(), own.encode())
    return None if proven and current_caller() is OWNER else allowed
