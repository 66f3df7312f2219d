"""Write the part of the Helm chart's values.schema.json that is about `settings`, from the settings themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from graphpalace.settings.load import Settings

PATH = Path(__file__).resolve().parents[1] / "docker" / "helm" / "graphpalace" / "values.schema.json"
# What the chart or the image sets itself, and what is for a managed Neo4j or for commands that start a service.
_NOT_FOR_VALUES = {
    "neo4j": {"uri", "user", "database", "data_dir", "cache_dir", "version", "bolt_port", "http_port", "heap_mb"},
    "service": {"host", "port", "log_format", "open_on_loopback", "autostart", "idle_stop_minutes"},
    "backup": {"folder", "schedule"},  # a CronJob makes them, because there may be several services
}
_FOR_READERS = {"title", "description", "default", "shown_default", "shown_value"}


def settings_schema() -> dict[str, Any]:
    """Return what `settings` may have. Passwords and keys are not among it, because they belong into Secrets."""
    whole = Settings.model_json_schema()
    schema = _plain(whole, whole["$defs"])
    for section, content in schema["properties"].items():
        gone, keys = _NOT_FOR_VALUES.get(section, set()), content["properties"]
        content["properties"] = {key: what for key, what in keys.items() if key not in gone and "writeOnly" not in what}
    return schema


def _plain(schema: Any, definitions: dict[str, Any]) -> Any:
    """Return a schema with the definitions in place of references, without what only readers need."""
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _plain(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    found = {key: _plain(what, definitions) for key, what in schema.items() if key not in _FOR_READERS | {"$defs"}}
    if "properties" in schema:
        found["properties"] = {name: _plain(what, definitions) for name, what in schema["properties"].items()}
    return found


def main() -> None:
    """Write the file."""
    schema = json.loads(PATH.read_text("utf-8"))
    schema["properties"]["settings"] = settings_schema()
    PATH.write_text(json.dumps(schema, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
