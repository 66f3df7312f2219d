"""Forget drawers and what is left of them in searches, lessons, runs, simulations and caches, with a receipt.

Whether texts match what somebody wants to forget takes time in proportion to the texts, whatever the pattern. Regular
expressions are those of RE2, which has no construct that needs backtracking. So no pattern can keep the service busy
for longer than the texts take to read.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import re2

from graphpalace.domain.access.caller import Role, current_caller
from graphpalace.domain.conversations import conversation_mark
from graphpalace.domain.drawers.drawer import Deleted
from graphpalace.domain.drawers.records import StayForgotten
from graphpalace.domain.forgetting import (
    MOST_PLACES,
    ForgetChoice,
    ForgetReceipt,
    ForgottenTraces,
    ListedReceipts,
    plain,
)
from graphpalace.domain.knowledge.entity import Entity, entity_id, normalised_name
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.operations.drawers.after_writes import Erase
from graphpalace.operations.drawers.drawers import Drawers
from graphpalace.operations.history import SearchLog
from graphpalace.operations.learning.memories import Memories
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.known_facts import KnownFacts
from graphpalace.replica.known_names import KnownNames
from graphpalace.replica.places import find_place
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.forgetting import (
    ForgettingStore,
    FoundTraces,
    FoundWords,
    erase_traces,
    erase_words,
    find_traces,
    find_words,
)
from graphpalace.store.knowledge.entities import EntityStore
from graphpalace.store.palaces.palaces import PalaceStore, hold_palace


class Traces:
    """Finds and deletes what is left of drawers."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        memories: Memories,
        searches: SearchLog,
        *,
        names: KnownNames,
        facts: KnownFacts,
    ) -> None:
        self._database = database
        self._indexes = indexes
        self._memories = memories
        self._searches = searches
        self._names = names
        self._facts = facts
        self._told: list[Callable[[], Awaitable[None]]] = []

    def tell(self, listener: Callable[[], Awaitable[None]]) -> None:
        """Call a listener from now on whenever the caches of this process follow."""
        self._told.append(listener)

    async def find(self, palace: str, drawers: Sequence[str]) -> FoundTraces:
        """Return what is left of drawers, and change nothing."""
        await self._searches.flush()
        return await self._database.transaction(palace, lambda tx: find_traces(tx, drawers))

    @asynccontextmanager
    async def erasing(self, palace: str) -> AsyncIterator[Erase]:
        """Yield what a transaction calls before it deletes drawers. The caches of this process follow at the end."""
        await self._searches.flush()  # what a search has just found is to be found in the database

        async def erase(tx: Transaction, drawers: Sequence[str]) -> None:
            await self._renew(palace, tx, *await erase_traces(tx, await find_traces(tx, drawers)))

        yield erase
        await self.follow(palace)

    async def erase_words(self, palace: str, found: FoundWords) -> int:
        """Delete what somebody wrote outside of drawers; return how many facts about the deleted names there were."""

        async def work(tx: Transaction) -> int:
            await hold_palace(tx, palace)
            erased = await erase_words(tx, found)
            await self._renew(palace, tx, erased.drawers, erased.documents)
            return erased.facts

        facts = await self._database.transaction(palace, work)
        self._searches.forget(palace)
        self._names.forget(palace)
        self._facts.forget(palace)
        return facts

    async def follow(self, *palaces: str) -> None:
        """Bring the caches of this process up to date, so that they hold nothing of what was deleted."""
        for palace in palaces:
            with suppress(NotFound):  # the palace was dropped meanwhile
                await self._indexes.catch_up(palace)
                if (state := self._indexes.state(palace)) is not None:
                    await self._names.catch_up(palace, state)
                    await self._facts.catch_up(palace, state)
        for listener in self._told:
            await listener()

    async def _renew(self, palace: str, tx: Transaction, drawers: Sequence[str], documents: Sequence[str]) -> None:
        """Compute the memories again that had questions which are deleted."""
        await self._memories.renew_drawers(palace, tx, drawers)
        await self._memories.renew_documents(palace, tx, documents)


Matcher = Callable[[Sequence[str]], bool]

_OUTSIDE = r"[^\pL\pN_]"


class Forgetting:
    """Forgets drawers: their texts, and all that came from them. Closets and places that are left empty go too."""

    def __init__(self, database: Database, drawers: Drawers, traces: Traces) -> None:
        self._database = database
        self._palaces = PalaceStore(database)
        self._stored = DrawerStore(database)
        self._names = EntityStore(database)
        self._forgetting = ForgettingStore(database)
        self._drawers = drawers
        self._traces = traces

    async def forget(
        self, palace: str, choice: ForgetChoice, *, dry_run: bool = False, by: str | None = None
    ) -> ForgetReceipt:
        """Delete the chosen drawers in batches. To finish a request that was cut off, send it again.

        A name or a pattern alone also deletes what has it outside of drawers: questions, diary entries and names.

        Args:
            dry_run: Change nothing, and return what would be deleted.
            by: Who asks for it, for the receipt.

        Raises:
            InvalidInput: If nothing is chosen, a room without its wing, or a pattern is not valid.
            NotFound: If the palace, the wing or the room does not exist.
        """
        choice.check()
        await self._palaces.get(palace)
        entity = None if choice.name is None else await self._entity(palace, choice.name)
        matcher = _matcher(choice, entity)
        wing, rooms = await find_place(self._database, palace, wing=choice.wing, room=choice.room)
        chosen = replace(choice, source=choice.uri, conversation=None)
        if matcher is not None:
            chosen = replace(chosen, drawers=await self._matching(palace, choice, matcher, entity))
        found = await self._stored.select(palace, chosen, wing_id=wing, room_ids=rooms if choice.room else None)
        ids = sorted(drawer for closet in found for drawer in closet.drawers)
        words = await self._words(palace, matcher) if choice.kinds in (["name"], ["pattern"]) else FoundWords()
        traces = await self._traces.find(palace, ids)
        deleted = Deleted(0, await self._stored.count_lone_facts(palace, ids))
        if not dry_run:
            more = await self._traces.erase_words(palace, words) if words else 0
            by_wing: dict[str, list[str]] = defaultdict(list)
            for closet in found:
                by_wing[closet.wing_id].extend(closet.drawers)
            deleted = Deleted(0, more)
            for place, drawers in sorted(by_wing.items()):
                deleted += await self._drawers.delete_all(palace, place, drawers, stay=_stay(palace, choice))
            if choice.wing is not None and choice.place_only:
                deleted += await self._place(palace, choice.wing, choice.room)
        receipt = ForgetReceipt(
            dry_run=dry_run,
            deleted=0 if dry_run else deleted.deleted,
            drawers=ids,
            closets=[closet.closet for closet in found if len(closet.drawers) == closet.of],
            facts=deleted.facts,
            missing=sorted(set(choice.drawers or ()) - set(ids)),
            traces=_together(traces, words),
            places=_places(traces) if dry_run else (),
        )
        if dry_run or not (ids or words):
            return receipt
        return replace(receipt, id=await self._forgetting.keep(palace, choice, receipt, by=by))

    async def receipts(self, palace: str, *, after: str = "", limit: int = 50) -> ListedReceipts:
        """Return a page of what was forgotten in a palace, newest first.

        Args:
            after: The `next` of the page before; empty: the page begins with the newest.

        Raises:
            InvalidInput: If the limit is not 1 to 1000.
            NotFound: If there is no such palace.
        """
        if not 1 <= limit <= 1000:
            raise InvalidInput(f"limit is {limit}; it must be 1 to 1000", field="limit", value=limit)
        await self._palaces.get(palace)
        found = await self._forgetting.receipts(palace, after=after or None, limit=limit)
        return ListedReceipts(found, found[-1].id if len(found) == limit else None)

    async def _entity(self, palace: str, name: str) -> Entity | None:
        """Return what is known of a name; None for who may not read the whole palace, where others may have said it."""
        if not current_caller().may_in(Role.READ, palace):
            return None
        return await self._names.find(palace, entity_id(palace, normalised_name(name)))

    async def _matching(self, palace: str, choice: ForgetChoice, matcher: Matcher, entity: Entity | None) -> list[str]:
        """Return the drawers whose texts match, and those that are known to mention a name; given ids limit them."""
        found = set[str]() if entity is None else set(await self._forgetting.drawers_of_name(palace, entity.id))
        after = ""
        while page := await self._forgetting.page_of_texts(palace, after):
            found.update(await asyncio.to_thread(_matched, page, matcher))
            after = page[-1][0]
        return sorted(found if choice.drawers is None else found & set(choice.drawers))

    async def _words(self, palace: str, matcher: Matcher | None) -> FoundWords:
        if matcher is None:
            return FoundWords()
        return await self._database.transaction(palace, lambda tx: find_words(tx, matcher))

    async def _place(self, palace: str, wing: str, room: str | None) -> Deleted:
        """Delete the place itself; return what came to it meanwhile."""
        if room is None:
            return await self._drawers.delete_wing(palace, wing)
        return await self._drawers.delete_room(palace, wing, room)


def _matcher(choice: ForgetChoice, entity: Entity | None) -> Matcher | None:
    if choice.pattern is not None:
        return pattern_matcher(choice.pattern, regex=choice.regex)
    if choice.name is not None:
        return name_matcher([choice.name, *([] if entity is None else [entity.name, *entity.aliases])])
    return None


def _stay(palace: str, choice: ForgetChoice) -> StayForgotten:
    """Return what of conversations stays forgotten: their turns, or all of them if no single texts were chosen."""
    whole = choice.drawers is None and not choice.matches
    here = choice.wing is not None or choice.uri is None
    return StayForgotten(whole, None if here or not whole else conversation_mark(palace, str(choice.uri)))


def _matched(page: Sequence[tuple[str, list[str]]], matcher: Matcher) -> list[str]:
    return [drawer for drawer, texts in page if matcher(texts)]


def _places(traces: FoundTraces) -> list[str]:
    places = (f"{one.wing} > {one.room} > {one.closet}" for one in traces.places)
    return list(dict.fromkeys(places))[:MOST_PLACES]


def _together(traces: FoundTraces, words: FoundWords) -> ForgottenTraces:
    """Return the numbers of what goes, where the same search, lesson or run may have been found twice."""
    once = FoundWords(
        searches=sorted({*words.searches} - {*traces.searches.deleted}),
        feedback=sorted({*words.feedback} - {*traces.feedback.deleted}),
        runs=sorted({*words.runs} - {*traces.runs.deleted}),
        diary=words.diary,
        names=words.names,
        simulations=sorted({*words.simulations} - {one["name"] for one in traces.simulations}),
        jobs=sorted({*words.jobs} - {*traces.jobs}),
    )
    return traces.counts + once.counts


def pattern_matcher(pattern: str, *, regex: bool) -> Matcher:
    """Return a function that tells whether one of some texts has a pattern.

    A pattern that is no regular expression is found in capitals and small letters, and with any blanks between words.

    Raises:
        InvalidInput: If it is no regular expression of RE2, or one that every text has.
    """
    if regex:
        found = _compiled(pattern)
        if found.search("") is not None:
            raise InvalidInput(
                f"pattern is {pattern!r}, which every text has, because it matches nothing too; name at least one "
                "character that must be there",
                field="pattern",
            )
        return lambda texts: any(found.search(text) is not None for text in texts)
    wanted = plain(pattern)
    return lambda texts: any(wanted in plain(text) for text in texts)


def name_matcher(names: Sequence[str]) -> Matcher:
    """Return a function that tells whether one of some texts has one of some names as whole words."""
    spelled = (r"\s+".join(re2.escape(word) for word in name.split()) for name in names if name.strip())
    found = _compiled(f"(?i)(^|{_OUTSIDE})({'|'.join(spelled)})({_OUTSIDE}|$)")
    return lambda texts: any(found.search(text) is not None for text in texts)


def _compiled(pattern: str) -> re2.Pattern:  # pyright: ignore[reportAttributeAccessIssue]
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        why = error.args[0].decode("utf-8", "replace")
        raise InvalidInput(
            f"pattern is {pattern!r}, which is no regular expression of RE2: {why}", field="pattern"
        ) from None
