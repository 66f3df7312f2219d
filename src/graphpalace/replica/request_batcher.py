"""Answer concurrent requests in batches, because one pass over a matrix takes about as long for many as for one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from graphpalace.domain.deadline import without_deadline

_Q = TypeVar("_Q")
_A = TypeVar("_A")
_MOST = 32  # largest number of questions in a batch


@dataclass(slots=True)
class _Waiting(Generic[_Q, _A]):
    question: _Q
    answer: asyncio.Future[_A]


class RequestBatcher(Generic[_Q, _A]):
    """Answers questions in batches. A batch consists of the questions that arrived during the previous batch.

    A single question is answered at once.
    """

    def __init__(self, answer: Callable[[Sequence[_Q]], Awaitable[Sequence[_A]]]) -> None:
        """Create a batcher.

        Args:
            answer: Returns an answer for each question, in the same order.
        """
        self._answer = answer
        self._waiting: list[_Waiting[_Q, _A]] = []
        self._task: asyncio.Task[None] | None = None

    async def ask(self, question: _Q) -> _A:
        """Return the answer to a question. If its batch fails, all questions of the batch get the error."""
        waiting = _Waiting(question, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._task is None or self._task.done():
            self._task = without_deadline(self._work())
        return await waiting.answer

    async def _work(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
            batch = [one for one in batch if not one.answer.cancelled()]  # skip callers that no longer wait
            if not batch:
                continue
            try:
                answers = await self._answer([one.question for one in batch])
            except Exception as error:
                for one in batch:
                    if not one.answer.done():
                        one.answer.set_exception(error)
                continue
            for one, answer in zip(batch, answers, strict=True):
                if not one.answer.done():
                    one.answer.set_result(answer)
