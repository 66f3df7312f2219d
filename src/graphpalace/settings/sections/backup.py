"""The section `[backup]`."""

from __future__ import annotations

from pydantic import Field

from graphpalace.settings.sections.section import SettingsSection


class BackupSettings(SettingsSection):
    """Backups of the whole database: `graphpalace backup`, and those that the service makes by itself."""

    folder: str = Field(
        default="",
        description="The folder for backups. If it is empty, they are in `backups` in the data folder, which is on the "
        "same disk as the database.",
    )
    schedule: str = Field(
        default="",
        description='When the service makes a backup by itself, as cron says it: "0 3 * * *" means every day at 3:00 '
        'local time, "0 */6 * * mon-fri" every six hours on weekdays. One that was missed is made up for at the next '
        "start. If it is empty, the service makes none.",
    )
    keep: int = Field(
        default=7,
        ge=1,
        le=10_000,
        description="How many backups stay in the folder. After a new one, older ones are deleted.",
    )
    key_file: str = Field(
        default="",
        description="The file with the key that backups are encrypted with: 64 hexadecimal digits. If it is empty, "
        "backups are not encrypted.",
    )
    longest_pause_s: float = Field(
        default=60.0,
        gt=0,
        le=3600,
        description="For how many seconds writers may have to wait for a backup. A backup that takes longer while "
        "somebody writes fails. When nobody writes, nobody has to wait, however long it takes.",
    )
