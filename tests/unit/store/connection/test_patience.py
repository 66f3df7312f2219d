"""What may go better the next time is tried again, for as long as a request can wait; the clock here is no real one."""

from __future__ import annotations

import pytest
from neo4j.exceptions import (
    ClientError,
    DatabaseError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    TransientError,
)

from graphpalace.store.connection import patience
from graphpalace.store.connection.patience import CONFLICT_S, CONNECT_S, REACH_S, patiently


def refused(kind: type[Neo4jError], code: str, message: str = "no") -> Neo4jError:
    error = kind(message)
    error._neo4j_code, error._message = code, message  # as the driver sets them on what the server answers
    return error


DEADLOCK = refused(TransientError, "Neo.TransientError.Transaction.DeadlockDetected")
GONE = refused(ClientError, "Neo.ClientError.Statement.EntityNotFound")
PANIC = refused(
    DatabaseError,
    "Neo.DatabaseError.Transaction.TransactionStartFailed",
    "The database has encountered a critical error, and needs to be restarted.",
)


class Work:
    """Fails as it is told, each time after some seconds, and notes when it began."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *errors: Exception, takes_s: float = 0.0) -> None:
        self.now = 0.0
        self.begun: list[float] = []
        self._errors = list(errors)
        self._takes_s = takes_s
        monkeypatch.setattr(patience, "monotonic", lambda: self.now)
        monkeypatch.setattr(patience, "sleep", self._sleep)  # not for all: others wait in loops

    async def _sleep(self, seconds: float) -> None:
        self.now += seconds

    async def __call__(self) -> str:
        self.begun.append(self.now)
        self.now += self._takes_s
        if self._errors:
            raise self._errors.pop(0)
        return "done"


@pytest.mark.parametrize("error", [DEADLOCK, GONE, ServiceUnavailable("refused")])
async def test_what_may_pass_is_done_again_until_it_succeeds(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    work = Work(monkeypatch, error, error, error)
    assert await patiently(work) == "done"
    assert len(work.begun) == 4
    assert work.now < 1


@pytest.mark.parametrize("error", [ClientError("never"), PANIC, IncompleteCommit("lost"), DriverError("broken")])
async def test_what_cannot_pass_is_not_done_again(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    work = Work(monkeypatch, error)
    with pytest.raises(type(error)):
        await patiently(work)
    assert len(work.begun) == 1


async def test_a_server_that_refuses_connections_is_given_up_within_two_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = Work(monkeypatch, *[ServiceUnavailable("refused")] * 100)
    with pytest.raises(ServiceUnavailable):
        await patiently(work)
    assert len(work.begun) > 3
    assert work.now <= REACH_S


async def test_a_server_that_answers_nothing_is_given_up_within_five_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(monkeypatch, *[ServiceUnavailable("silence")] * 100, takes_s=CONNECT_S)
    with pytest.raises(ServiceUnavailable):
        await patiently(work)
    assert work.now <= REACH_S + CONNECT_S <= 5


async def test_a_conflict_is_tried_again_however_long_the_work_took_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = Work(monkeypatch, DEADLOCK, takes_s=30)
    assert await patiently(work) == "done"


async def test_conflicts_without_end_are_given_up_and_the_pauses_before_that_grow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(patience.random, "uniform", lambda low, high: (low + high) / 2)
    work = Work(monkeypatch, *[DEADLOCK] * 100)
    with pytest.raises(TransientError):
        await patiently(work)
    pauses = [after - before for before, after in zip(work.begun, work.begun[1:], strict=False)]
    assert len(pauses) == 10  # 0.03 s times 1.5 to the power of 0 to 9 is 3.4 s; an eleventh would end after 5.1 s
    assert pauses == sorted(pauses)
    assert work.now == pytest.approx(0.03 * (1.5**10 - 1) / 0.5)
    assert work.now <= CONFLICT_S
