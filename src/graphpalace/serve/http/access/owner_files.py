"""Whether a caller is the user of the service, for whom it reads what this user may read."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Annotated

from fastapi import Request
from pydantic import Field

from graphpalace.domain.access.caller import OWNER, current_caller

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
