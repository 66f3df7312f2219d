"""A few publications for the tests of runs, as a file that can be ingested."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RECORDS: list[dict[str, Any]] = [
    {
        "pub_id": "JP1", "app_id": "JPA1", "exam_id": "EX1", "family_id": "F1", "published": "2023-01-10",
        "assignee": "Owl Works", "country": "JP", "title": "暗号鍵の更新方法",
        "abst": "本発明は cipher key の更新に関する。" + "鍵を安全に交換する。" * 60,
        "claim": "1. 暗号鍵を更新する方法。", "desc": "実施形態を説明する。" * 30,
        "ipc_codes": ["H04L9/32"], "fi_codes": ["H04L9/00"], "ft_codes": ["5J104AA01"],
    },
    {
        "pub_id": "US1", "app_id": "USA1", "family_id": "F1", "published": "2023-03-01", "assignee": "Owl Works",
        "country": "US", "title": "Cipher key update", "abst": "A cipher key is updated and exchanged safely.",
        "claim": "1. A method to update a cipher key.", "desc": "The cipher key is sent over a network.",
        "ipc_codes": ["H04L9/08"], "cpc_codes": ["H04L9/0861"],
    },
    {
        "pub_id": "US2", "app_id": "USA2", "family_id": "F2", "published": "2021-06-01", "assignee": "Fox Lab",
        "country": "US", "title": "Bicycle lock with a cipher", "abst": "A lock whose cipher wheel turns.",
        "claim": "1. A lock with a cipher wheel.", "desc": "The wheel of the lock has ten digits.",
        "ipc_codes": ["E05B37/00"],
    },
    {
        "pub_id": "US3", "app_id": "USA3", "family_id": "F3", "published": "2020-06-01", "assignee": "Fox Lab",
        "country": "US", "title": "Garden hose", "abst": "A hose with a nozzle.", "claim": "1. A hose.",
        "desc": "Water runs through the hose.", "ipc_codes": ["A01G25/00"],
    },
]  # fmt: skip


def write_publications(folder: Path) -> Path:
    """Write the records, one a line, and return the file."""
    path = folder / "publications.jsonl"
    path.write_text("\n".join(json.dumps(record, ensure_ascii=False) for record in RECORDS), "utf-8")
    return path
