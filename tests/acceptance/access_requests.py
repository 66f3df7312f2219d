"""Requests to every route of the OpenAPI description, about one palace and one wing of it, that destroy nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

GHOST = "ghost"  # a wing that does not exist, so that it can be deleted as often as one likes
# Values of parameters in paths and queries, and of fields of bodies, where the example of the description does not do.
_VALUES: dict[str, Any] = {
    "agent": "nobody",
    "conversation": "c",
    "document": "d",
    "event": "SessionStart",
    "feedback": "feedback-0",
    "host": "claude-code",
    "job_id": "job-0",
    "key": "gp_000000000000",
    "name": "Nobody",
    "room": "nowhere",
    "run": "search-000000000000",
    "run_id": "search-000000000000",
    "start": "Nobody",
    "wing": GHOST,
}
_NOTHING: Mapping[str, Any] = {}
_BODIES: Mapping[str, dict[str, Any]] = {
    "POST /v1/drawers": {"text": " ", "wing": GHOST},
    "POST /v1/drawers/batch": {"drawers": [{"text": " ", "wing": GHOST}]},
    "POST /v1/feedback": {"run": "search-000000000000"},
    "POST /v1/forget": {"wing": GHOST, "dry_run": True},
    "POST /v1/keys": {"name": "", "grants": ["read:*"]},
    "POST /v1/mcmp/start": {"wing": GHOST},
    "POST /v1/mcmp/jobs/start": {"wing": GHOST},
    "POST /v1/mcmp/agents/add": {"n": 1},
    "POST /v1/mcmp/agents/resize": {"count": 1},
    "POST /v1/mcmp/config": {"num_agents": 10},
    "POST /v1/mcmp/settings": {"num_agents": 10},
    "POST /v1/mcmp/search": {"query": "x"},
    "POST /v1/mcmp/jobs/cancel": {"job_id": "job-0"},
    "POST /v1/messages": {"host": "h", "conversation": "c", "messages": [{"speaker": "user", "text": " "}]},
    "POST /v1/names/build": {},
    "POST /v1/runs/get_publication": {"ids": ["JP1"]},
    "POST /v1/runs/get_snippets": {"ids": ["JP1"]},
    "POST /v1/runs/multilane": {"lanes": [{"lane": "fulltext", "q": "x"}]},
    "POST /v1/runs/mutate_run": {"run_id": "fusion-0", "delta": {"rrf_k": 10}},
    "POST /v1/runs/peek_snippets": {"run_id": "fusion-0"},
    "POST /v1/runs/rrf_blend_frontier": {"runs": [{"run_id_lane": "fulltext-0"}]},
    "POST /v1/wings": {"name": GHOST},
    "POST /v1/decay": {},
    "POST /v1/prune": {"wing": GHOST, "sources": ["file:///none"]},
    "POST /v1/rooms": {"wing": GHOST, "name": " "},
    "POST /v1/explore": {"wing": GHOST},
}


@dataclass(frozen=True)
class Operation:
    """A route, and how to ask it.

    Attributes:
        takes_wing: Whether it can be asked without a wing, and then is about the whole palace.
    """

    label: str
    path: str
    query: dict[str, Any] = field(default_factory=dict)
    body: Any = None
    takes_wing: bool = False

    @property
    def method(self) -> str:
        """The method of HTTP."""
        return self.label.partition(" ")[0]

    def about(self, drawer: str, other: str) -> dict[str, Any]:
        """Return the request about a drawer, as httpx takes it.

        Args:
            other: A drawer that takes the place of the first.
        """
        body = self.body
        if self.label == "POST /v1/feedback":
            body = body | {"useful": [drawer]}
        elif self.label == "POST /v1/drawers/{drawer}/superseded":
            body = body | {"new": other}
        query = self.query | ({"drawer": drawer} if "drawer" in self.query else {})
        return {"method": self.method, "url": self.path.format(drawer=drawer), "params": query, "json": body}

    def without_wing(self) -> dict[str, Any]:
        """Return the request about the whole palace."""
        body = {name: value for name, value in (self.body or {}).items() if name != "wing"}
        query = {name: value for name, value in self.query.items() if name != "wing"}
        return {"method": self.method, "url": self.path, "params": query, "json": body if self.body else None}


def operations(
    openapi: Mapping[str, Any],
    palace: str,
    values: Mapping[str, Any] = _NOTHING,
    bodies: Mapping[str, dict[str, Any]] = _BODIES,
) -> Iterator[Operation]:
    """Yield every operation of a description, to be asked about a palace.

    Args:
        values: Of parameters in paths and queries, and of fields of bodies, instead of those of nothing that exists.
        bodies: By method and path, where the example of the description does not do.
    """
    asked = {"palace", "wing"} | ({"simulation"} & values.keys())  # even if they may be left out
    values = _VALUES | {"simulation": "ghost"} | dict(values) | {"palace": palace}
    for path, methods in openapi["paths"].items():
        for method, described in methods.items():
            label = f"{method.upper()} {path}"
            own = values | ({"name": palace} if path.startswith("/v1/palaces") else {})
            query: dict[str, Any] = {}
            filled = path.replace("{drawer}", "{{drawer}}")
            for parameter in described.get("parameters", ()):
                name = parameter["name"]
                if parameter["in"] == "path" and name != "drawer":
                    filled = filled.replace(f"{{{name}}}", quote(str(own[name]), safe=""))
                elif parameter["in"] == "query" and (parameter.get("required") or name in asked):
                    query[name] = own.get(name)
            body = _body(label, described, openapi, own, bodies)
            optional = [one["name"] for one in described.get("parameters", ()) if not one.get("required")]
            takes = "wing" in optional or _may_leave_out_wing(described, openapi)
            yield Operation(label, filled.replace("{{", "{").replace("}}", "}"), query, body, takes)


def _body(
    label: str,
    described: Mapping[str, Any],
    openapi: Mapping[str, Any],
    own: Mapping[str, Any],
    bodies: Mapping[str, dict[str, Any]],
) -> Any:
    schema = _schema(described, openapi)
    if schema is None:
        return None
    if schema.get("type") == "array":  # a batch of reranks
        return [{"query": "x", "documents": [{"id": "a", "text": "x"}], "palace": own["palace"]}]
    example = bodies.get(label, (schema.get("examples") or [{}])[0])
    chosen = {"palace": own["palace"]} if "palace" in schema["properties"] else {}
    named = {"name": own["palace"]} if label.partition(" ")[2].startswith("/v1/palaces") else {}
    wing = {"wing": own["wing"]} if "wing" in schema["properties"] and label != "POST /v1/feedback" else {}
    return example | chosen | named | wing


def _schema(described: Mapping[str, Any], openapi: Mapping[str, Any]) -> Mapping[str, Any] | None:
    if "requestBody" not in described:
        return None
    schema = described["requestBody"]["content"]["application/json"]["schema"]
    for one in (schema, *schema.get("anyOf", ())):
        if "$ref" in one:
            return openapi["components"]["schemas"][one["$ref"].rpartition("/")[2]]
    return schema


def _may_leave_out_wing(described: Mapping[str, Any], openapi: Mapping[str, Any]) -> bool:
    schema = _schema(described, openapi) or {}
    return "wing" in schema.get("properties", {}) and "wing" not in schema.get("required", ())
