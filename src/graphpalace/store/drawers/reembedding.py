"""Store the new vectors of a palace beside the ones it answers with, and exchange them in one step."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphpalace.domain.vectors import Matrix, Vector, quantised, texts_from_bytes, to_bytes
from graphpalace.errors import NotFound
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.drawers.drawer_links import link_similar
from graphpalace.store.palaces.palaces import PalaceStore, hold_palace, record_change

_CLEARED = 5000  # drawers in one transaction


@dataclass(frozen=True, slots=True)
class Reembedding:
    """How far the change of a palace's model has come.

    Attributes:
        model, dimension: What the palace answers with.
        next_model, next_dimension: What new vectors are being computed with; None: nothing is being computed.
        switched: Whether the palace answers with the new model, but not everything has followed.
    """

    model: str
    dimension: int
    next_model: str | None
    next_dimension: int | None
    switched: bool


@dataclass(frozen=True, slots=True)
class EmbeddedText:
    """What is embedded of a drawer.

    Attributes:
        name: Where a piece of code stands; None for other texts.
        indexed: Whether searches find the drawer. If not, its vector is zero.
    """

    id: str
    text: str
    name: str | None
    indexed: bool


class ReembeddingStore:
    """Reads and writes what a change of model needs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def state(self, palace: str) -> Reembedding:
        """Return how far the change of a palace's model has come.

        Raises:
            NotFound: If there is no palace of this name.
        """
        rows = await self._database.read(palace, "reembedding/read_reembedding")
        if not rows:
            await PalaceStore(self._database).get(palace)
            raise NotFound(f"palace {palace!r} was dropped", palace=palace)
        return Reembedding(**rows[0])

    async def begin(self, palace: str, model: str | None, dimension: int | None) -> bool:
        """Record to which model the vectors are being computed anew; None: to none.

        Returns:
            False if vectors of an earlier change are left. No change goes on then, and `clear` removes them.
        """
        given = {"model": model, "dimension": dimension}
        (row,) = await self._locked(palace, lambda tx: tx.run("reembedding/begin_reembedding", **given))
        return bool(row["begun"])

    async def clear(self, palace: str) -> None:
        """Remove new vectors that no change of the model needs."""

        async def some() -> int:
            (row,) = await self._locked(palace, lambda tx: tx.run("reembedding/clear_next_vectors", most=_CLEARED))
            return row["cleared"]

        while await some():
            pass

    async def pending(self, palace: str) -> tuple[list[str], int]:
        """Return the drawers that have no new vector yet, and the number of all drawers."""
        (row,) = await self._database.read(palace, "reembedding/list_pending")
        return row["ids"], row["drawers"]

    async def texts(self, palace: str, ids: Sequence[str]) -> list[EmbeddedText]:
        """Return what is embedded of drawers. Drawers that no longer exist are left out."""
        rows = await self._database.read(palace, "reembedding/read_texts", ids=list(ids))
        return [EmbeddedText(**row) for row in rows]

    async def store(
        self, palace: str, texts: Sequence[EmbeddedText], vectors: Sequence[Vector | Matrix], *, model: str
    ) -> bool:
        """Store the new vectors of drawers, except of those whose text has changed meanwhile.

        Args:
            vectors: That of each text, or several: its own, and those of its windows.

        Returns:
            False if the palace is not changing to this model any more. Nothing is stored then.
        """
        rows = [
            {"id": one.id, "text": one.text, "embedding": to_bytes(vector)}
            for one, vector in zip(texts, vectors, strict=True)
        ]
        given = {"model": model, "drawers": rows}
        (row,) = await self._locked(palace, lambda tx: tx.run("reembedding/set_next_vectors", **given))
        return bool(row["wanted"])

    async def questions(self, palace: str) -> dict[str, str]:
        """Return the questions of a palace's feedback, by the feedback's id."""
        rows = await self._database.read(palace, "reembedding/list_questions")
        return {row["id"]: row["query"] for row in rows}

    async def switch(self, palace: str, questions: Mapping[str, Vector], *, model: str, dimension: int) -> bool:
        """Let the palace answer with its new vectors, in one step; return False if a drawer or a feedback has come.

        Args:
            questions: New vector of the question of each feedback.
        """
        given = [{"id": feedback, "vector": to_bytes(vector)} for feedback, vector in questions.items()]

        async def work(tx: Transaction) -> bool:
            (row,) = await tx.run("reembedding/switch_model", model=model, dimension=dimension, questions=given)
            if row["switched"]:
                await record_change(tx)
            return bool(row["switched"])

        return await self._locked(palace, work)

    async def remembering(self, palace: str) -> tuple[list[str], list[str]]:
        """Return the drawers and the callers' documents that remember the questions that they answered."""
        (row,) = await self._database.read(palace, "reembedding/list_remembering")
        return row["drawers"], row["documents"]

    async def relink(
        self,
        palace: str,
        ids: Sequence[str],
        wanted: Mapping[tuple[str, str], float],
        place: Mapping[str, int],
        *,
        model: str,
    ) -> None:
        """Give drawers other SIMILAR_TO edges to earlier ones, in one transaction. An edge that stays keeps its trail.

        Args:
            wanted: Cosine of each of the drawers and each earlier one that it is to be linked to.
            place: Place of each drawer in the order of linking. Edges to drawers that have none stay as they are.
            model: Embedding model of the cosines.

        Raises:
            Conflict: If the palace has another model by now.
        """

        async def work(tx: Transaction) -> None:
            stored = {
                (row["id"], row["other"])
                for row in await tx.run("reembedding/list_similar", ids=list(ids))
                if place.get(row["other"], len(place)) < place[row["id"]]
            }
            gone = sorted(stored - wanted.keys())
            kept = [[*pair, cosine] for pair, cosine in wanted.items() if pair in stored]
            new = [(*pair, cosine) for pair, cosine in wanted.items() if pair not in stored]
            await tx.run("reembedding/change_similar", gone=[list(pair) for pair in gone], kept=kept)
            await link_similar(tx, new)
            await record_change(tx, stored=sorted({drawer for drawer, *_ in (*gone, *kept, *new)}))

        await self._locked(palace, work, model=model)

    async def to_move(self, palace: str) -> list[str]:
        """Return the drawers whose new vector is not yet in its usual place."""
        return [row["id"] for row in await self._database.read(palace, "reembedding/list_to_move")]

    async def move(self, palace: str, ids: Sequence[str], *, model: str, dimension: int) -> None:
        """Put the new vectors of drawers into their usual place, too.

        Raises:
            Conflict: If the palace has another model by now.
        """

        async def work(tx: Transaction) -> None:
            rows = await tx.run("reembedding/read_next_vectors", ids=list(ids))
            vectors, _ = texts_from_bytes([row["embedding"] for row in rows], dimension=dimension)
            moved = [
                {"id": row["id"], "embedding_int8": quantised(vector)}
                for row, vector in zip(rows, vectors, strict=True)
            ]
            await tx.run("reembedding/move_vectors", drawers=moved)

        await self._locked(palace, work, model=model)

    async def finish(self, palace: str) -> bool:
        """Read vectors from their usual place again; return False if some of them are not there yet."""
        (row,) = await self._locked(palace, lambda tx: tx.run("reembedding/finish_reembedding"))
        return bool(row["finished"])

    async def drop_vector_index(self, palace: str) -> None:
        """Remove the vector index, because it can hold vectors of one length only."""
        await self._database.change_schema(palace, "palaces/drop_vector_index")

    async def create_vector_index(self, palace: str, *, dimension: int) -> None:
        """Create the vector index."""
        await self._database.change_schema(palace, "palaces/create_vector_index", literals={"dimension": dimension})

    async def _locked(
        self, palace: str, work: Callable[[Transaction], Awaitable[Any]], *, model: str | None = None
    ) -> Any:
        async def run(tx: Transaction) -> Any:
            await hold_palace(tx, palace, model=model)
            return await work(tx)

        return await self._database.transaction(palace, run)
