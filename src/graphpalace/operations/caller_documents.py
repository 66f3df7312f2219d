"""Documents of callers' own, which learn as drawers do: they become nodes with the first feedback on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from graphpalace.domain.identity import stable_id
from graphpalace.domain.trail import NodeRef
from graphpalace.domain.vectors import from_bytes, to_bytes
from graphpalace.learn.narrative import remembered
from graphpalace.store.database import Transaction

DEFAULT_NAMESPACE = "default"
_MOST_ANSWERED = 1000  # answers that a memory is made of anew


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """What a feedback says of one document.

    Attributes:
        id: Of its node.
        name: What the caller calls it, within the namespace.
        reward: Above 0 to 1, of a useless one too.
    """

    id: str
    namespace: str
    name: str
    useful: bool
    reward: float

    @property
    def node(self) -> NodeRef:
        """What pheromones are laid on."""
        return NodeRef("CallerDocument", self.id)


def document_id(palace: str, namespace: str, name: str) -> str:
    """Return the id of the node of a document: the same name in another namespace or palace is another document."""
    return stable_id("document", palace, namespace, name)


def memory_row(answered: Iterable[tuple[bytes, float, int]], *, rate: float) -> dict[str, Any]:
    """Return what is remembered after some answers, the oldest first, as it is stored.

    Args:
        answered: The embedding of each question as bytes, its reward, and its cycle.
        rate: What is lost in a cycle, 0 to 1.
    """
    answers = (
        (from_bytes([question], dimension=len(question) // 4)[0], reward, at) for question, reward, at in answered
    )
    vector, strength, cycle = remembered(answers, rate=rate) or (None, 0.0, 0)
    return {"vector": None if vector is None else to_bytes(vector), "strength": strength, "cycle": cycle}


async def judge_documents(
    tx: Transaction, palace: str, feedback: str, judged: Sequence[JudgedDocument], *, rate: float
) -> None:
    """Join a feedback, within its transaction, to the documents that it judges, and let them remember it."""
    if judged:
        rows = [asdict(one) for one in judged]
        await tx.run("learning/give_to_documents", palace=palace, feedback=feedback, documents=rows)
        await remember_documents(tx, palace, [one.id for one in judged], rate=rate)


async def remember_documents(tx: Transaction, palace: str, documents: Sequence[str], *, rate: float) -> None:
    """Make the memory of documents anew of the feedback that is left; those without any are documents no more."""
    if not documents:
        return
    rows = await tx.run(
        "learning/read_documents_answered", palace=palace, documents=list(documents), most=_MOST_ANSWERED
    )
    memories = [{"document": row["document"]} | memory_row(row["answered"], rate=rate) for row in rows]
    await tx.run("learning/set_document_memories", memories=memories)
