"""Let a language model propose facts for drawers. Nothing needs it, and nothing waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from graphpalace.domain.knowledge.fact_requests import NewFact
from graphpalace.domain.knowledge.proposals import ProposalReport, ProposalRequest, ReadDrawer
from graphpalace.endpoints import ChatEndpoint, ChatSettings
from graphpalace.errors import ExtractionFailed, InvalidInput
from graphpalace.operations.knowledge.fact_prompt import fact_messages, proposed_facts
from graphpalace.operations.knowledge.facts import Facts
from graphpalace.replica.places import find_place
from graphpalace.settings.sections.knowledge import KnowledgeSettings
from graphpalace.store.connection.database import Database
from graphpalace.store.knowledge.facts import ProposalStore, UnreadPlace
from graphpalace.store.palaces.palaces import PalaceStore

_AT_ONCE = 4  # drawers that are asked about at the same time
_ALL = ProposalRequest()
_MOST_TIMEOUTS = 3  # in a row, before the endpoint is given up

_Proposed = tuple[list[NewFact], int]


class FactProposals:
    """Proposes facts: they have less confidence than 1, the source `extractor`, and name the drawer they are from."""

    def __init__(self, database: Database, facts: Facts, *, settings: KnowledgeSettings, retries: int = 2) -> None:
        """Set up the extractor, if one is configured.

        Args:
            retries: How often to retry a failed connection.

        Raises:
            SettingsInvalid: If the address is not a URL, or the key cannot be sent in a header.
        """
        self._database = database
        self._palaces = PalaceStore(database)
        self._stored = ProposalStore(database)
        self._facts = facts
        self._confidence = settings.extractor_confidence
        self._endpoint: ChatEndpoint | None = None
        if settings.extractor_url:
            reached = ChatSettings(
                settings.extractor_url,
                settings.extractor_api_key.get_secret_value(),
                settings.extractor_model,
                settings.extractor_timeout_s,
                settings.extractor_max_output_tokens,
                named="knowledge.extractor_",
                url_named="knowledge.extractor_url",
            )
            self._endpoint = ChatEndpoint(reached, what="extractor's", failed=ExtractionFailed, retries=retries)

    async def propose(
        self,
        palace: str,
        asked: ProposalRequest = _ALL,
        progress: Callable[[ProposalReport], None] = lambda _report: None,
    ) -> ProposalReport:
        """Read drawers that the extractor has not read yet. What it proposes is stored as it goes.

        To finish a request that was cut off, send it again. A drawer without a usable answer is tried again next time.

        Args:
            progress: Called with what was done so far.

        Raises:
            InvalidInput: If no extractor is configured, or the number is out of range.
            NotFound: If the palace, the wing or the room does not exist.
            ExtractionFailed: If the endpoint cannot be reached, refuses, or is silent three times in a row.
        """
        most = asked.most
        endpoint, place = await self._ready(palace, asked)
        report = ProposalReport(due=await self._stored.count_due(palace, place))
        after, silent = "", 0
        while most is None or report.drawers + report.unreadable < most:
            left = _AT_ONCE if most is None else min(_AT_ONCE, most - report.drawers - report.unreadable)
            batch = await self._stored.due(palace, place, after=after, limit=left)
            if not batch:
                break
            after = batch[-1].id
            for drawer, proposed in zip(batch, await self._asked(endpoint, batch), strict=True):
                silent = silent + 1 if isinstance(proposed, ExtractionFailed) else 0
                if isinstance(proposed, ExtractionFailed) and silent >= _MOST_TIMEOUTS:
                    raise proposed
                report = await self._kept(palace, drawer, proposed, report)
            progress(report)
        return report

    async def check(self, palace: str, asked: ProposalRequest) -> None:
        """Raise what `propose` raises before it reads the first drawer."""
        await self._ready(palace, asked)

    async def close(self) -> None:
        """Close all connections."""
        if self._endpoint is not None:
            await self._endpoint.close()

    async def _ready(self, palace: str, asked: ProposalRequest) -> tuple[ChatEndpoint, UnreadPlace]:
        asked.check()
        if self._endpoint is None:
            raise InvalidInput(
                "no extractor is configured: set [knowledge] extractor_url and extractor_model",
                field="knowledge.extractor_url",
            )
        await self._palaces.get(palace)
        wing_id, rooms = await find_place(self._database, palace, wing=asked.wing, room=asked.room)
        return self._endpoint, UnreadPlace(wing_id, rooms if asked.room is not None else None)

    async def _asked(
        self, endpoint: ChatEndpoint, drawers: Sequence[ReadDrawer]
    ) -> list[_Proposed | ExtractionFailed | None]:
        """Return what is proposed for each drawer; None for an unusable answer, an error for none in time."""

        async def one(drawer: ReadDrawer) -> _Proposed | ExtractionFailed | None:
            try:
                answer = await endpoint.ask(fact_messages(drawer))
            except ExtractionFailed as error:
                if error.detail.get("timed_out"):
                    return error
                raise
            return await asyncio.to_thread(proposed_facts, answer.content, drawer, confidence=self._confidence)

        return await asyncio.gather(*(one(drawer) for drawer in drawers))

    async def _kept(
        self, palace: str, drawer: ReadDrawer, proposed: _Proposed | ExtractionFailed | None, report: ProposalReport
    ) -> ProposalReport:
        """Store what was proposed for a drawer, and return the report with it."""
        if not isinstance(proposed, tuple):
            return report.plus(unreadable=1)
        facts, refused = proposed
        if not await self._stored.take(palace, drawer):  # it was changed or deleted meanwhile
            return report.plus(unreadable=1)
        added = await self._facts.add_all(palace, facts)
        new = sum(one.created for one in added)
        return report.plus(drawers=1, added=new, known=len(added) - new, refused=refused, due=-1)
