"""What is declared of operations: how fields are read, and what must hold for every declaration."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field
from typing import Annotated, Any

import pytest

from graphpalace.domain.field import NAMED, TIME, Field
from graphpalace.offers.every import CLIENTS, GROUPS
from graphpalace.offers.offer import Offer, Parameter, parameters
from graphpalace.serve.http.access.rules import RULES
from graphpalace.serve.http.request_body import fields_of

Name = Annotated[str, Field(min_length=1, description="a name"), NAMED]
EVERY = {offer.name: offer for group in GROUPS for offer in group.offers}


@dataclass(frozen=True)
class Request:
    """A request of these tests."""

    name: Name
    other: Annotated[Name | None, Field(description="another one")] = None
    since: Annotated[str, Field(description="from then on; default: always"), TIME] | None = None
    count: Annotated[int, Field(ge=1, le=1000, description="largest number")] = 100
    share: Annotated[float, Field(gt=0, le=1)] = 0.5
    drawers: Sequence[str] = ()
    words: list[str] = field(default_factory=lambda: ["a"])


def one(name: str) -> Parameter:
    return next(each for each in parameters(Request) if each.name == name)


def test_a_field_has_its_type_its_default_and_all_that_is_said_of_it() -> None:
    assert [each.name for each in parameters(Request)] == [
        "name", "other", "since", "count", "share", "drawers", "words",
    ]  # fmt: skip
    assert (one("name").type, one("name").default, one("name").required) == (str, MISSING, True)
    assert (one("count").type, one("count").default, one("count").required) == (int, 100, False)
    assert (one("count").said["ge"], one("count").said["le"]) == (1, 1000)
    assert (one("drawers").type, one("drawers").default) == (Sequence[str], ())
    assert one("words").default == ["a"]


def test_what_is_said_last_of_a_field_counts_and_the_rest_stays() -> None:
    assert one("other").type == str | None
    assert one("other").said == {"min_length": 1, "description": "another one"}
    assert one("other").marks == {NAMED}
    assert one("since").type == str | None
    assert (one("since").said, one("since").marks) == ({"description": "from then on; default: always"}, {TIME})


def test_a_description_has_the_limits_and_how_a_time_is_written() -> None:
    assert one("count").description == "largest number, 1 to 1000"
    assert one("share").description == "above 0 and at most 1"
    assert one("since").description == "from then on (2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z); default: always"
    assert one("drawers").description == ""


def test_an_offer_knows_its_method_path_and_part() -> None:
    made: Offer[Any, Any] = Offer("names.page", "GET /v1/names/{name:path}", Request, str, "Show a name.")
    assert (made.method, made.path, made.part, made.has_body, made.writes) == (
        "GET", "/v1/names/{name:path}", "names", False, False,
    )  # fmt: skip


def test_no_two_operations_have_one_name_or_one_route() -> None:
    offers = [offer for group in GROUPS for offer in group.offers]
    assert len({offer.name for offer in offers}) == len({offer.route for offer in offers}) == len(offers)
    tools = [offer.tool.name for offer in offers if offer.tool is not None]
    assert len(set(tools)) == len(tools)
    assert len({group.name for group in CLIENTS.values()}) == len(CLIENTS)


@pytest.mark.parametrize("name", EVERY)
def test_what_a_declaration_names_are_fields_of_its_request(name: str) -> None:
    offer = EVERY[name]
    fields = {each.name for each in parameters(offer.request)}
    in_path = set(re.findall(r"\{(\w+)", offer.path))
    called = {offer.spelled(each) for each in fields}
    assert set(offer.positional) <= fields
    assert {*offer.called, *offer.in_query} <= fields
    assert in_path <= called | {"palace"}
    if offer.tool is not None:
        assert set(offer.tool.defaults) | offer.tool.without <= fields
        assert offer.tool.profiles


@pytest.mark.parametrize("name", EVERY)
def test_a_declaration_says_what_it_does_and_who_may_do_it(name: str) -> None:
    offer = EVERY[name]
    assert re.fullmatch(r"[A-Z].*\.", offer.does, re.DOTALL)
    assert all(re.match(r"[a-z\[`]", when) and not when.endswith(".") for when in offer.raises.values())
    assert offer.route in RULES
    assert offer.method != "GET" or not offer.writes


@pytest.mark.parametrize("name", [name for name, offer in EVERY.items() if offer.example is not None])
def test_the_example_of_an_operation_is_a_request_of_it(name: str) -> None:
    offer = EVERY[name]
    in_path = [each.name for each in parameters(offer.request) if offer.spelled(each.name) in offer.in_path]
    body = fields_of(offer.request, called=offer.called, leave_out=in_path)
    body.model_validate({**(offer.example or {})})
