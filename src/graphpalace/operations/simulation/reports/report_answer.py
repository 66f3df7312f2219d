"""Parse the report that a language model wrote. Missing or invalid fields are taken from the structural report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from graphpalace.domain.simulation.simulations import Report, ReportItem
from graphpalace.endpoints import first_object
from graphpalace.operations.simulation.reports.structural_report import StructuralReport

_ANSWER_CHARS = 400_000
_OBJECTS_TRIED = 200
_TEXT_CHARS = 4_000
_QUERY_CHARS = 300
_LIST_LENGTH = 10


def report_of(answer: str, structural: StructuralReport, *, model: str) -> Report | None:
    """Return the report that a model wrote.

    The model provides the summary and, for each item, its purpose, relevance and follow-up questions, and those
    dependencies that occur in the text. Texts, locations and scores come from the structural report. Items with an
    unknown id are left out.

    Args:
        answer: A JSON object, possibly in a code fence or with text around it.

    Returns:
        None if the answer has neither a summary nor a usable item.
    """
    found = first_object(answer, _is_report, chars=_ANSWER_CHARS, tries=_OBJECTS_TRIED)
    if found is None:
        return None
    given, selection = structural.reading.given, structural.selection
    summary, written = _text(found.get("summary")), _written(found.get("items"), structural)
    if summary is None and not written:
        return None
    # In the mode `repair`, the model may add findings; in the other modes, the selection is fixed.
    rows = sorted({*selection.rows, *written}) if given.mode == "repair" else list(selection.rows)
    items = [written.get(row, structural.items[row]) for row in rows]
    return Report(given.step, given.mode, model, summary or selection.summary, items)


def _is_report(found: Mapping[str, Any]) -> bool:
    return "summary" in found or "items" in found


def _written(items: Any, structural: StructuralReport) -> dict[int, ReportItem]:
    """Return the items that the model wrote usable fields for, by row. If an id occurs twice, the first counts."""
    found: dict[int, ReportItem] = {}
    for item in items if isinstance(items, list) else []:
        row = _row(item.get("id"), len(structural.items)) if isinstance(item, dict) else None
        if row is not None and row not in found:
            plain = structural.items[row]
            if changed := _fields(item, plain, structural.reading.facts[row].body):
                found[row] = replace(plain, **changed)
    return found


def _row(number: Any, count: int) -> int | None:
    text = str(number) if isinstance(number, int | str) and not isinstance(number, bool) else ""
    return int(text) - 1 if text.isascii() and text.isdigit() and len(text) < 7 and 1 <= int(text) <= count else None


def _fields(item: dict[str, Any], plain: ReportItem, body: str) -> dict[str, Any]:
    needed = _texts(item.get("code_dependencies"))
    changed = {
        "code_purpose": _text(item.get("code_purpose")),
        "relevance_to_query": _text(item.get("relevance_to_query")),
        "follow_up_queries": _texts(item.get("follow_up_queries")),
        "code_dependencies": None
        if needed is None
        else list(dict.fromkeys([*plain.code_dependencies, *(name for name in needed if name in body)])),
    }
    return {name: value for name, value in changed.items() if value is not None}


def _text(value: Any) -> str | None:
    if not isinstance(value, str) or not value.strip():
        return None
    # JSON can contain an escaped lone surrogate, which cannot be encoded as UTF-8.
    return value.strip()[:_TEXT_CHARS].encode(errors="replace").decode()


def _texts(value: Any) -> list[str] | None:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        return None
    return [text[:_QUERY_CHARS] for one in value[:_LIST_LENGTH] if (text := _text(one))]
