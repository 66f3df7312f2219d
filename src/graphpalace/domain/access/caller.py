"""Who sent the request that is being done, and what they may do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from graphpalace.domain.identity import palace_name, place_name
from graphpalace.errors import InvalidInput

MOST_GRANTS = 100
EVERY_PALACE = "*"
FORMS = "read:notes (a palace), write:notes/anna (a wing of it) or admin:* (every palace)"


class Role(StrEnum):
    """What may be done. Each role includes the ones before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def includes(self, other: Role) -> bool:
        """Return whether this role allows all that another one allows."""
        return _ORDER.index(self) >= _ORDER.index(other)


_ORDER = tuple(Role)


@dataclass(frozen=True, slots=True, order=True)
class Grant:
    """A role in a place.

    Attributes:
        palace: Name of the palace; None: every palace.
        wing: Name of the wing; None: the whole palace.
    """

    role: Role
    palace: str | None = None
    wing: str | None = None

    @classmethod
    def of(cls, text: str, *, field: str = "grants") -> Self:
        """Read a grant. The name of a palace has no `:` and no `/`, so what follows the first `/` is the wing.

        Args:
            text: `ROLE:PALACE`, `ROLE:PALACE/WING`, or `ROLE:*` for every palace.
            field: Name of the value in error messages.
        Raises:
            InvalidInput: If the form, the role or a name is not valid. The palace and the wing need not exist.

        >>> Grant.of("write:notes/to do/today")
        Grant(role=<Role.WRITE: 'write'>, palace='notes', wing='to do/today')
        """
        named, colon, place = text.partition(":")
        if named not in _ORDER:
            raise InvalidInput(
                f"{field} has {text[:300]!r}, which does not begin with a role (read, write or admin) and a colon; "
                f"write {FORMS}",
                field=field,
                value=text[:300],
            )
        palace, slash, wing = place.partition("/")
        if not colon or not palace or (palace == EVERY_PALACE and slash):
            raise InvalidInput(f"{field} has {text[:300]!r}; write {FORMS}", field=field, value=text[:300])
        if slash and wing == EVERY_PALACE:
            raise InvalidInput(
                f"{field} has {text[:300]!r}; for all wings of the palace, write {named}:{palace}",
                field=field,
                value=text[:300],
            )
        try:
            return cls(
                Role(named),
                None if palace == EVERY_PALACE else palace_name(palace),
                place_name("wing", wing) if slash else None,
            )
        except InvalidInput as error:
            raise InvalidInput(f"{field} has {text[:300]!r}: {error.message}", field=field, value=text[:300]) from None

    def __str__(self) -> str:
        place = EVERY_PALACE if self.palace is None else self.palace
        return f"{self.role}:{place}" + ("" if self.wing is None else f"/{self.wing}")

    def covers(self, other: Grant) -> bool:
        """Return whether it allows all that another grant allows."""
        return (
            self.role.includes(other.role)
            and (self.palace is None or self.palace == other.palace)
            and (self.wing is None or self.wing == other.wing)
        )


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
