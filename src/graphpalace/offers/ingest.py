"""What is stored of files, beside the ingest itself: it answers in lines that also tell of names, and reads files."""

from __future__ import annotations

from graphpalace.domain.drawers.drawer import Deleted
from graphpalace.domain.drawers.ingest import IngestPlan, PlanRequest, PruneRequest
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.offers.offer import Group, Offer

PRUNE = Offer(
    "prune",
    "POST /v1/prune",
    PruneRequest,
    Deleted,
    "Delete the drawers of sources of a wing, and tell how many there were.",
    gives="deleted",
    raises={
        NotFound: "the palace does not exist",
        InvalidInput: "there are no sources, or too many",
    },
    example={"wing": "notes", "sources": ["file:///home/ann/notes/old.md"]},
    positional=("wing", "sources"),
)
PRUNING = Group("Pruning", "The part of a palace that deletes what sources had.", (PRUNE,))
PLAN_INGEST = Offer(  # `ingest` of the client calls it, where the service cannot read the files
    "plan_ingest",
    "POST /v1/ingest/plan",
    PlanRequest,
    IngestPlan,
    "Return how to find and read files that the service cannot read, and which sources the wing has.",
    example={"wing": "notes"},
)
