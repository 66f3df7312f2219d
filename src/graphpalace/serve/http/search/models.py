"""The request of a search over HTTP."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from graphpalace.domain.search import request
from graphpalace.domain.search.conditions import conditions_of
from graphpalace.serve.http.request_body import PalaceField, fields_of, value_of, with_example


class SearchRequest(fields_of(request.SearchRequest, leave_out=("conditions", "kept", "without"))):
    """A question, and where to look."""

    model_config = with_example({"query": "how do decorators work", "wing": "python", "top_k": 5})

    palace: PalaceField = None
    filters: list[dict[str, Any]] | dict[str, Any] | None = Field(
        None,
        description="conditions on the documents: a list of {lop, field, op, value}, or {ipc, cpc, date_from, ...}",
        examples=[[{"lop": "and", "field": "country", "op": "eq", "value": "JP"}]],
    )
    unlearned: bool = Field(False, description="ignore everything that was learned from feedback")

    def value(self) -> request.SearchRequest:
        """Return the request as the operation takes it.

        Raises:
            InvalidInput: If a condition cannot be read.
        """
        return value_of(
            self,
            request.SearchRequest,
            conditions=conditions_of(self.filters),
            without=frozenset({"learning"}) if self.unlearned else frozenset(),
        )
