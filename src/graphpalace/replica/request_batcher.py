"""Questions that wait for the same matrix are answered by one product: reading it is what takes the time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

_Q = TypeVar("_Q")
_A = TypeVar("_A")
_MOST = 32  # questions of one product


@dataclass(slots=True)
class _Waiting(Generic[_Q, _A]):
    question: _Q
    answer: asyncio.Future[_A]


class RequestBatcher(Generic[_Q, _A]):
    """Answers questions one batch after the other; a batch is what came while the one before was answered.

    A question that comes alone does not wait for others.
    """

    def __init__(self, answer: Callable[[Sequence[_Q]], Awaitable[Sequence[_A]]]) -> None:
        """Wire it.

        Args:
            answer: Returns one answer a question, in their order.
        """
        self._answer = answer
        self._waiting: list[_Waiting[_Q, _A]] = []
        self._task: asyncio.Task[None] | None = None

    async def ask(self, question: _Q) -> _A:
        """Return the answer; what goes wrong with a batch goes wrong for all of it."""
        waiting = _Waiting(question, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
        return await waiting.answer

    async def _work(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
            batch = [one for one in batch if not one.answer.cancelled()]  # who gave up needs no answer
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
