"""Readers and writers of a service that comes and goes, and their own log of what it has acknowledged."""

from __future__ import annotations

import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, LiteralString

import httpx
import neo4j
import pytest

DIMENSION = 768  # of the default model; vectors are sent with texts, so that the tests' processor is left to others
EXACT = 1e-9
_MARKS = 40
_AGAIN_S = 0.1


@dataclass
class Acknowledged:
    """What the service has said it did, written down by those who asked for it.

    Attributes:
        texts: Of the drawers that were not forgotten again, by their ids.
        entries: Texts of a diary, by their ids.
        success, traversal: What was laid on the edge to a marked drawer, by the drawer's id.
        exploration: What was laid on the drawer itself.
        feedback: Ids of feedback.
    """

    texts: dict[str, str] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    entries: dict[str, str] = field(default_factory=dict)
    success: Counter[str] = field(default_factory=Counter)
    traversal: Counter[str] = field(default_factory=Counter)
    exploration: Counter[str] = field(default_factory=Counter)
    feedback: set[str] = field(default_factory=set)

    @property
    def count(self) -> int:
        """How many texts, entries and feedbacks there were."""
        return sum(map(len, (self.texts, self.forgotten, self.entries, self.feedback)))

    def compare(self, driver: neo4j.Driver) -> None:
        """Compare the log with what the database has, which is read past the product."""

        def rows(query: LiteralString) -> list[neo4j.Record]:
            return driver.execute_query(query).records

        found = [
            (row["id"], row["text"])
            for row in rows("MATCH (d:Drawer {wing: 'notes'}) RETURN d.id AS id, d.text AS text")
        ]
        assert len(found) == len(dict(found))
        assert dict(found) == self.texts
        assert not self.forgotten & self.texts.keys()
        entries = [(row["id"], row["text"]) for row in rows("MATCH (e:DiaryEntry) RETURN e.id AS id, e.text AS text")]
        assert sorted(text for _, text in entries) == sorted(self.entries.values())
        assert dict(entries) == self.entries
        marks = rows(
            "MATCH (:Closet)-[e:HAS_DRAWER]->(d:Drawer {wing: 'marks'}) RETURN d.id AS id,"
            " coalesce(e.success_pheromone, 0) AS success, coalesce(e.traversal_pheromone, 0) AS traversal,"
            " coalesce(d.exploration_pheromone, 0) AS exploration"
        )
        assert len(marks) == _MARKS
        for row in marks:
            for kind in ("success", "traversal", "exploration"):
                laid = getattr(self, kind)[row["id"]]
                assert row[kind] == pytest.approx(laid, abs=EXACT), (kind, row["id"])
        given = [row["id"] for row in rows("MATCH (f:Feedback) RETURN f.id AS id")]
        assert sorted(given) == sorted(self.feedback)


class MixedLoad:
    """Threads that add, change and forget texts, write a diary, lay pheromones, search and give feedback.

    Each write has a key, and is sent until it is acknowledged.

    Args:
        kept: Whether most texts and all feedback stay. If not, all are forgotten or taken back, so that a service never
            has more of them than at the beginning.
    """

    def __init__(self, url: str, *, pause_s: float = 0.05, seed: int = 1, kept: bool = True) -> None:
        self.url = url
        self._kept = kept
        self.done = Acknowledged()
        self.answers: Counter[int | str] = Counter()  # by status, or the name of what broke
        self.strange: list[str] = []  # answers that are neither success nor "try again"
        self.longest_s = 0.0
        self._pause_s = pause_s
        self._seed = seed
        self._ending = threading.Event()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._marks: list[dict[str, Any]] = []

    def start(self) -> None:
        """Store what the readers ask for, and start."""
        with httpx.Client(base_url=self.url, timeout=60) as client:
            chance = random.Random(self._seed)
            for number in range(_MARKS):
                new = {"text": f"mark {number}", "wing": "marks", "embedding": _vector(chance)}
                self._marks.append(self._sure(client, "POST", "/v1/drawers", new))
            for number in range(20):
                new = {"text": f"owls of wood {number} hunt at night", "wing": "kept", "embedding": _vector(chance)}
                self._sure(client, "POST", "/v1/drawers", new)
        work = (self._notes, self._notes, self._diary, self._deposits, self._questions)
        for number, one in enumerate(work):
            thread = threading.Thread(target=self._go_on, args=(one, number), name=f"load-{number}")
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        """Let each finish what it has begun."""
        self._ending.set()
        for thread in self._threads:
            thread.join(120)
        assert not any(thread.is_alive() for thread in self._threads)

    def compare(self, driver: neo4j.Driver) -> None:
        """Compare what was acknowledged with what the database has, and then see that no answer was strange."""
        try:
            self.done.compare(driver)
        finally:
            assert not self.strange, self.strange

    def _go_on(self, work: Callable[[httpx.Client, random.Random, str], None], number: int) -> None:
        chance, turn = random.Random(f"{self._seed} {number}"), 0
        with httpx.Client(base_url=self.url, timeout=60) as client:
            while not self._ending.is_set():
                turn += 1
                try:
                    work(client, chance, f"{number}-{turn}")
                except _StrangeAnswer as error:
                    self.strange.append(str(error))
                    return
                time.sleep(self._pause_s)

    def _notes(self, client: httpx.Client, chance: random.Random, name: str) -> None:
        new = {"text": f"note {name} says {chance.random()}", "wing": "notes", "embedding": _vector(chance)}
        added = self._sure(client, "POST", "/v1/drawers", new)
        with self._lock:
            self.done.texts[added["id"]] = new["text"]
        if chance.random() < 0.3:
            text = f"note {name} says now {chance.random()}"
            self._sure(client, "PATCH", f"/v1/drawers/{added['id']}", {"text": text})
            with self._lock:
                self.done.texts[added["id"]] = text
        if chance.random() < 0.4 or not self._kept:
            # If the service dies after it has forgotten the text and before it has answered, there is nothing left.
            self._sure(client, "POST", "/v1/forget", {"drawers": [added["id"]]}, none_for=(404,))
            with self._lock:
                del self.done.texts[added["id"]]
                self.done.forgotten.add(added["id"])

    def _diary(self, client: httpx.Client, chance: random.Random, name: str) -> None:
        text = f"entry {name}: {chance.random()}"
        entry = self._sure(client, "POST", "/v1/agents/crew/diary", {"text": text, "searchable": False})
        self.done.entries[entry["id"]] = text

    def _deposits(self, client: httpx.Client, chance: random.Random, _name: str) -> None:
        mark, amount = chance.choice(self._marks), chance.uniform(0.1, 1)
        self._sure(
            client, "POST", "/v1/pheromones/deposit", {"nodes": [mark["closet_id"], mark["id"]], "amount": amount}
        )
        self.done.success[mark["id"]] += amount  # pyright: ignore[reportArgumentType]
        self.done.traversal[mark["id"]] += 0.1  # pyright: ignore[reportArgumentType]
        self._sure(client, "POST", "/v1/pheromones/deposit", {"nodes": [mark["id"]], "kind": "exploration"})
        self.done.exploration[mark["id"]] += 0.3  # pyright: ignore[reportArgumentType]

    def _questions(self, client: httpx.Client, chance: random.Random, name: str) -> None:
        question = f"which owls hunt in wood {chance.randrange(20)}"
        found = self._sure(client, "POST", "/v1/search", {"query": question, "wing": "kept", "top_k": 3})
        if found["hits"]:
            body = {"run": found["run"], "useful": [found["hits"][0]["id"]], "id": name}
            if given := self._sure(client, "POST", "/v1/feedback", body, none_for=(404,)):
                if self._kept:
                    self.done.feedback.add(given["id"])
                else:
                    self._sure(client, "DELETE", f"/v1/feedback/{given['id']}", None)

    def _sure(
        self,
        client: httpx.Client,
        method: str,
        path: str,
        body: dict[str, Any] | None,
        *,
        none_for: tuple[int, ...] = (),
    ) -> dict[str, Any]:
        """Send a request with one key until it is acknowledged, and return the answer.

        Args:
            none_for: Statuses that are no success, and are not tried again: nothing is returned.
        """
        key = {"Idempotency-Key": uuid.uuid4().hex}
        until = time.monotonic() + 300
        while time.monotonic() < until:
            began = time.monotonic()
            try:
                answer = client.request(method, path, json=body, headers=key)
            except httpx.TransportError as error:
                self._note(type(error).__name__, began)
            else:
                self._note(answer.status_code, began)
                if answer.is_success:
                    return answer.json() if answer.content else {}
                if answer.status_code in none_for:
                    return {}
                if answer.status_code not in (409, 503):
                    raise _StrangeAnswer(f"{method} {path}: {answer.status_code} {answer.text[:500]}")
            time.sleep(_AGAIN_S)
        raise _StrangeAnswer(f"{method} {path}: no success in 300 s")

    def _note(self, what: int | str, began: float) -> None:
        with self._lock:
            self.answers[what] += 1
            self.longest_s = max(self.longest_s, time.monotonic() - began)


class _StrangeAnswer(Exception):
    pass


def _vector(chance: random.Random) -> list[float]:
    return [chance.gauss(0, 1) for _ in range(DIMENSION)]
