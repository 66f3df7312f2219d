"""Whatever a client makes of the OpenAPI description, the service answers as described.

A test tries a few cases of each operation, always the same. `make fuzz` sets GRAPHPALACE_FUZZ_CASES, tries so many in
all, each time others, and prints the seed.

The checks about keys (`ignored_auth` and others) are left out: `tests/access_table.py` says of every route what a key
opens, and tests compare the service with it. So are `positive_data_acceptance`, as a request as described may name a
drawer that does not exist, `negative_data_rejection` and `unsupported_method`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import hypothesis
import pytest
import schemathesis
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.specs.openapi.schemas import OpenApiSchema

from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, served_apart
from tests.spare_palaces import spare_name

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)
CASES = int(os.environ.get("GRAPHPALACE_FUZZ_CASES", "0"))
METHODS = ["GET", "POST", "PATCH", "DELETE"]


@pytest.fixture(scope="module")
def api(settings: Settings) -> Iterator[OpenApiSchema]:
    """The description of a running service; the palaces made meanwhile are dropped."""
    own = changed(settings, palace={"name": spare_name()})
    with served_apart(own) as client:
        before = {row["name"] for row in client.get("/v1/palaces").json()} - {own.palace.name}
        client.post("/v1/drawers", json={"text": "a drawer to be found", "wing": "python", "room": "decorators"})
        yield schemathesis.openapi.from_url(f"{client.base_url}/openapi.json")
        for name in {row["name"] for row in client.get("/v1/palaces").json()} - before:
            client.delete(f"/v1/palaces/{name}?confirm={name}").raise_for_status()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["good", "bad"])
def test_every_answer_is_as_described(api: OpenApiSchema, mode: GenerationMode, subtests: pytest.Subtests) -> None:
    """Requests as described, and requests that break the description."""
    operations = [result.ok() for result in api.include(method=METHODS).get_all_operations()]
    assert len(operations) >= 13
    each = max(8, CASES // (2 * len(operations)))
    for operation in operations:

        @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
        @hypothesis.settings(
            max_examples=each,
            derandomize=not CASES,
            database=None,
            deadline=None,
            print_blob=True,
            suppress_health_check=[hypothesis.HealthCheck.filter_too_much],
        )
        def is_as_described(case: schemathesis.Case) -> None:
            case.call_and_validate(checks=list(CHECKS))

        with subtests.test(operation.label), contextlib.suppress(Unsatisfiable):  # some take no wrong request
            is_as_described()
