"""Who sent the request that is being done, and what they may do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from graphpalace.domain.access.grant import Grant, Role


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sent a request.

    Attributes:
        key: Id of the key that was made for them; None: the owner of the service, who may do everything.
        grants: What the key allows.
    """

    key: str | None = None
    grants: tuple[Grant, ...] = (Grant(Role.ADMIN),)

    def may(self, needed: Grant) -> bool:
        """Return whether they may do what needs a grant."""
        return any(grant.covers(needed) for grant in self.grants)

    def may_in(self, role: Role, palace: str, wing: str | None = None) -> bool:
        """Return whether they have a role in a palace, or at least in a wing of it."""
        return self.may(Grant(role, palace, wing))

    def reaches(self, palace: str, role: Role = Role.READ) -> bool:
        """Return whether they have a role in a palace or in some wing of it."""
        return any(grant.role.includes(role) and grant.palace in (None, palace) for grant in self.grants)

    @property
    def only_reads(self) -> bool:
        """Whether they may change nothing, anywhere."""
        return all(grant.role is Role.READ for grant in self.grants)


OWNER = Caller()
_CURRENT: ContextVar[Caller] = ContextVar("caller", default=OWNER)


def current_caller() -> Caller:
    """Return who sent the request that is being done; outside of a service, the owner."""
    return _CURRENT.get()


@contextmanager
def calling(caller: Caller) -> Iterator[None]:
    """Let what this task does be done for a caller."""
    token = _CURRENT.set(caller)
    try:
        yield
    finally:
        _CURRENT.reset(token)
