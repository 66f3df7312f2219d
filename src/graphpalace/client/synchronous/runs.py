# Written by `make client` from ../asynchronous/runs.py; change that file.
"""Runs: rankings that the palace keeps, so that they can be fused, changed and looked through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from graphpalace.client import wire
from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from graphpalace.domain.runs.run import Strategy
    from graphpalace.domain.runs.run_answers import (
        BlendAnswer,
        LaneAnswer,
        MultilaneAnswer,
        MutateAnswer,
        PeekAnswer,
        Provenance,
    )
    from graphpalace.domain.runs.run_requests import FieldName, IdType
    from graphpalace.domain.search.codes import Level
    from graphpalace.domain.search.fusion_plan import Fold, Scheme


class Runs:
    """The runs of a palace. Answers are handles and pages; the rankings stay in the palace."""

    def __init__(self, link: Link) -> None:
        """Use the link of a palace."""
        self._link = link

    def fulltext(
        self,
        q: str,
        *,
        wing: str | None = None,
        room: str | None = None,
        since: datetime | date | None = None,
        until: datetime | date | None = None,
        filters: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
        top_k: int = 1000,
        rollup: Mapping[str, Level] | None = None,
        budget_bytes: int = 4096,
    ) -> LaneAnswer:
        """Search by words, keep the ranking as a run, and return its handle.

        Args:
            q: At least one word.
            wing, room: Where to search; default: everywhere.
            since, until: Only what was said, or else stored, from the first moment and before the second; of a
                date, the whole day.
            filters: Conditions on documents, for example `{"country": "JP"}`.
            top_k: The largest number of documents in the run, 1 to 10,000.
            rollup: At which level codes are counted, for example `{"ipc_level": "subclass"}`; default: full codes.
            budget_bytes: The largest size of `code_freqs`, 64 to 65,536 bytes.
        Raises:
            EmptyQuery: If there is no word.
            InvalidInput: If a value is out of its range.
            NotFound: If the palace, the wing or the room does not exist.
        """
        from graphpalace.domain.runs.run_answers import LaneAnswer

        return self._link.post(
            LaneAnswer,
            "/v1/runs/search_fulltext",
            q=q,
            wing=wing,
            room=room,
            since=since,
            until=until,
            filters=filters,
            top_k=top_k,
            rollup=rollup,
            budget_bytes=budget_bytes,
        )

    def semantic(
        self,
        q: str = "",
        *,
        query_embedding: Sequence[float] | None = None,
        wing: str | None = None,
        room: str | None = None,
        since: datetime | date | None = None,
        until: datetime | date | None = None,
        filters: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
        top_k: int = 1000,
        rollup: Mapping[str, Level] | None = None,
        budget_bytes: int = 4096,
    ) -> LaneAnswer:
        """Search by meaning, keep the ranking as a run, and return its handle.

        Args:
            q: Words; may be empty if `query_embedding` is given.
            query_embedding: A vector of the palace's dimension, instead of the one that is made from `q`.
            wing, room, since, until, filters, top_k, rollup, budget_bytes: As for `fulltext`.
        Raises:
            EmptyQuery: If there is neither a word nor an embedding.
            WrongDimension: If the embedding does not have the palace's dimension.
            InvalidInput: If a value is out of its range.
            NotFound: If the palace, the wing or the room does not exist.
        """
        from graphpalace.domain.runs.run_answers import LaneAnswer

        return self._link.post(
            LaneAnswer,
            "/v1/runs/search_semantic",
            q=q,
            query_embedding=query_embedding,
            wing=wing,
            room=room,
            since=since,
            until=until,
            filters=filters,
            top_k=top_k,
            rollup=rollup,
            budget_bytes=budget_bytes,
        )

    def multilane(self, lanes: Sequence[Mapping[str, Any]], *, trace_id: str | None = None) -> MultilaneAnswer:
        """Search several lanes at the same time, and keep a run of each.

        Args:
            lanes: 1 to 10 searches: the arguments of `semantic` by name, and `lane`, which is fulltext, semantic, path,
                mcmp or code. The lane `code` takes `target_profile` in place of words: `{"ipc": {"H04L": 1.0}}`.
            trace_id: Stored in the recipe of each run.
        Raises:
            EmptyQuery, InvalidInput, NotFound: As `semantic`; then nothing is searched.
        """
        from graphpalace.domain.runs.run_answers import MultilaneAnswer

        asked = [{name: one for name, one in lane.items() if one is not None} for lane in lanes]
        return self._link.post(MultilaneAnswer, "/v1/runs/multilane", lanes=asked, trace_id=trace_id)

    def blend(
        self,
        runs: Sequence[str | Mapping[str, Any]],
        *,
        weights: Mapping[str, float] | None = None,
        rrf_k: int | None = None,
        beta_fuse: float | None = None,
        target_profile: Mapping[Scheme, Mapping[str, float]] | None = None,
        top_m_per_lane: Mapping[str, int] | None = None,
        k_grid: Sequence[int] | None = None,
        fold: Fold | None = None,
        peek: Mapping[str, Any] | None = None,
    ) -> BlendAnswer:
        """Fuse lane runs by reciprocal rank and wanted codes, keep the fusion as a run, and return its handle.

        What is None is as [runs] of the settings says.

        Args:
            runs: 1 to 20 ids of lane runs, or `{"run_id_lane": ..., "lane": ...}`, which checks the lane.
            weights: By lane or run, and of `code`, 0 to 1000.
            rrf_k: The constant of reciprocal rank fusion, 1 to 1000.
            beta_fuse: How much a lane gains whose codes are the wanted ones, 0 to 10.
            target_profile: Wanted codes with weights above 0, by scheme.
            top_m_per_lane: How many of the best documents count, by lane or run, 1 to 10,000.
            k_grid: At which numbers of documents the frontier is computed, 1 to 50 numbers of at most 10,000.
            fold: What counts as one document: none, closet or family.
            peek: A first page for the answer: some of `count`, `fields`, `per_field_chars`, `budget_bytes` and
                `strategy`, which mean what they mean for `peek` (`count` is its `limit`); `{}` takes the defaults.
        Raises:
            InvalidInput: If a run is a fusion, is given twice or is of another lane, or a value is out of its range.
            NotFound: If a run does not exist, or has expired.
        """
        from graphpalace.domain.runs.run_answers import BlendAnswer

        return self._link.post(
            BlendAnswer,
            "/v1/runs/rrf_blend_frontier",
            runs=[{"run_id_lane": run} if isinstance(run, str) else run for run in runs],
            weights=weights,
            rrf_k=rrf_k,
            beta_fuse=beta_fuse,
            target_profile=target_profile,
            top_m_per_lane=top_m_per_lane,
            k_grid=k_grid,
            fold=fold,
            peek=peek,
        )

    def peek(
        self,
        run_id: str,
        *,
        offset: int | str = 0,
        limit: int | None = None,
        fields: Sequence[FieldName] | None = None,
        per_field_chars: Mapping[FieldName, int] | None = None,
        budget_bytes: int | None = None,
        strategy: Strategy = "head",
    ) -> PeekAnswer:
        """Return a page of a run, best documents first, which fits into a number of bytes.

        Args:
            run_id: A lane run or a fusion.
            offset: A number, or `meta.peek_cursor` of the page before.
            limit: The largest number of documents, from 1 to what the settings allow.
            fields: What to show of each document; identifiers are always shown. Default: title, abstract and claim of
                a publication, title and text of others.
            per_field_chars: How much of each field at most, 4 to 100,000 characters.
            budget_bytes: The largest size of all snippets as JSON, from 256 to what the settings allow.
            strategy: head shows the beginning of each text, match the part around the words of the question, mix both.
        Raises:
            InvalidInput: If a value is out of its range.
            NotFound: If the run does not exist, or has expired.
        """
        from graphpalace.domain.runs.run_answers import PeekAnswer

        return self._link.post(
            PeekAnswer,
            "/v1/runs/peek_snippets",
            run_id=run_id,
            offset=offset,
            limit=limit,
            fields=fields,
            per_field_chars=per_field_chars,
            budget_bytes=budget_bytes,
            strategy=strategy,
        )

    def snippets(
        self,
        ids: Sequence[str],
        *,
        fields: Sequence[FieldName] | None = None,
        per_field_chars: Mapping[FieldName, int] | None = None,
        strategy: Strategy = "head",
        query: str = "",
    ) -> dict[str, dict[str, str]]:
        """Return the fields of documents, by id.

        Args:
            ids: Drawers, and numbers of publications.
            fields, per_field_chars, strategy: As for `peek`.
            query: The words that match and mix look for.
        Raises:
            InvalidInput: If a value is out of its range, or a strategy needs words and there are none.
            NotFound: If a document does not exist.
        """
        return self._link.post(
            dict[str, dict[str, str]],
            "/v1/runs/get_snippets",
            ids=ids,
            fields=fields,
            per_field_chars=per_field_chars,
            strategy=strategy,
            query=query,
        )

    def publication(
        self,
        ids: Sequence[str],
        *,
        id_type: IdType = "pub_id",
        fields: Sequence[FieldName] | None = None,
        per_field_chars: Mapping[FieldName, int] | None = None,
    ) -> dict[str, dict[str, str]]:
        """Return the fields of publications, by an id of their patent office, with longer texts than `snippets`.

        Args:
            id_type: pub_id, app_doc_id, app_id or exam_id.
            fields, per_field_chars: As for `peek`.
        Raises:
            InvalidInput: If a value is out of its range.
            NotFound: If a publication does not exist.
        """
        return self._link.post(
            dict[str, dict[str, str]],
            "/v1/runs/get_publication",
            ids=ids,
            id_type=id_type,
            fields=fields,
            per_field_chars=per_field_chars,
        )

    def mutate(self, run_id: str, delta: Mapping[str, Any]) -> MutateAnswer:
        """Fuse the lane runs of a fusion again with some values changed. The fusion stays as it is.

        Args:
            run_id: A fusion.
            delta: Some of the arguments of `blend`, from `weights` to `fold`, by name.
        Raises:
            InvalidInput: If nothing changes, the run is no fusion, or a value is out of its range.
            NotFound: If the run does not exist, or has expired.
        """
        from graphpalace.domain.runs.run_answers import MutateAnswer

        return self._link.post(MutateAnswer, "/v1/runs/mutate_run", run_id=run_id, delta=delta)

    def provenance(self, run_id: str, *, verify: bool = False) -> Provenance:
        """Return how a run was made: its recipe, ancestors, frontier, contributions and codes.

        Args:
            verify: Whether to compute the run again from its recipe, and say whether the ranking is the same.
        Raises:
            NotFound: If the run does not exist, or has expired.
        """
        from graphpalace.domain.runs.run_answers import Provenance

        return self._link.get(Provenance, f"/v1/runs/{wire.segment('run_id', run_id)}/provenance", verify=verify)
