"""The client is written once, is quick to import, and has an argument for everything that a route takes."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from functools import cache
from typing import Any

import pytest
from scripts import make_http_page
from scripts.make_client import written
from scripts.make_client_page import PAGE, page
from tests.client_calls import Call, methods

from graphpalace import Palace
from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.serve.http.app import create_app
from graphpalace.settings.load import Settings

_HEAVY = {"torch", "numpy", "scipy", "neo4j", "fastapi", "httpx", "sentence_transformers", "pydantic_settings"}


def test_the_synchronous_palace_is_written_from_the_asynchronous_one() -> None:
    for path, text in written().items():
        assert path.read_text("utf-8") == text, f"run `make client`: {path.name} is not what ../asynchronous says"


def test_the_page_of_the_client_is_written_from_its_methods() -> None:
    assert PAGE.read_text("utf-8") == page(), "run `make client`: docs/reference/python.md is not what the methods say"


def test_the_page_of_http_says_what_is_declared_of_its_routes() -> None:
    assert make_http_page.PAGE.read_text("utf-8") == make_http_page.page(), "run `make client`: http.md is not of today"


def test_importing_the_client_imports_nothing_heavy() -> None:
    code = "import sys, graphpalace.client; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not _HEAVY & set(done.stdout.split())


@pytest.mark.parametrize("name", [name for name in dir(AsyncPalace) if not name.startswith("_")])
def test_both_palaces_have_the_same_methods_with_the_same_arguments(name: str) -> None:
    assert _arguments(getattr(AsyncPalace, name)) == _arguments(getattr(Palace, name))


def _arguments(method: Any) -> dict[str, Any]:
    return {one.name: (one.kind, one.default) for one in inspect.signature(method).parameters.values()}


# Fields of a route that a method does not send, each with the reason.
_LEFT_OUT: dict[str, dict[str, str]] = {
    "Drawers.get": {"run": "opening what a search showed is `open_drawer`"},
}
# Fields whose parameter has another name.
_RENAMED = {
    ("Drawers.list", "limit"): "page",  # how many are fetched at a time, not how many there will be
    ("Conversations.list", "limit"): "page",
    ("Palaces.drop", "confirm"): "name",  # who names a palace in a program means it
    ("Walking.navigate", "from"): "start",  # `from` is a word of Python
    ("Walking.navigate", "to"): "goal",
    ("Names.of_drawers", "drawer"): "drawers",
    ("QueuedJobs.status", "job_id"): "job",
    ("QueuedJobs.cancel", "job_id"): "job",
    ("Simulations.corpus", "simulation"): "name",
    **{
        (f"KeptSimulations.{method}", "simulation"): "name"
        for method in (
            "add_agents",
            "document",
            "pause",
            "report",
            "reset",
            "resize_agents",
            "results",
            "resume",
            "search",
            "settings",
            "status",
            "stop",
        )
    },
}
# Methods that make no call of their own, each with the reason.
_WITHOUT_A_CALL = {
    "Palace.open": "makes the transport",
    "Palace.connect": "makes the transport",
    "Palace.call": "takes a declaration",
    "Palace.keyed": "gives the following calls a key",
    "Palace.close": "closes the transport",
    "Learning.useful": "calls `feedback`",
    "Palace.simulate": "calls `simulations.run`",
    "Simulations.run": "calls `start`, `status`, `stop` and `results`",
    "Jobs.wait": "calls `status`",
    "MovingIn.move_in": "calls `add_many`, `add_fact` and `conversations.file_messages`",
}
# Routes that no method calls, each with the reason.
_WITHOUT_A_METHOD = {
    "POST /v1/mcmp/settings": "changes the same as POST /v1/mcmp/config",
    "POST /v1/ingest/plan": "`ingest` calls it where the service cannot read the files",
    "POST /v1/ingest/documents": "`ingest` calls it where the service cannot read the files",
    "POST /v1/ingest/content": "the page sends what is dropped on it; `ingest` reads files in its own process",
}
# Methods whose calls cannot be read from their text, each with the reason.
_NOT_COMPARED: dict[str, str] = {
    "Simulations.start": "sends any settings",
    "Simulations.configure": "sends any settings",
    "Jobs.start": "sends any settings",
    "Reranking.rerank_many": "sends a list",
    "Transfers.import_": "sends what the folder has",
    "Conversations.file": "sends what the file has if the service cannot read it",
}
_METHODS = {method.name: method for method in methods()}
_CALLS = [(name, call) for name, method in _METHODS.items() if name not in _NOT_COMPARED for call in method.calls]


def test_every_method_calls_a_route_or_has_a_reason_not_to() -> None:
    assert {*_LEFT_OUT, *_NOT_COMPARED, *(name for name, _ in _RENAMED)} <= _METHODS.keys()
    assert {name for name, method in _METHODS.items() if not method.calls} == _WITHOUT_A_CALL.keys()


def test_every_route_has_a_method_or_a_reason_not_to() -> None:
    called = {call.route for method in _METHODS.values() for call in method.calls}
    assert {route for route in _routes() if " /v1/" in route} - called == _WITHOUT_A_METHOD.keys()


@pytest.mark.parametrize("name", _METHODS)
def test_no_method_has_an_argument_that_it_ignores(name: str) -> None:
    assert not _METHODS[name].unused


@pytest.mark.parametrize(("name", "call"), _CALLS, ids=[f"{name} {call.route}" for name, call in _CALLS])
def test_a_method_has_an_argument_for_every_field_of_its_route_with_the_same_default(name: str, call: Call) -> None:
    assert call.route in _routes(), f"{name}: write the path as one text, or say in _NOT_COMPARED why that cannot be"
    fields = _fields(call.route)
    left_out = _LEFT_OUT.get(name, {}).keys()
    assert left_out <= fields.keys()
    assert call.fields.keys() == fields.keys() - left_out
    parameters = inspect.signature(_METHODS[name].function).parameters
    for field, argument in call.fields.items():
        if argument is None or argument not in parameters:
            continue  # it is made from arguments
        if (name, field) in _RENAMED:
            assert argument == _RENAMED[name, field]
            continue
        assert argument == field
        default = parameters[argument].default
        if default is not inspect.Parameter.empty and default is not None:
            assert fields[field].get("default") == (list(default) if isinstance(default, tuple) else default), field


@cache
def _routes() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Return for each route its description, and the models that all descriptions refer to."""
    described = create_app(Settings()).openapi()
    return {
        f"{verb.upper()} {re.sub(r'{[^}]*}', '{}', path)}": (route, described["components"]["schemas"])
        for path, routes in described["paths"].items()
        for verb, route in routes.items()
    }


def _fields(route: str) -> dict[str, dict[str, Any]]:
    """Return the fields that a route takes in its query or its body, but for the palace, which the link sends."""
    described, models = _routes()[route]
    fields = {one["name"]: one["schema"] for one in described.get("parameters", ()) if one["in"] == "query"}
    if body := described.get("requestBody"):
        schema = body["content"]["application/json"]["schema"]
        for model in [schema, *schema.get("anyOf", ())]:
            if "$ref" in model:
                fields |= models[model["$ref"].rpartition("/")[2]]["properties"]
    fields.pop("palace", None)
    return fields
