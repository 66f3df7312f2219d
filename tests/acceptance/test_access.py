"""Every operation is tried across every border: who has no key, a wrong one, one for another place, or another role."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from tests.acceptance.access_requests import GHOST, Operation, operations
from tests.acceptance.served import changed, failure, served
from tests.access_table import OPEN, ROUTES, Needed

from graphpalace.settings.load import Settings

ROLES = ("read", "write", "admin")
WHERES = ("all", "palace", "wing", "other palace", "other wing")


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    """Settings with a key, whose palace is used by these tests alone."""
    name = f"own{uuid.uuid4().hex[:8]}"
    return changed(
        settings,
        palace={"name": name},
        decay={"enabled": False},
        service={"api_key": SecretStr("sesame")},
        rerank={"rate_limit_per_minute": 100_000},
        mcp={"profile": "all"},
    )


@pytest.fixture(scope="module")
def filled(own: Settings) -> str:
    """The name of the palace."""
    return own.palace.name


@dataclass(frozen=True)
class World:
    """A service with keys of each role for each place, and drawers in the wing and in another wing."""

    http: httpx.Client
    palace: str
    keys: Mapping[tuple[str, str], str]
    drawers: list[str]
    others: list[str]
    operations: Mapping[str, Operation]

    def ask(self, key: str | None, **request: Any) -> httpx.Response:
        """Send a request with a key, or with none."""
        headers = {"Authorization": f"Bearer {key}"} if key else {"Authorization": ""}
        return self.http.request(**request, headers=headers)

    def about(self, operation: Operation, drawer: str | None = None) -> dict[str, Any]:
        """Return a request about a drawer of the wing, which it may delete."""
        deletes = operation.label == "DELETE /v1/drawers/{drawer}"
        chosen = drawer or (self.drawers.pop() if deletes else self.drawers[0])
        return operation.about(chosen, chosen)


def key_of(http: httpx.Client, *grants: str, **more: Any) -> str:
    """Make a key and return it."""
    made = http.post("/v1/keys", json={"name": "somebody", "grants": grants} | more)
    assert made.status_code == 201, made.text
    return made.json()["key"]


@pytest.fixture(scope="module")
def world(http: httpx.Client, filled: str) -> World:
    """The service, its keys and its drawers."""
    anna, bob = (
        http.post("/v1/drawers/batch", json={"drawers": texts}).raise_for_status().json()["ids"]
        for texts in ([{"text": f"{word} {n}", "wing": wing} for n in range(20)] for word, wing in WORDS.items())
    )
    places = {
        "all": ["*"],
        "palace": [filled],
        "wing": [f"{filled}/anna", f"{filled}/{GHOST}"],
        "other palace": ["elsewhere"],
        "other wing": [f"{filled}/nobody"],
    }
    keys = {
        (role, where): key_of(http, *(f"{role}:{place}" for place in given))
        for role in ROLES
        for where, given in places.items()
    }
    described = http.get("/openapi.json").json()
    return World(http, filled, keys, anna, bob, {one.label: one for one in operations(described, filled)})


@pytest.fixture(scope="module")
def invalid(http: httpx.Client) -> list[str | None]:
    """No key, one that nobody made, one that was revoked, and one with a wrong secret."""
    made = http.post("/v1/keys", json={"name": "gone", "grants": ["admin:*"]}).json()
    other = http.post("/v1/keys", json={"name": "there", "grants": ["admin:*"]}).json()
    http.delete(f"/v1/keys/{made['id']}").raise_for_status()
    return [None, "guessed", made["key"], other["id"] + made["key"].removeprefix(made["id"])]


def crucial(needed: Needed) -> list[tuple[str, str]]:
    """Return the keys at the borders: where the place is enough, the role and the one below; elsewhere, every role."""
    enough = [where for where in WHERES if needed.given_by(needed.role, where)]
    below = ROLES[: ROLES.index(needed.role)][-1:]
    return [(role, where) for where in enough for role in (needed.role, *below)] + [
        ("admin", where) for where in WHERES if where not in enough
    ]


WORDS = {"radishes": "anna", "secret": "bob"}


def test_every_route_is_in_the_table_and_no_other(world: World) -> None:
    assert world.operations.keys() == ROUTES.keys() | OPEN


@pytest.mark.parametrize("label", sorted(ROUTES))
def test_a_key_opens_what_its_role_and_its_place_allow_and_nothing_else(world: World, label: str) -> None:
    operation, needed = world.operations[label], ROUTES[label]
    for role, where in crucial(needed):
        answer = world.ask(world.keys[role, where], **world.about(operation))
        if needed.given_by(role, where):
            assert answer.status_code not in (401, 403), (role, where, answer.text)
            assert answer.status_code < 500 or answer.status_code == 502, (role, where, answer.text)
        else:
            detail = failure(answer, 403, "FORBIDDEN")["detail"]
            assert world.keys[role, where].startswith(f"{detail['key']}_")
            assert detail["needs"].startswith(needed.role), (role, where, detail)


@pytest.mark.parametrize("label", sorted(ROUTES))
def test_without_a_valid_key_nothing_is_open(world: World, invalid: list[str | None], label: str) -> None:
    for key in invalid:
        about = world.operations[label].about(world.drawers[0], world.drawers[0])
        failure(world.ask(key, **about), 401, "UNAUTHORIZED")


@pytest.mark.parametrize("label", sorted(label for label, needed in ROUTES.items() if needed.reach == "wing"))
def test_a_key_for_a_wing_opens_nothing_else_of_the_palace(world: World, label: str) -> None:
    operation, key = world.operations[label], world.keys["admin", "wing"]
    if "{drawer}" in operation.path or label == "POST /v1/feedback":
        there = world.ask(key, **operation.about(world.others[0], world.drawers[0]))
        nowhere = world.ask(key, **operation.about("drawer-00000000000000000000000000", world.drawers[0]))
        assert failure(there, 403, "FORBIDDEN") == failure(nowhere, 403, "FORBIDDEN")
    if operation.takes_wing:
        failure(world.ask(key, **operation.without_wing()), 403, "FORBIDDEN")
