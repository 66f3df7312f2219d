"""Names of what a client of MCP can choose. It imports nothing, so that a command can check them at once."""

from __future__ import annotations

# The largest list of each profile's tools, with their schemas, in KiB of JSON: a host puts it before its model with
# every request.
LIST_KIB = {"core": 6, "runs": 25, "simulation": 4, "knowledge": 22, "stigmergy": 11, "admin": 12}
PROFILES = (*LIST_KIB, "all")
ANSWERS = ("structured", "text")


def profiles_in(text: str) -> frozenset[str]:
    """Return the names in a text such as `core,runs`."""
    return frozenset(name.strip() for name in text.split(","))


def wrong_choice(name: str, value: str) -> str | None:
    """Return what is wrong with the value of a choice, and what would be right; None: nothing is.

    Args:
        name: profile, answers or read_only.
    """
    if name == "profile" and (unknown := sorted(profiles_in(value) - {*PROFILES})):
        return f"profile {unknown[0]!r} is unknown; there are {', '.join(PROFILES)}, or several joined by commas"
    if name == "answers" and value not in ANSWERS:
        return f"answers is {value!r}; it must be {' or '.join(ANSWERS)}"
    if name == "read_only" and value.lower() not in ("true", "false"):
        return f"read_only is {value!r}; it must be true or false"
    return None
