"""What a caller asks a route to do, after the values were checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphpalace.app import GraphPalace
from graphpalace.domain.access.caller import Caller, Grant, Role
from graphpalace.domain.identity import palace_name
from graphpalace.errors import Forbidden, NotFound


@dataclass(frozen=True, slots=True)
class Asked:
    """A call of a route.

    Attributes:
        values: The arguments of the route's function, which are what it will work with.
    """

    app: GraphPalace
    caller: Caller
    values: Mapping[str, Any]

    def field(self, name: str) -> Any:
        """Return an argument of the route, or else a field of its body; None if there is neither."""
        return self.values[name] if name in self.values else getattr(self.values.get("body"), name, None)

    @property
    def palace(self) -> str:
        """The checked name of the palace that it is about."""
        return self.named(self.field("palace"))

    def named(self, palace: str | None) -> str:
        """Return the checked name of a palace, or the configured one if none is given."""
        return palace_name(palace if palace is not None else self.app.settings.palace.name)

    async def drawers(self, role: Role, drawers: Sequence[str]) -> Iterable[Grant]:
        """Return what is needed for a role with drawers, by id.

        A drawer that the caller does not reach and one that does not exist need the same, so that nobody learns which.
        """
        whole = Grant(role, self.palace)
        if self.caller.may(whole) or not drawers or not self.caller.reaches(self.palace, role):
            return [whole]
        wings = await self.app.access.wings.of_drawers(self.palace, drawers)
        found = (Grant(role, self.palace, wings[one]) if one in wings else whole for one in drawers)
        return {grant if self.caller.may(grant) else whole for grant in found}

    async def shown(self, role: Role, run: str) -> Iterable[Grant]:
        """Return what is needed for a role with all that a run showed; nothing, if there is no such run."""
        if self.caller.may_in(role, self.palace):
            return ()
        try:
            return await self.drawers(role, await self.app.learning.feedback.shown(self.palace, run))
        except NotFound:
            return ()

    def require(self, needed: Iterable[Grant]) -> None:
        """Check that the caller may do what needs some grants.

        Raises:
            Forbidden: If a grant is missing.
        """
        for grant in needed:
            if not self.caller.may(grant):
                raise refusal(self.caller, grant)


def refusal(caller: Caller, needed: Grant) -> Forbidden:
    """Return the error for a caller who lacks a grant; it says which, and what to do."""
    has = [str(grant) for grant in caller.grants]
    hint = "Use another key, or ask for one"
    wings = sorted({grant.wing for grant in caller.grants if grant.palace == needed.palace and grant.wing is not None})
    if needed.wing is None and wings:
        hint = (
            f"Within its wings, name the wing or its drawers (wing={wings[0]}); for all else, use a key for the palace"
        )
    return Forbidden(
        f"the API key {caller.key} does not allow this: it needs {needed}, and the key has {', '.join(has)}. {hint}",
        key=caller.key,
        needs=str(needed),
        has=has,
    )
