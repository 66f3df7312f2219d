"""Reads what hooks have noted of their runs."""

from __future__ import annotations

import json
import re
from ast import literal_eval
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from graphpalace.domain.hooks import HookFailure, HookReport, HookRun, InstalledHost
from graphpalace.hook.notes import LOG, PREVIOUS_LOG

_NAMES = {one.name for one in fields(HookRun)}
_MOST_FAILURES = 20
_SHOWN_FOR = timedelta(days=7)
_QUOTED = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_LINE = re.compile(rf"(\S+) {_QUOTED} {_QUOTED} (\d+\.\d+) s: (.*)")


def hook_report(folder: Path, installed: Sequence[InstalledHost] = ()) -> HookReport:
    """Return what is known of the runs of hooks.

    Args:
        folder: Where they note it, in the data folder.
        installed: What hosts have installed, which becomes a part of the report.
    """
    runs = sorted(_runs(folder), key=lambda run: (run.host, run.event))
    return HookReport(runs, len(unfiled(folder)), str(folder / LOG), _failures(folder), installed)


def recent_failures(report: HookReport, *, now: datetime) -> list[str]:
    """Return the last failure of each hook within a week, the newest first, also if the hook has worked since.

    No agent says that it had no memory, so what failed once must not be hidden by the next run.

    Args:
        now: With its zone.
    """
    since = (now - _SHOWN_FOR).astimezone(UTC).isoformat(timespec="seconds")
    works = {(run.host, run.event) for run in report.runs if run.error is None}
    found: dict[tuple[str, str], str] = {}
    for one in report.failures:
        hook = (one.host, one.event)
        if one.at >= since and hook not in found:
            worked = " (it has worked since)" if hook in works else ""
            found[hook] = f"{one.host} {one.event} failed at {one.at}: {one.error}{worked}"
    return list(found.values())


def unfiled(folder: Path) -> list[Path]:
    """Return the files that each ask for a transcript to be filed."""
    return sorted((folder / "unfiled").glob("*.json"))


def read_json(path: Path) -> dict[str, Any]:
    """Return the object in a file; an empty one if there is none."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _runs(folder: Path) -> Iterator[HookRun]:
    for path in folder.glob("*.*.json"):
        found = read_json(path)
        if {"host", "event", "at"} <= found.keys():
            yield HookRun(**{"took_ms": 0.0, "did": ""} | {name: found[name] for name in found.keys() & _NAMES})


def _failures(folder: Path) -> list[HookFailure]:
    """Return the newest lines of the log, newest first; lines that are not whole are left out."""
    found: list[HookFailure] = []
    for name in (LOG, PREVIOUS_LOG):
        lines: list[str] = []
        with suppress(OSError):
            lines = (folder / name).read_text("utf-8", "replace").splitlines()
        for line in reversed(lines):
            if len(found) == _MOST_FAILURES:
                return found
            if parts := _LINE.fullmatch(line):
                at, host, event, took_s, error = parts.groups()
                failure = HookFailure(at, literal_eval(host), literal_eval(event), 1000 * float(took_s), error)
                found.append(failure)
    return found
