"""Reads what hooks have noted of their runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from graphpalace.domain.hooks import HookReport, HookRun
from graphpalace.hook.notes import LOG

_NAMES = {one.name for one in fields(HookRun)}


def hook_report(folder: Path) -> HookReport:
    """Return what is known of the runs of hooks.

    Args:
        folder: Where they note it, in the data folder.
    """
    runs = sorted(_runs(folder), key=lambda run: (run.host, run.event))
    return HookReport(runs, len(unfiled(folder)), str(folder / LOG))


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
