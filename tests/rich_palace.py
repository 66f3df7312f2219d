"""Fill a palace with everything that a palace can hold."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from tests import transcripts

TEXTS = ("We met Ada Lovelace at the University of Oxford.", "Here is Countess Augusta.", "Ada Lovelace pruned roses.")


async def fill(door: Any, folder: Path) -> None:
    """Use a palace as somebody does who uses all of it.

    Args:
        door: A palace for asyncio, whose settings read names by rules.
        folder: An empty folder for files.
    """
    added = await door.add_many(TEXTS, wing="history", room="people")
    other = await door.add("Prune the roses in late winter.", wing="garden", room="roses", importance=0.9)
    old = await door.add("The door code is 4711.", wing="garden", room="keys")
    new = await door.add("The door code is 4712.", wing="garden", room="keys")
    await door.supersede(old.id, new.id)
    await door.update(other.id, text="Prune the roses in late winter, says Ada Lovelace.")
    gone = await door.add("A secret to forget.", wing="garden")
    await door.forget(drawers=[gone.id], by="Ann")
    german = "# Gärten\n\nBohnen brauchen Wärme, Licht und viel Wasser im Sommer.\n"
    above = "---\ndate: 2024-05-02\naliases: [Beetplan]\ntags: [garten/beete]\n---\n"
    (folder / "notes.md").write_text(above + german * 3, "utf-8")
    await door.ingest(folder / "notes.md", wing="Gartenbuch")
    (folder / "rollout-1.jsonl").write_bytes(transcripts.lines(transcripts.CODEX))
    await door.conversations.file(folder / "rollout-1.jsonl")
    said = [{"speaker": "Ann", "text": "my PIN is 4711"}]
    await door.conversations.file_messages(said, host="mine", conversation="1")
    await door.forget(conversation="mine/1")
    await door.names.build()
    await door.names.merge("Ada Lovelace", "Countess Augusta")
    await door.add_fact("Ada Lovelace", "lives_in", "Rome", drawers=[added.ids[0]], valid_from="1840-01-01T00:00:00Z")
    await door.supersede_fact("Ada Lovelace", "lives_in", "Oslo", drawers=[added.ids[2]])
    await door.write_diary("night/shift", "who feeds the cat on Sunday", topic="Question")
    await door.write_diary("night/shift", "the cat is fat", searchable=False)
    found = await door.search("prune roses")
    await door.feedback(found.run, useful=[found.hits[0].id], useless=[found.hits[-1].id])
    own = [{"id": "a", "text": "bread"}, {"id": "b", "text": "roses in winter"}]
    ranked = await door.rerank("winter roses", own, namespace="mine")
    await door.feedback(ranked.run, useful=["b"], useless=["a"])
    await door.deposit([other.id], kind="exploration")
    words = await door.runs.fulltext("roses")
    meaning = await door.runs.semantic("roses")
    await door.runs.blend([words.run_id_lane, meaning.run_id_lane])
    await door.decay()
    job = await door.jobs.start("roses", num_agents=4, max_iterations=2)
    await door.jobs.wait(job.job_id)
    name = f"c{uuid.uuid4().hex[:8]}"
    await door.simulate("roses", name=name, num_agents=4, seed=3, max_iterations=3, report_enabled=True)
