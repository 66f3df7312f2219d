"""The checks of a rerank, and the ordering rule that follows from its request and the settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from graphpalace.domain.rerank import GateRule, RerankQuery
from graphpalace.errors import BadRequest, EmptyQuery, InvalidInput, TooLarge
from graphpalace.rerank.ordering import OrderRule, clamped
from graphpalace.settings.sections.learning import RerankSettings


def rule_of(question: RerankQuery, settings: RerankSettings) -> OrderRule:
    """Return the rule by which the candidates of a request are ordered.

    Raises:
        InvalidInput: If a value is out of range.
        BadRequest: If `top_k` is larger than the settings allow.
    """
    if question.top_k < 1:
        raise InvalidInput(
            f"top_k is {question.top_k}; it must be 1 to {settings.max_top_k}", field="top_k", value=question.top_k
        )
    if question.top_k > settings.max_top_k:
        raise _too_many("top_k", question.top_k, "max_top_k", settings.max_top_k)
    usual = settings.gate
    fewest, most = question.gating_min_candidates, question.gating_max_candidates
    gate = GateRule(
        mode=_given(question.gating_mode, usual.mode),
        threshold=_given(question.gating_threshold, usual.threshold),
        # If the caller gives only one bound, the bound from the settings must not contradict it.
        min_candidates=_given(fewest, min(usual.min_candidates, _given(most, usual.min_candidates))),
        max_candidates=_given(most, max(usual.max_candidates, _given(fewest, usual.max_candidates))),
        entropy_temp=_given(question.gating_entropy_temp, usual.entropy_temp),
    )
    return OrderRule(
        top_k=question.top_k,
        mmr_lambda=clamped(_given(question.mmr_lambda, settings.mmr_lambda)),
        epsilon=0.0 if _given(question.deterministic, settings.deterministic) else settings.epsilon,
        gate=gate,
        weights=settings.weights,
    )


def check(question: RerankQuery, settings: RerankSettings) -> None:
    """Check a request.

    Raises:
        EmptyQuery: If it has neither words nor an embedding.
        InvalidInput: If it has neither documents nor drawers, or both; if an id occurs twice; if a document has neither
            words nor an embedding; or if a text is not valid Unicode.
        BadRequest: If there are more candidates than the settings allow.
        TooLarge: If a text is longer than the settings allow.
    """
    if not question.query.strip() and question.query_embedding is None:
        raise EmptyQuery
    if (question.documents is None) == (question.drawer_ids is None):
        raise InvalidInput("give documents or drawer_ids, but not both", field="documents")
    documents, drawers = question.documents or (), question.drawer_ids or ()
    name = "documents" if question.documents is not None else "drawer_ids"
    if max(len(documents), len(drawers)) > settings.max_documents:
        raise _too_many(name, max(len(documents), len(drawers)), "max_documents", settings.max_documents)
    _check_unicode("query", question.query)
    _check_unicode("namespace", question.namespace)
    if not question.namespace.strip():
        raise InvalidInput("namespace is empty; it must be a name", field="namespace", value=question.namespace)
    seen: set[str] = set()
    for one in (*(document.id for document in documents), *drawers):
        _check_unicode(name, one)
        if one in seen:
            raise InvalidInput(f"{name} has {one!r} twice; give each once", field=name, value=one)
        seen.add(one)
    for at, document in enumerate(documents):
        _check_plain(f"documents.{at}.metadata", document.metadata)
        text = f"documents.{at}.text"
        _check_unicode(text, document.text)
        if document.drawer_id is not None:
            _check_unicode(f"documents.{at}.drawer_id", document.drawer_id)
        if len(document.text) > settings.max_text_chars:
            raise TooLarge(
                f"{text} has {len(document.text)} characters; at most {settings.max_text_chars} are allowed"
                " ([rerank] max_text_chars)",
                field=text,
            )
        if not document.text.strip() and document.embedding is None:
            raise InvalidInput(f"{text} is blank; give a text or an embedding", field=text)


def check_batch(size: int, settings: RerankSettings) -> None:
    """Check the number of requests in a batch.

    Raises:
        BadRequest: If there are more than the settings allow.
    """
    if size > settings.max_batch:
        raise _too_many("the batch", size, "max_batch", settings.max_batch)


def _check_plain(name: str, metadata: Mapping[str, Any]) -> None:
    """Refuse what Python reads as JSON, but nobody else does: it could not be sent back."""
    try:
        json.dumps(metadata, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise InvalidInput(
            f"{name} must be plain JSON without NaN, infinity or lone surrogates, and not nested too deeply", field=name
        ) from None


def _check_unicode(name: str, text: str) -> None:
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidInput(f"{name} has a lone surrogate; it must be valid Unicode", field=name) from None


def _given(value: Any, usual: Any) -> Any:
    return usual if value is None else value


def _too_many(name: str, found: int, setting: str, most: int) -> BadRequest:
    has = f"{name} is {found}" if name == "top_k" else f"{name} has {found} items"
    return BadRequest(f"{has}; at most {most} are allowed ([rerank] {setting})", field=name, value=found)
