"""A date at the end of a range is included in every door; a moment is not."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any

import pytest
from pydantic import TypeAdapter

from graphpalace.client import wire
from graphpalace.domain.field import WHOLE_DAY
from graphpalace.domain.runs.run_requests import FulltextSearch, LaneSearch
from graphpalace.domain.search.answer import SearchPlan
from graphpalace.domain.search.request import SearchQuery, SearchRequest, plan_of
from graphpalace.serve.http.request_body import body_of, json_type, value_of
from graphpalace.serve.mcp import arguments
from graphpalace.serve.mcp.arguments import argument_type

DATE, MOMENT = "2026-05-01", "2026-05-01T00:00:00"
NEXT_DAY, SAME = datetime(2026, 5, 2), datetime(2026, 5, 1)


def _searched(**given: Any) -> SearchRequest:
    return value_of(body_of(SearchQuery).model_validate({"query": "ledger", **given}), SearchQuery).request()


def _search(until: str) -> datetime | None:
    return _searched(until=until).until


def _lane(until: str) -> datetime | None:
    body = body_of(FulltextSearch).model_validate({"q": "ledger", "until": until})
    return value_of(body, FulltextSearch).question().until


def _address(until: str) -> datetime | None:
    return TypeAdapter(json_type(Annotated[datetime | None, WHOLE_DAY])).validate_python(until)


def _tool(until: str) -> datetime | None:
    return TypeAdapter(arguments.Until | None).validate_json(f'"{until}"', strict=True)


def _lane_of_a_tool(until: str) -> Any:
    lane = argument_type(LaneSearch)
    return lane.model_validate_json(f'{{"lane": "fulltext", "q": "ledger", "until": "{until}"}}', strict=True).until


@pytest.mark.parametrize("door", [_search, _lane, _address, _tool, _lane_of_a_tool])
def test_a_date_is_included_and_a_moment_is_not(door: Any) -> None:
    assert door(DATE) == NEXT_DAY
    assert door(MOMENT) == SAME


def test_a_client_sends_a_date_as_a_date() -> None:
    sent = wire.request_of("POST", "/v1/search", body={"until": date(2026, 5, 1), "since": SAME}).body
    assert sent == b'{"until": "2026-05-01", "since": "2026-05-01T00:00:00"}'


def test_one_day_is_a_range() -> None:
    asked = _searched(since=DATE, until=DATE)
    assert (asked.since, asked.until) == (SAME, NEXT_DAY)
    plan_of(asked, SearchPlan(("fulltext",), {}, "evidence"), {})
