"""Bundle the operations on runs, and show text and fields of their documents within a budget of bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast, get_args

from graphpalace.domain.runs.run import (
    LEAST_SNIPPET_CHARS,
    MOST_SNIPPET_CHARS,
    DocumentSnippet,
    PeekAnswer,
    PeekMeta,
    Run,
    ShownDocument,
    Strategy,
)
from graphpalace.domain.runs.run_requests import FieldName, SnippetChoice
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.fuse.snippets import LEAST_BYTES, Page, Snippet, excerpt, fitted
from graphpalace.operations.runs.fusion_runs import FusionRuns
from graphpalace.operations.runs.lane_runs import LaneRanker, LaneRuns, in_range
from graphpalace.operations.runs.run_store import RunStore
from graphpalace.operations.search.lanes.lane import Lane
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.settings.sections.search import RunSettings
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.runs import StoredRuns

PARTS = ("abst", "claim", "desc")
# In order of importance: if the budget is too small, the last field is dropped first.
TEXTS = ("title", *PARTS, "text", "assignee", "country", "published", "family_id")
# Names in requests to properties of closets; app_doc_id is another name of app_id (seed 004).
IDENTIFIERS = {"app_doc_id": "app_id", "app_id": "app_id", "pub_id": "pub_id", "exam_id": "exam_id"}
FIELDS: tuple[str, ...] = get_args(FieldName)
_DRAWER = "drawer-"  # prefix of the ids of drawers


@dataclass(frozen=True, slots=True)
class RunPage:
    """A page of a run's documents.

    Attributes:
        cursor: Offset of the next page; None at the end.
        total_docs: Number of documents in the run.
        retrieved: Number of requested documents that are still in the palace.
    """

    run_id: str
    page: Page
    cursor: str | None
    total_docs: int
    retrieved: int

    @property
    def truncated(self) -> bool:
        """Whether the run has documents after this page."""
        return self.cursor is not None

    def answer(self) -> PeekAnswer:
        """Return the page as it is sent."""
        return PeekAnswer(
            self.run_id,
            [DocumentSnippet(one.id, one.fields) for one in self.page.snippets],
            PeekMeta(
                used_bytes=self.page.used_bytes,
                truncated=self.truncated,
                shortened=self.page.shortened,
                peek_cursor=self.cursor,
                total_docs=self.total_docs,
                retrieved=self.retrieved,
                returned=len(self.page.snippets),
            ),
        )


class RunSnippets:
    """Reads documents for people and agents. Each request is a single query to Neo4j."""

    def __init__(self, database: Database, store: RunStore, *, settings: RunSettings) -> None:
        self._palaces = PalaceStore(database)
        self._stored = StoredRuns(database)
        self._store = store
        self.settings = settings
        self._snippet_chars: Mapping[str, int] = {**settings.snippet_chars}
        self._publication_chars: Mapping[str, int] = {**settings.publication_chars}

    async def peek(
        self,
        palace: str,
        run_id: str,
        *,
        look: SnippetChoice,
        offset: int = 0,
        limit: int | None = None,
        budget_bytes: int | None = None,
    ) -> RunPage:
        """Return a page of a run's documents, starting at an offset.

        The page ends where the limit or the budget is reached, but has at least one document.

        Raises:
            NotFound: If the run does not exist.
            InvalidInput: If a field is unknown or a number is out of range.
        """
        settings = self.settings
        most = settings.peek_docs if limit is None else limit
        budget = settings.peek_budget_bytes if budget_bytes is None else budget_bytes
        in_range("offset", offset, 0, 10**9)
        self.check(look, limit=most, budget_bytes=budget)
        run = await self._store.get(palace, run_id)
        wanted = run.ids[offset : offset + most]
        found = await self._stored.documents(palace, wanted, parts=_parts(look))
        query = _query_of(run)
        snippets = [_snippet(found[drawer], look, self._snippet_chars, query) for drawer in wanted if drawer in found]
        page = fitted(snippets, budget_bytes=budget)
        whole = len(page.snippets) == len(snippets)
        after = offset + (len(wanted) if whole else wanted.index(snippets[len(page.snippets)].id))
        return RunPage(run.id, page, str(after) if after < len(run.ids) else None, len(run.ids), len(snippets))

    def check(self, look: SnippetChoice, *, limit: int | None, budget_bytes: int | None) -> None:
        """Check the arguments of `peek` before any work is done.

        Raises:
            InvalidInput: If a field is unknown or a number is out of range.
        """
        if limit is not None:
            in_range("limit", limit, 1, self.settings.peek_max_docs)
        if budget_bytes is not None:
            in_range("budget_bytes", budget_bytes, LEAST_BYTES, self.settings.peek_most_bytes)
        _check(look)

    async def get(
        self, palace: str, ids: Sequence[str], *, look: SnippetChoice, query: str = ""
    ) -> dict[str, dict[str, str]]:
        """Return the fields of documents, by id.

        Args:
            ids: Ids of drawers, which begin with `drawer-`, and publication numbers (`pub_id`).
            query: Words for the strategies `match` and `mix`.

        Raises:
            NotFound: If a drawer or a publication is not in the palace; the error's `ids` lists them.
            InvalidInput: If a field is unknown, there are too many ids, or a strategy needs a query that is empty.
        """
        _check(look)
        if look.strategy != "head" and not query.strip():
            raise InvalidInput(f"query is empty; the strategy {look.strategy} looks for its words", field="query")
        wanted = self._wanted(ids)
        drawers = [one for one in wanted if one.startswith(_DRAWER)]
        numbers = [one for one in wanted if not one.startswith(_DRAWER)]
        if numbers and "text" in (look.fields or ()):
            raise InvalidInput(
                f"fields has 'text', which the publication {numbers[0]!r} does not have; ask for abst, claim or desc, "
                "or give the id of a drawer",
                field="fields",
            )
        found = await self._stored.documents(palace, drawers, parts=_parts(look)) if drawers else {}
        if numbers:
            found |= await self._stored.publications(palace, numbers, id_type="pub_id", parts=_parts(look))
        await self._none_missing(palace, "id", wanted, found)
        return {one: dict(_snippet(found[one], look, self._snippet_chars, query).fields) for one in wanted}

    async def publication(
        self, palace: str, ids: Sequence[str], *, id_type: str, look: SnippetChoice
    ) -> dict[str, dict[str, str]]:
        """Return the fields of publications, by an id that a patent office gave them.

        Args:
            id_type: A key of `IDENTIFIERS`.

        Raises:
            NotFound: If an id belongs to no publication; the error's `ids` lists such ids.
            InvalidInput: If a field or the type of id is unknown, or there are too many ids.
        """
        if id_type not in IDENTIFIERS:
            known = ", ".join(IDENTIFIERS)
            raise InvalidInput(f"id_type is {id_type!r}; it must be one of {known}", field="id_type", value=id_type)
        _check(look)
        if "text" in (look.fields or ()):
            raise InvalidInput("fields has 'text', which a publication does not have; ask for desc", field="fields")
        wanted = self._wanted(ids)
        shown = SnippetChoice((*TEXTS[:4],) if look.fields is None else look.fields, look.per_field_chars)
        found = await self._stored.publications(palace, wanted, id_type=IDENTIFIERS[id_type], parts=_parts(shown))
        await self._none_missing(palace, id_type, wanted, found)
        return {one: dict(_snippet(found[one], shown, self._publication_chars, "").fields) for one in wanted}

    def _wanted(self, ids: Sequence[str]) -> list[str]:
        most = self.settings.peek_max_docs
        if not 1 <= len(ids) <= most:
            raise InvalidInput(f"ids has {len(ids)} items; it must have 1 to {most}", field="ids")
        return list(dict.fromkeys(ids))

    async def _none_missing(
        self, palace: str, id_type: str, wanted: Sequence[str], found: Mapping[str, ShownDocument]
    ) -> None:
        missing = [one for one in wanted if one not in found]
        if missing:
            await self._palaces.get(palace)
            shown = ", ".join(map(repr, missing[:5])) + (" ..." if len(missing) > 5 else "")
            raise NotFound(f"palace {palace!r} has no document with the {id_type} {shown}", ids=missing)


def _parts(look: SnippetChoice) -> list[str]:
    return [part for part in PARTS if look.fields is None or part in look.fields]


def _snippet(one: ShownDocument, look: SnippetChoice, defaults: Mapping[str, int], query: str) -> Snippet:
    parts = {name: one.part(name) for name in PARTS}
    texts = {"text": one.text} | parts
    names = look.fields
    if names is None:
        names = ("title", "abst", "claim") if any(parts.values()) else ("title", "text")
    shown: dict[str, str] = {}
    cut = False
    for name in (*(name for name in TEXTS if name in names), *IDENTIFIERS):
        whole = texts[name] if name in texts else getattr(one, IDENTIFIERS.get(name, name))
        if whole is None and name not in names:
            continue  # an identifier that was not requested and that the document does not have
        whole = whole or ""
        chars = look.per_field_chars.get(cast("FieldName", name), defaults.get(name))
        shown[name] = whole if chars is None else excerpt(whole, chars, strategy=look.strategy, query=query)
        cut = cut or shown[name] != whole
    return Snippet(one.id, shown, frozenset(IDENTIFIERS) & shown.keys(), cut)


def _query_of(run: Run) -> str:
    lanes: Any = run.recipe.get("runs", [{"recipe": run.recipe}])
    return " ".join(dict.fromkeys(lane["recipe"]["q"] for lane in lanes))


def _check(look: SnippetChoice) -> None:
    for where, names in (("fields", look.fields or ()), ("per_field_chars", look.per_field_chars)):
        for name in names:
            if name not in FIELDS:
                raise InvalidInput(f"{where} has {name!r}; it may have {', '.join(FIELDS)}", field=where, value=name)
    if look.fields is not None and not look.fields:
        raise InvalidInput(f"fields is empty; give some of {', '.join(FIELDS)}", field="fields")
    for name, chars in look.per_field_chars.items():
        in_range(f"per_field_chars.{name}", chars, LEAST_SNIPPET_CHARS, MOST_SNIPPET_CHARS)
    if look.strategy not in get_args(Strategy):
        raise InvalidInput(
            f"strategy is {look.strategy!r}; it must be one of {', '.join(get_args(Strategy))}",
            field="strategy",
            value=look.strategy,
        )


@dataclass(frozen=True, slots=True)
class Runs:
    """The operations on runs. Their answers are handles and pages; the full rankings stay stored."""

    store: RunStore
    lanes: LaneRuns
    fusions: FusionRuns
    snippets: RunSnippets

    @classmethod
    def of(
        cls,
        database: Database,
        lanes: Sequence[Lane],
        models: PalaceModels,
        *,
        store: RunStore,
        settings: RunSettings,
        rrf_k: int,
    ) -> Runs:
        """Create the operations on one store of runs."""
        ranker = LaneRanker(database, lanes, models)
        return cls(
            store,
            LaneRuns(database, store, ranker, lanes, models, rrf_k=rrf_k, codes_top_n=settings.codes_top_n),
            FusionRuns(database, store, ranker, settings=settings, rrf_k=rrf_k),
            RunSnippets(database, store, settings=settings),
        )

    def forget(self, palace: str) -> None:
        """Drop the cached runs of a palace."""
        self.store.forget(palace)
