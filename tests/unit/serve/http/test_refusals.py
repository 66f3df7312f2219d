"""What is said of a request that does not fit its route."""

from __future__ import annotations

from typing import Annotated

import pytest
from fastapi import FastAPI, Query
from fastapi.testclient import TestClient
from pydantic import Field

from graphpalace.serve.http import errors
from graphpalace.serve.http.request_body import RequestBody


class _Inner(RequestBody):
    share: float | None = Field(None, ge=0, le=1)


class _Body(RequestBody):
    count: Annotated[int | None, Field(ge=1, le=200)] = None
    least: int | None = Field(None, ge=3)
    inner: list[_Inner] = Field([], max_length=2)
    text: str = Field("a", min_length=1)
    start: str = Field("", alias="from")


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    errors.install(app)

    @app.post("/x")
    async def post(body: _Body) -> None: ...

    @app.get("/x")
    async def get(limit: Annotated[int, Query(ge=1, le=50)] = 1) -> None: ...

    return TestClient(app)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"count": 0}, "count is 0; it must be 1 to 200"),
        ({"least": 2}, "least is 2; it must be at least 3"),
        ({"inner": [{"share": 2}]}, "inner.0.share is 2; it must be 0 to 1"),
        ({"inner": [{"shares": 2}]}, "inner.0.shares is 2: there is no such field; there are share"),
        ({"cuont": 1}, "cuont is 1: there is no such field; there are count, least, inner, text, from"),
        ({"text": ""}, "text is ''; it must have at least 1 character"),
        ({"count": "5"}, "count is '5'; it must be a whole number"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_with_the_field_and_what_would_be_right(
    client: TestClient, body: dict[str, object], message: str
) -> None:
    error = client.post("/x", json=body).json()["error"]
    assert (error["code"], error["message"]) == ("VALIDATION_ERROR", message)


def test_a_number_in_the_address_is_refused_in_the_same_words(client: TestClient) -> None:
    assert client.get("/x?limit=51").json()["error"]["message"] == "limit is 51; it must be 1 to 50"
