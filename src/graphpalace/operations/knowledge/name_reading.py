"""Read the names in drawers after they were stored. The graph tells what is read, so another process can go on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from functools import partial
from itertools import groupby

import structlog

from graphpalace.cluster.ahead import in_order
from graphpalace.domain.knowledge.entity import EntityType
from graphpalace.domain.knowledge.names import NameReading, NamesToRead
from graphpalace.entities.document_names import NameUse, apart, document_names
from graphpalace.entities.mention import Mention, ReadableText, Recogniser
from graphpalace.entities.person_signs import person_signs
from graphpalace.entities.rules import page_name, with_parents
from graphpalace.errors import Conflict, GraphPalaceError, NotFound
from graphpalace.store.connection.database import Database
from graphpalace.store.knowledge.name_reading import DueDrawer, NameReadingStore, Reference
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.telemetry.work_ids import background, background_task, current_id

_BATCH = 256  # drawers in one transaction
_KNOWN_DRAWERS = 200  # of a document, whose names are known when later drawers of it are read
_CLOSE_S = 10.0
_DUE = NamesToRead()
_READING = "2"  # raised when more is read from the same names; `names build` then reads all drawers again

_log = structlog.get_logger(__name__)


class NameReader:
    """Reads the names of palaces in the background, one task for each palace that was written to.

    Several services may read the same palace: each drawer is written by one of them.
    """

    def __init__(
        self, database: Database, recogniser: Recogniser | None, *, choice: str, after_s: float, at_once: int = 1
    ) -> None:
        """Create a reader.

        Args:
            recogniser: None: no names are read.
            choice: How the settings call the recogniser.
            after_s: Seconds from the last write to a palace until its names are read.
            at_once: How many batches are given to the recogniser at the same time.
        """
        self._palaces = PalaceStore(database)
        self._stored = NameReadingStore(database)
        self._recogniser = recogniser
        self._choice = choice
        self._after_s = after_s
        self._at_once = at_once
        self._wrote: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._closing = asyncio.Event()

    @property
    def waiting(self) -> list[str]:
        """Names of the palaces whose names are being read or wait for it."""
        return sorted(self._tasks)

    def wrote(self, palace: str) -> None:
        """Schedule the names of a palace to be read, because it was just written to."""
        if self._recogniser is None or self._closing.is_set():
            return
        self._wrote.setdefault(palace, asyncio.Event()).set()
        if palace not in self._tasks:
            self._tasks[palace] = background_task("read-names", self._follow(palace))

    async def resume(self) -> None:
        """Schedule all palaces in which drawers are still to be read, because a process ended before it had done so."""
        if self._recogniser is not None:
            for palace in await self._stored.palaces():
                self.wrote(palace)

    def forget(self, palace: str) -> None:
        """Stop reading the names of a palace."""
        self._wrote.pop(palace, None)
        if (task := self._tasks.pop(palace, None)) is not None:
            task.cancel()

    async def close(self) -> None:
        """Read what is due, for at most 10 seconds. What is not read by then is read later by another process."""
        self._closing.set()
        tasks = list(self._tasks.values())
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=_CLOSE_S)
            if late:
                _log.warning("names_not_read", palaces=self.waiting, help="graphpalace names build reads them")
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        close = getattr(self._recogniser, "close", None)
        if close is not None:
            await asyncio.to_thread(close)

    async def check(self, palace: str, _asked: NamesToRead) -> None:
        """Check that names of a palace can be read.

        Raises:
            NotFound: If the palace does not exist.
            Conflict: If the settings choose no recogniser.
        """
        self._chosen()
        await self._palaces.get(palace)

    async def build(
        self,
        palace: str,
        asked: NamesToRead = _DUE,
        progress: Callable[[NameReading], None] = lambda _reading: None,
    ) -> NameReading:
        """Read the names of all drawers that this recogniser has not read.

        Args:
            progress: Called after each batch.

        Raises:
            NotFound: If the palace does not exist, or was dropped meanwhile.
            Conflict: If the settings choose no recogniser.
            NamesFailed: If the recogniser fails.
        """
        recogniser = self._chosen()
        await self._palaces.get(palace)
        due = await self._stored.mark(palace, version=_version(recogniser), again=asked.again)
        return await self.read_due(palace, due=due, progress=progress)

    async def read_due(
        self,
        palace: str,
        *,
        due: int | None = None,
        progress: Callable[[NameReading], None] = lambda _reading: None,
    ) -> NameReading:
        """Read the names of the drawers that are due.

        Args:
            due: How many there are, if that is known.

        Raises:
            NotFound, Conflict, NamesFailed: As `build`.
        """
        recogniser = self._chosen()
        due = await self._stored.due(palace) if due is None else due
        reading = NameReading(self._choice, 0, due)
        progress(reading)
        while drawers := await self._stored.some(palace, limit=self._at_once * _BATCH):
            found = in_order(_batches(drawers), partial(_mentions, recogniser), at_once=self._at_once)
            async with aclosing(found) as batches:
                async for some, mentions in batches:
                    read = reading.read + await self._write(palace, recogniser, some, mentions)
                    reading = NameReading(self._choice, read, max(due - read, 0))
                    progress(reading)
        reading = NameReading(self._choice, reading.read, 0)
        progress(reading)
        return reading

    async def finish(self, palace: str, *, progress: Callable[[NameReading], None]) -> None:
        """Read the names that are due now instead of in the background, if the settings choose a recogniser.

        Raises:
            NotFound, NamesFailed: As `build`.
        """
        if self._recogniser is not None:
            self.forget(palace)
            await self.read_due(palace, progress=progress)

    def _chosen(self) -> Recogniser:
        if self._recogniser is None:
            raise Conflict(
                'names are not read, because [entities] recogniser is "off"; set it to auto, spacy or rules',
                setting="entities.recogniser",
            )
        return self._recogniser

    async def _write(
        self, palace: str, recogniser: Recogniser, drawers: Sequence[DueDrawer], mentions: Sequence[Sequence[Mention]]
    ) -> int:
        """Store the names of some drawers; return how many drawers were stored."""
        known = await self._stored.known(sorted({each.document for each in drawers}), drawers=_KNOWN_DRAWERS)
        found = {each.id: names for each, names in zip(drawers, mentions, strict=True)}
        uses: list[list[NameUse]] = []
        for document, members in groupby(drawers, key=lambda each: each.document):
            listed = list(members)
            before = [Mention(name, kind) for name, kind in known.get(document, ())]
            first = listed[0]
            uses += document_names(
                [found[each.id] for each in listed],
                title=first.title,
                aliases=[*first.aliases, *_page_names(first)],
                tags=[name for tag in first.tags for name in with_parents(tag)],
                known=before,
            )
        split = await self._stored.kept_apart(palace, sorted({use.name for each in uses for use in each}))
        references = [
            [_reference(use, drawer.text) for use in apart(each, split)]
            for each, drawer in zip(uses, drawers, strict=True)
        ]
        return await self._stored.write(palace, drawers, references, version=_version(recogniser))

    async def _follow(self, palace: str) -> None:
        """Read the names of a palace until nothing is due and nothing was written meanwhile."""
        wrote = self._wrote[palace]
        try:
            while wrote.is_set():
                while wrote.is_set() and not self._closing.is_set():
                    wrote.clear()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._closing.wait(), self._after_s)
                wrote.clear()
                with background("read-names", work_id=current_id(), palace=palace):
                    await self.read_due(palace)
        except NotFound:  # it was dropped
            return
        except Exception as error:  # this is a background task: no caller would see the error
            message = error.message if isinstance(error, GraphPalaceError) else repr(error)
            _log.warning("names_not_read", palace=palace, reason=message)
        finally:
            if self._tasks.get(palace) is asyncio.current_task():
                del self._tasks[palace]
                self._wrote.pop(palace, None)


async def _batches(drawers: Sequence[DueDrawer]) -> AsyncGenerator[Sequence[DueDrawer], None]:
    for start in range(0, len(drawers), _BATCH):
        yield drawers[start : start + _BATCH]


async def _mentions(recogniser: Recogniser, drawers: Sequence[DueDrawer]) -> list[list[Mention]]:
    texts = [ReadableText(each.text, each.media_type, each.headings, each.author) for each in drawers]
    return await asyncio.to_thread(recogniser.names, texts)


def _page_names(drawer: DueDrawer) -> list[str]:
    """Return the name under which the links of notes know the page of a drawer, if it is a note in a file."""
    name = page_name(drawer.source_uri) if drawer.media_type == "text/markdown" else None
    return [] if name is None else [name]


def _version(recogniser: Recogniser) -> str:
    """Return what is noted of drawers that are read; it differs if another reading would find more."""
    return f"{recogniser.version} {_READING}"


def _reference(use: NameUse, text: str) -> Reference:
    may_be_person = use.entity_type in (EntityType.PERSON, EntityType.CONCEPT) and " " in use.name
    signs = person_signs(text, sorted({use.written[name] for name in use.counts})) if may_be_person else ()
    return Reference(
        use.name, use.written.get(use.name, use.name), use.entity_type, use.written, use.counts, use.titled, signs
    )
