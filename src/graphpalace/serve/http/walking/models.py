"""Requests of the routes that walk the palace."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from graphpalace.domain.graph.colony_rules import ColonyRules
from graphpalace.serve.http.request_body import EXAMPLE_PALACE, PalaceField, RequestBody, fields_of, with_example


class NavigateRequest(RequestBody):
    """A request for the cheapest path between two places."""

    model_config = ConfigDict(
        populate_by_name=True,
        json_schema_extra={
            "examples": [
                {"palace": EXAMPLE_PALACE, "from": "python", "to": "kitchen/bread", "context": "memory_recall"}
            ]
        },
    )

    start: str = Field(alias="from", min_length=1, max_length=500, description="a wing, WING/ROOM, or any node's id")
    goal: str = Field(alias="to", min_length=1, max_length=500, description="a wing, WING/ROOM, or any node's id")
    context: str = Field("default", description="preset of the weights of meaning, pheromones and structure")
    palace: PalaceField = None


class ExploreRequest(fields_of(ColonyRules)):
    """Who walks, and from where."""

    model_config = with_example({"query": "how is bread made", "mix": {"explorer": 2, "exploiter": 1}})

    query: str | None = Field(
        None, max_length=20_000, description="start at the best drawers for it; without it, at the wings"
    )
    wing: str | None = Field(None, max_length=200, description="begin in this wing only")
    seed: int | None = Field(None, ge=0, le=2**63 - 1, description="gives the same walk again; default: a new one")
    mark: bool = Field(True, description="mark what was searched, so that the next walk looks elsewhere for a while")
    until_converged: bool = Field(False, description="stop when little new is found")
    palace: PalaceField = None
