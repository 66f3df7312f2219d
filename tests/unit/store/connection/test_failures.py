"""What the driver raises becomes one of our errors, with a way out that works for the server in question."""

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
    ServiceUnavailable,
    TransientError,
)
from tests.unit.store.connection.test_patience import DEADLOCK, PANIC, refused

from graphpalace.errors import (
    STATUS,
    DatabaseAuthFailed,
    DatabaseBroken,
    DatabaseBusy,
    DatabaseFailed,
    DatabaseUnavailable,
    GraphPalaceError,
)
from graphpalace.store.connection.failures import ServerAddress, translated

EXTERNAL = ServerAddress("bolt://db.example:7687")
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
    assert (found.retry_after_s is not None) == (kind in (DatabaseBusy, DatabaseUnavailable, DatabaseBroken))


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
