"""Makes backups when they are due."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import structlog
from apscheduler.triggers.cron import CronTrigger

from graphpalace.errors import GraphPalaceError, SettingsInvalid
from graphpalace.serve.timetable import Timetable
from graphpalace.telemetry import metrics

if TYPE_CHECKING:
    from graphpalace.operations.backup.backup import Backup

_LOG = structlog.get_logger("graphpalace.backup")
_LOOK_S = 30.0
_AGAIN = timedelta(minutes=15)  # after a failure


class BackupService:
    """Looks now and then whether a backup is due, and makes it.

    What is in the folder tells when the last one was made, so one that was missed is made up for.
    """

    def __init__(self, schedule: str, backup: Callable[[], Backup | None], *, look_every_s: float = _LOOK_S) -> None:
        """Create the service.

        Args:
            schedule: `[backup] schedule`.
            backup: Returns the operation on the database of the process; None if the database cannot be reached yet.

        Raises:
            SettingsInvalid: If the schedule is not one.
        """
        self._trigger = trigger_of(schedule)
        self._backup = backup
        self._look_every_s = look_every_s
        self._timetable = Timetable()
        self._not_before = self._began = datetime.now(UTC)

    def start(self) -> None:
        """Start looking, the first time at once."""
        self._timetable.every(self._look_every_s, self._look, at_once=True)
        self._timetable.start()

    async def stop(self) -> None:
        """Stop. Nothing is left of a backup that is being made."""
        await self._timetable.stop()

    async def _look(self) -> None:
        now = datetime.now(UTC)
        if now < self._not_before or (backup := self._backup()) is None or not self._is_due(backup.newest_at(), now):
            return
        try:
            made = await backup.make()
        except Exception as error:  # whatever the error is, the service logs it and keeps trying
            self._not_before = datetime.now(UTC) + _AGAIN
            _LOG.error("backup_failed", reason=error.message if isinstance(error, GraphPalaceError) else repr(error))
            return
        metrics.BACKUP_MADE.set_to_current_time()
        metrics.BACKUP_BYTES.set(made.bytes)
        metrics.BACKUP_PAUSED.set(made.paused_s)
        _LOG.info(
            "backup_made",
            path=made.path,
            bytes=made.bytes,
            seconds=round(made.seconds, 1),
            paused_s=round(made.paused_s, 1),
            deleted=len(made.deleted),
        )

    def _is_due(self, last: datetime | None, now: datetime) -> bool:
        after = self._began if last is None else last + timedelta(seconds=1)
        due = self._trigger.get_next_fire_time(None, after)
        return due is not None and due <= now


def is_overdue(schedule: str, last: datetime, now: datetime) -> bool:
    """Return whether two backups were due after the last one, and none was made.

    Raises:
        SettingsInvalid: If the schedule is not one.
    """
    trigger = trigger_of(schedule)
    first = trigger.get_next_fire_time(None, last + timedelta(seconds=1))
    second = first and trigger.get_next_fire_time(None, first + timedelta(seconds=1))
    return second is not None and second <= now


def trigger_of(schedule: str) -> CronTrigger:
    """Return when backups are due.

    Raises:
        SettingsInvalid: If the text is not five fields of cron. Days of the week have names, because the numbers of
            cron begin with Sunday, and those of others with Monday.
    """
    right = 'it must be minute, hour, day, month and weekday as for cron, such as "0 3 * * *" or "0 3 * * sat,sun"'
    try:
        if re.search(r"\d", schedule.rsplit(maxsplit=1)[-1]):
            raise ValueError("weekdays are named mon to sun")
        return CronTrigger.from_crontab(schedule)
    except (ValueError, IndexError) as error:
        raise SettingsInvalid(f"backup.schedule is {schedule!r}: {error}; {right}", field="backup.schedule") from None
