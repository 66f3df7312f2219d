"""What a rerank is asked over HTTP; the names are those of seed 001."""

from __future__ import annotations

import json
from typing import Any

from pydantic import Field, field_validator

from graphpalace.domain.rerank.rerank import Candidate, RerankQuery
from graphpalace.serve.http.request_body import PalaceField, fields_of, value_of, with_example


class RerankDocument(fields_of(Candidate)):
    """A document of the caller's own."""

    @field_validator("metadata")
    @classmethod
    def _plain(cls, metadata: dict[str, Any]) -> dict[str, Any]:
        """Refuse what Python reads as JSON, but nobody else does: it could not be sent back."""
        try:
            json.dumps(metadata, allow_nan=False, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            raise ValueError(
                "it must be plain JSON without NaN, infinity or lone surrogates, and not nested too deeply"
            ) from None
        return metadata


class RerankRequest(fields_of(RerankQuery, leave_out=("documents",))):
    """What is put into order, and how; what is not given is as in [rerank]."""

    model_config = with_example(
        {
            "query": "how is bread made",
            "documents": [{"id": "a", "text": "knead the dough"}, {"id": "b", "text": "prune the roses"}],
            "top_k": 1,
        }
    )

    documents: list[RerankDocument] | None = Field(None, description="either these, or drawer_ids")
    palace: PalaceField = None

    def value(self) -> RerankQuery:
        """Return the request as the rerank takes it."""
        given = self.documents
        documents = None if given is None else [value_of(document, Candidate) for document in given]
        return value_of(self, RerankQuery, documents=documents)
