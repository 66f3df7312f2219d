"""What may go better the next time is tried again, for as long as a request can wait; the clock here is no real one.

What the driver raises becomes one of our errors, with a way out that works for the server in question.
"""

from __future__ import annotations

import shutil
from collections import namedtuple
from pathlib import Path

import pytest
from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConnectionAcquisitionTimeoutError,
    DatabaseError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    TransientError,
)

from graphpalace.domain.deadline import due_in
from graphpalace.error_codes import STATUS
from graphpalace.errors import (
    DatabaseAuthFailed,
    DatabaseBroken,
    DatabaseBusy,
    DatabaseFailed,
    DatabaseOutOfMemory,
    DatabaseReadOnly,
    DatabaseUnavailable,
    GraphPalaceError,
)
from graphpalace.store.connection import failures as patience
from graphpalace.store.connection.failures import (
    CONFLICT_S,
    CONNECT_S,
    CROWDED_S,
    REACH_S,
    ServerAddress,
    patiently,
    translated,
)

EXTERNAL = ServerAddress("bolt://db.example:7687")


def refused(kind: type[Neo4jError], code: str, message: str = "no") -> Neo4jError:
    error = kind(message)
    error._neo4j_code, error._message = code, message  # as the driver sets them on what the server answers
    return error


DEADLOCK = refused(TransientError, "Neo.TransientError.Transaction.DeadlockDetected")
GONE = refused(ClientError, "Neo.ClientError.Statement.EntityNotFound")
READ_ONLY = refused(ClientError, "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase")
TOO_LARGE = refused(TransientError, "Neo.TransientError.General.TransactionOutOfMemoryError")
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


@pytest.mark.parametrize(
    "error", [ClientError("never"), PANIC, TOO_LARGE, IncompleteCommit("lost"), DriverError("broken")]
)
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


async def test_work_without_a_deadline_waits_for_a_connection_and_a_request_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crowded = [ConnectionAcquisitionTimeoutError("none within 3 s")] * 100
    work = Work(monkeypatch, *crowded[:4], takes_s=CONNECT_S)
    assert await patiently(work) == "done"
    assert 4 * CONNECT_S < work.now < CROWDED_S
    work = Work(monkeypatch, *crowded, takes_s=CONNECT_S)
    with pytest.raises(ConnectionAcquisitionTimeoutError):
        await patiently(work)
    assert CROWDED_S - 2 * CONNECT_S < work.now <= CROWDED_S + CONNECT_S
    work = Work(monkeypatch, *crowded, takes_s=CONNECT_S)
    with due_in(20, setting="[service] read_deadline_s"), pytest.raises(ConnectionAcquisitionTimeoutError):
        await patiently(work)
    assert work.now == CONNECT_S


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


AUTH = refused(AuthError, "Neo.ClientError.Security.Unauthorized")
COMMIT = refused(DatabaseError, "Neo.DatabaseError.Transaction.TransactionCommitFailed", "Could not apply it.")
SYNTAX = refused(ClientError, "Neo.ClientError.Statement.SyntaxError", "Invalid input")


def ours(error: Exception, server: ServerAddress = EXTERNAL) -> GraphPalaceError:
    with pytest.raises(GraphPalaceError) as raised, translated(server):
        raise error
    return raised.value


@pytest.fixture
def managed(tmp_path: Path) -> ServerAddress:
    return ServerAddress("bolt://127.0.0.1:7687", home=tmp_path)


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(300 << 20, 297 << 20, 3 << 20))


@pytest.mark.parametrize(
    ("error", "kind", "status"),
    [
        (DEADLOCK, DatabaseBusy, 503),
        (ConnectionAcquisitionTimeoutError("none within 3 s"), DatabaseBusy, 503),
        (ServiceUnavailable("refused"), DatabaseUnavailable, 503),
        (refused(TransientError, "Neo.TransientError.General.DatabaseUnavailable"), DatabaseUnavailable, 503),
        (PANIC, DatabaseBroken, 503),
        (COMMIT, DatabaseBroken, 503),
        (READ_ONLY, DatabaseReadOnly, 503),
        (TOO_LARGE, DatabaseOutOfMemory, 503),
        (AUTH, DatabaseAuthFailed, 503),
        (SYNTAX, DatabaseFailed, 500),
    ],
)
def test_each_failure_has_its_kind_and_says_when_to_come_again_if_that_may_help(
    error: Exception, kind: type[GraphPalaceError], status: int
) -> None:
    found = ours(error)
    assert type(found) is kind
    assert STATUS[found.code] == status
    assert (found.retry_after_s is not None) == (kind not in (DatabaseAuthFailed, DatabaseFailed))


def test_a_wrong_password_is_answered_with_what_sets_it_for_the_server_in_question(managed: ServerAddress) -> None:
    outside = ours(AUTH).message
    assert "set [neo4j] user and password" in outside
    assert "graphpalace up" not in outside
    assert "graphpalace up --reset-password" in ours(AUTH, managed).message


def test_a_server_that_is_down_is_answered_with_what_starts_it(managed: ServerAddress) -> None:
    assert "graphpalace up" not in ours(ServiceUnavailable("refused")).message
    assert "run `graphpalace up`" in ours(ServiceUnavailable("refused"), managed).message


@pytest.mark.parametrize("error", [PANIC, COMMIT])
def test_a_full_disk_is_named_with_its_folder_and_what_to_do_first(
    managed: ServerAddress, full: None, error: Exception
) -> None:
    message = ours(error, managed).message
    assert f"the disk is full: 3 MiB are free at {managed.home}" in message
    assert message.endswith("To start it again, free disk space, then run `graphpalace up`")


def test_a_database_that_was_given_up_for_another_reason_says_what_neo4j_says(managed: ServerAddress) -> None:
    assert "critical error" in ours(PANIC, managed).message
    assert "free disk space" not in ours(PANIC, managed).message
    assert ours(PANIC).message.endswith("To start it again, restart it")
