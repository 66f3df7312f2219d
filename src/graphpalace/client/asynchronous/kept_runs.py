# Written by `make client` from graphpalace/offers/runs.py; change that file.
"""The runs of a palace, but for their fusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal

from graphpalace.client.asynchronous.link import AsyncLink

if TYPE_CHECKING:
    from graphpalace.domain.runs.run import LaneAnswer, MultilaneAnswer, MutateAnswer, PeekAnswer, Provenance
    from graphpalace.domain.runs.run_requests import CodeRollup, FieldName, FusionChoices, LaneSearch


class AsyncKeptRuns:
    """The runs of a palace, but for their fusion."""

    def __init__(self, link: AsyncLink) -> None:
        """Use the link of a palace."""
        self._link = link

    async def fulltext(
        self,
        q: str,
        *,
        wing: str | None = None,
        room: str | None = None,
        since: datetime | date | None = None,
        until: datetime | date | None = None,
        filters: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
        top_k: int = 1000,
        rollup: CodeRollup | Mapping[str, Any] | None = None,
        budget_bytes: int = 4096,
    ) -> LaneAnswer:
        """Search by words, keep the ranking as a run, and return its handle.

        Args:
            q: Words.
            since: Said, or else stored, from then on.
            until: Said, or else stored, before then; a date is included.
            filters: [{lop: and|or|not, field, op: in|range|eq|neq, value}], or some of date_from, date_to, ipc, cpc,
                fi, ft, assignee, country.
            top_k: Most documents in the run, 1 to 10000.
            budget_bytes: Largest size of code_freqs in bytes, 64 to 65536.
        Raises:
            EmptyQuery: If there is no word.
            InvalidInput: If a value is out of its range.
            NotFound: If the palace, the wing or the room does not exist.
        """
        from graphpalace.offers.runs import FULLTEXT

        return await self._link.call(
            FULLTEXT,
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

    async def semantic(
        self,
        q: str = "",
        *,
        wing: str | None = None,
        room: str | None = None,
        since: datetime | date | None = None,
        until: datetime | date | None = None,
        filters: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
        top_k: int = 1000,
        rollup: CodeRollup | Mapping[str, Any] | None = None,
        budget_bytes: int = 4096,
        query_embedding: Sequence[float] | None = None,
    ) -> LaneAnswer:
        """Search by meaning, keep the ranking as a run, and return its handle.

        Args:
            q: Words.
            since: Said, or else stored, from then on.
            until: Said, or else stored, before then; a date is included.
            filters: [{lop: and|or|not, field, op: in|range|eq|neq, value}], or some of date_from, date_to, ipc, cpc,
                fi, ft, assignee, country.
            top_k: Most documents in the run, 1 to 10000.
            budget_bytes: Largest size of code_freqs in bytes, 64 to 65536.
            query_embedding: A vector of the palace's dimension, instead of q.
        Raises:
            EmptyQuery: If there is neither a word nor an embedding.
            WrongDimension: If the embedding does not have the palace's dimension.
            InvalidInput: If a value is out of its range.
            NotFound: If the palace, the wing or the room does not exist.
        """
        from graphpalace.offers.runs import SEMANTIC

        return await self._link.call(
            SEMANTIC,
            q=q,
            wing=wing,
            room=room,
            since=since,
            until=until,
            filters=filters,
            top_k=top_k,
            rollup=rollup,
            budget_bytes=budget_bytes,
            query_embedding=query_embedding,
        )

    async def multilane(
        self, lanes: Sequence[LaneSearch | Mapping[str, Any]], *, trace_id: str | None = None
    ) -> MultilaneAnswer:
        """Search several lanes at the same time, and keep a run of each.

        If one of the searches is refused, nothing is searched.

        Args:
            lanes: 1 to 10 searches.
            trace_id: Kept in the recipe of each run.
        Raises:
            EmptyQuery: If a search has neither a word nor an embedding.
            InvalidInput: If a value is out of its range.
            NotFound: If the palace, the wing or the room does not exist.
        """
        from graphpalace.offers.runs import MULTILANE

        return await self._link.call(MULTILANE, lanes=lanes, trace_id=trace_id)

    async def peek(
        self,
        run_id: str,
        *,
        offset: int | str = 0,
        limit: int | None = None,
        fields: Sequence[FieldName] | None = None,
        per_field_chars: Mapping[FieldName, int] | None = None,
        budget_bytes: int | None = None,
        strategy: Literal["head", "match", "mix"] = "head",
    ) -> PeekAnswer:
        """Show a page of a run, best documents first, which fits into a number of bytes.

        By default, it shows title, abstract and claim of a publication, and title and text of others.

        Args:
            run_id: A lane run or a fusion.
            offset: A number, or peek_cursor of the page before.
            limit: Largest number of documents; default and limit are settings, 1 to 1000.
            fields: Identifiers are always shown.
            per_field_chars: Most characters of each field.
            budget_bytes: Largest size of the snippets in bytes.
            strategy: Part of a long text: its beginning, around the words, or both: head, match or mix.
        Raises:
            InvalidInput: If a value is out of its range.
            NotFound: If the run does not exist, or has expired.
        """
        from graphpalace.offers.runs import PEEK

        return await self._link.call(
            PEEK,
            run_id=run_id,
            offset=offset,
            limit=limit,
            fields=fields,
            per_field_chars=per_field_chars,
            budget_bytes=budget_bytes,
            strategy=strategy,
        )

    async def snippets(
        self,
        ids: Sequence[str],
        *,
        fields: Sequence[FieldName] | None = None,
        per_field_chars: Mapping[FieldName, int] | None = None,
        strategy: Literal["head", "match", "mix"] = "head",
        query: str = "",
    ) -> dict[str, dict[str, str]]:
        """Show the fields of documents, by id: drawers, and publications by number.

        Args:
            ids: Drawers, or publication numbers.
            fields: Identifiers are always shown.
            per_field_chars: Most characters of each field.
            strategy: Part of a long text: its beginning, around the words, or both: head, match or mix.
            query: Words for match and mix.
        Raises:
            InvalidInput: If a value is out of its range, or a strategy needs words and there are none.
            NotFound: If a document does not exist.
        """
        from graphpalace.offers.runs import SNIPPETS

        return await self._link.call(
            SNIPPETS, ids=ids, fields=fields, per_field_chars=per_field_chars, strategy=strategy, query=query
        )

    async def publication(
        self,
        ids: Sequence[str],
        *,
        id_type: Literal["pub_id", "app_doc_id", "app_id", "exam_id"] = "pub_id",
        fields: Sequence[FieldName] | None = None,
        per_field_chars: Mapping[FieldName, int] | None = None,
    ) -> dict[str, dict[str, str]]:
        """Show the fields of publications, by an id of their patent office, with longer texts than snippets.

        Args:
            id_type: Pub_id, app_doc_id, app_id or exam_id.
            fields: Identifiers are always shown.
            per_field_chars: Most characters of each field.
        Raises:
            InvalidInput: If a value is out of its range.
            NotFound: If a publication does not exist.
        """
        from graphpalace.offers.runs import PUBLICATION

        return await self._link.call(
            PUBLICATION, ids=ids, id_type=id_type, fields=fields, per_field_chars=per_field_chars
        )

    async def mutate(self, run_id: str, delta: FusionChoices | Mapping[str, Any]) -> MutateAnswer:
        """Fuse the lane runs of a fusion again with some values changed.

        The fusion stays as it is.

        Args:
            run_id: A fusion.
        Raises:
            InvalidInput: If nothing changes, the run is no fusion, or a value is out of its range.
            NotFound: If the run does not exist, or has expired.
        """
        from graphpalace.offers.runs import MUTATE

        return await self._link.call(MUTATE, run_id=run_id, delta=delta)

    async def provenance(self, run_id: str, *, verify: bool = False) -> Provenance:
        """Show how a run was made: its recipe, ancestors, frontier, contributions and codes.

        Args:
            run_id: A lane run or a fusion.
            verify: Compute the run again from its recipe, and compare.
        Raises:
            NotFound: If the run does not exist, or has expired.
        """
        from graphpalace.offers.runs import PROVENANCE

        return await self._link.call(PROVENANCE, run_id=run_id, verify=verify)
