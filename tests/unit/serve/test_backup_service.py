"""When the service makes a backup by itself."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from graphpalace.domain.backup import BackupMade
from graphpalace.errors import DatabaseUnavailable, SettingsInvalid
from graphpalace.serve.scheduler.backup_service import BackupService, is_overdue, trigger_of


class Folder:
    """Makes backups that are nothing but times."""

    def __init__(self, newest: datetime | None, *, fails: bool = False) -> None:
        self.newest, self.fails, self.asked = newest, fails, 0

    def newest_at(self) -> datetime | None:
        return self.newest

    async def make(self) -> BackupMade:
        self.asked += 1
        if self.fails:
            raise DatabaseUnavailable
        self.newest = datetime.now(UTC)
        return BackupMade("a", 1, 1, 1, ["main"], False, "", 1.0, 0.0)


async def asked_of(folder: Folder, schedule: str) -> int:
    service = BackupService(schedule, lambda: folder, look_every_s=0.02)  # type: ignore[arg-type,return-value]
    service.start()
    await asyncio.sleep(0.2)  # for several looks
    await service.stop()
    return folder.asked


async def test_a_backup_that_was_missed_is_made_once_at_the_start() -> None:
    assert await asked_of(Folder(datetime.now(UTC) - timedelta(days=2)), "0 3 * * *") == 1


async def test_none_is_made_before_it_is_due() -> None:
    assert await asked_of(Folder(datetime.now(UTC)), "0 3 1 1 *") == 0
    assert await asked_of(Folder(None), "0 3 1 1 *") == 0


async def test_one_that_failed_is_not_tried_again_at_once() -> None:
    assert await asked_of(Folder(datetime.now(UTC) - timedelta(days=2), fails=True), "0 3 * * *") == 1


@pytest.mark.parametrize(("days", "overdue"), [(0.5, False), (1.5, False), (2.1, True)])
def test_a_backup_is_overdue_when_two_were_due_since(days: float, overdue: bool) -> None:
    now = datetime(2026, 5, 31, 2, 59, tzinfo=UTC)
    soon = (now + timedelta(minutes=1)).astimezone()
    assert is_overdue(f"{soon.minute} {soon.hour} * * *", now - timedelta(days=days), now) is overdue


@pytest.mark.parametrize("schedule", ["61 * * * *", "every day", "0 3 * * 0", "0 3 * *", " "])
def test_a_schedule_that_is_none_is_refused_with_an_example(schedule: str) -> None:
    with pytest.raises(SettingsInvalid, match=r'backup\.schedule is .*such as "0 3 \* \* \*"'):
        trigger_of(schedule)
