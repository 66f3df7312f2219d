"""Read simulations, whether they are in this process, held by another service, or only stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from graphpalace.domain.simulation.kept_simulation import StoredSimulation
from graphpalace.domain.simulation.simulation_settings import SimulationSettings, checked_settings
from graphpalace.domain.simulation.simulations import CorpusDocument, Finding
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.operations.simulation.corpus_loader import CorpusLoader
from graphpalace.operations.simulation.live_simulations import LiveSimulations
from graphpalace.operations.simulation.simulation_store import SimulationStore, simulation_name


class SimulationViews:
    """Reads status, results, documents and reports of simulations. Reading does not change them."""

    def __init__(self, live: LiveSimulations, store: SimulationStore, corpora: CorpusLoader) -> None:
        self._live = live
        self._store = store
        self._corpora = corpora

    async def settings(self, name: str) -> SimulationSettings:
        """Return the stored settings, which also apply to the next start."""
        return self._store.settings(await self._store.get(simulation_name(name)))[0]

    async def status(self, name: str) -> dict[str, Any]:
        """Return the status of a simulation, whichever service holds it; `idle` if none is stored."""
        return self.status_of(await self._store.get(simulation_name(name)))

    async def every_status(self) -> list[dict[str, Any]]:
        """Return the status of all simulations, sorted by name."""
        return [self.status_of(kept) for kept in await self._store.every()]

    async def results(self, name: str) -> list[dict[str, Any]]:
        """Return the best documents. If another service runs the simulation, they are those of its last checkpoint."""
        kept = await self._store.there(name)
        live = self._live.current(kept)
        return kept.results if live is None else [finding.as_json() for finding in await live.results()]

    async def search(self, name: str, query: str, top_k: int) -> list[Finding]:
        """Return the documents most relevant to another question, based on the visits so far."""
        if not query.strip():
            raise InvalidInput(f"query is {query!r}; give at least one word", field="query")
        checked_settings({"top_k": top_k})
        live = await self._live.readable(name)
        target = await self._live.target(live.corpus, live.settings.changed({"query": query}))
        return await live.pictures.findings(await live.between_steps(lambda: live.course.best_for(target, top_k)))

    async def document(self, name: str, document: str) -> tuple[CorpusDocument, float, int]:
        """Return a document of the corpus with its relevance and visits."""
        live = await self._live.readable(name)
        if document not in live.course.ids:
            raise NotFound(f"document {document!r} is not in the corpus of simulation {name!r}", id=document)
        row = live.course.ids.index(document)
        (found,) = await live.corpus.documents([row])
        return found, *await live.between_steps(lambda: live.course.of(row))

    async def documents(self, name: str, *, offset: int, limit: int) -> tuple[list[CorpusDocument], int]:
        """Return a page of the corpus, sorted by id, and the number of all documents."""
        live = await self._live.readable(name)
        rows = range(min(offset, len(live.course.ids)), min(offset + limit, len(live.course.ids)))
        return await live.corpus.documents(rows), len(live.course.ids)

    async def files(self, name: str, root: str, *, exclude: Sequence[str] | None = None) -> list[str]:
        """Return the text files that a start with a folder would read, as paths relative to the folder.

        Args:
            exclude: Names of folders to skip; None: those of the settings.
        """
        settings = await self.settings(name)
        if exclude is not None:
            settings = settings.changed({"exclude_dirs": tuple(exclude)})
        found = await self._corpora.files(root, settings)
        return [file.path.relative_to(file.root).as_posix() for file in found]

    async def report(self, name: str) -> dict[str, Any]:
        """Return the latest report.

        Raises:
            NotFound: If there is no simulation of that name, or it has no report.
        """
        kept = await self._store.there(name)
        live = self._live.current(kept)
        found = asdict(live.report) if live and live.report else kept.report
        if found is None:
            raise NotFound(f"simulation {name!r} has no report: set report_enabled", simulation=name)
        return found

    def here(self, name: str) -> bool:
        """Return whether this process holds a simulation: it loads, runs or is paused here."""
        return name in self._live.loading or name in self._live.held

    def status_of(self, kept: StoredSimulation) -> dict[str, Any]:
        """Return the status of a stored simulation."""
        name, held = kept.name, kept.held
        kept = self._store.as_it_stands(kept)
        if loading := self._live.loading.get(name):
            kept = replace(kept, state="loading", loading=loading.progress.as_json())
        elif live := self._live.current(kept):
            kept = replace(kept, **self._store.record(live))
        elif kept.owner == self._store.service.id and kept.state == "running":  # it was dropped to make room
            kept = replace(kept, state="paused")
        elif kept.state == "idle":
            kept = replace(kept, query=self._store.settings(kept)[0].query)  # the question of the next start
        return {
            "simulation": name,
            "state": kept.state,
            "running": kept.state in ("loading", "running"),
            "step": kept.step,
            "docs": kept.docs,
            "agents": kept.agents,
            "query": kept.query,
            "palace": kept.palace,
            "corpus": kept.corpus,
            "seed": kept.seed,
            "loading": kept.loading if kept.state == "loading" else None,
            "metrics": kept.metrics,
            "stopped_by": kept.stopped_by,
            "error": kept.error,
            "unused_params": kept.unused_params,
            "owner": kept.owner_name if held else None,
            "here": self.here(name),
        }
