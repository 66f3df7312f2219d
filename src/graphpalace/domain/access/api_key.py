"""Keys that the owner of a service makes for others."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Annotated, Any, Self

from graphpalace.domain.access.caller import FORMS, MOST_GRANTS, Grant
from graphpalace.domain.field import Field
from graphpalace.domain.identity import place_name
from graphpalace.errors import InvalidInput

_PREFIX, _ID_BYTES, _SECRET_BYTES = "gp", 6, 32
_KEY = re.compile(rf"{_PREFIX}_([0-9a-f]{{{2 * _ID_BYTES}}})_([\w-]{{43}})", re.ASCII)
_MOST_AHEAD = timedelta(days=36_525)

_GRANT = r"^(read|write|admin):(\*|[a-z][a-z0-9_]{0,62}(/.+)?)$"
Grants = Annotated[
    Sequence[Annotated[str, Field(json_schema_extra={"pattern": _GRANT})]],
    Field(min_length=1, max_length=MOST_GRANTS, description=f"roles with their places: {FORMS}"),
]


@dataclass(frozen=True, slots=True)
class NewApiKey:
    """A key to be made."""

    name: Annotated[str, Field(description="for whom it is, one line", examples=["Anna's laptop"])]
    grants: Annotated[Grants, Field(examples=[["read:notes", "write:notes/anna"]])]
    expires_at: Annotated[
        datetime | None,
        Field(description="when it stops working, in the future; default: valid until it is revoked"),
    ] = None

    def check(self, now: datetime) -> tuple[Grant, ...]:
        """Check the values, and return the grants, each once.

        Raises:
            InvalidInput: If the name or a grant is not valid, there is no grant, or the end is not in the future.
        """
        place_name("name", self.name)
        if not 0 < len(self.grants) <= MOST_GRANTS:
            raise InvalidInput(
                f"grants has {len(self.grants)} entries; give 1 to {MOST_GRANTS}, such as {FORMS}",
                field="grants",
                value=list(self.grants[:5]),
            )
        if self.expires_at is not None and not now < _utc(self.expires_at) <= now + _MOST_AHEAD:
            raise InvalidInput(
                f"expires_at is {self.expires_at.isoformat()}; it must be in the future, at most 100 years from now "
                f"({now.isoformat(timespec='seconds')})",
                field="expires_at",
                value=self.expires_at.isoformat(),
            )
        return tuple(dict.fromkeys(Grant.of(grant) for grant in self.grants))


@dataclass(frozen=True, slots=True)
class KeyQuery:
    """All keys of a database that were made for others."""


@dataclass(frozen=True, slots=True)
class KeyToRevoke:
    """A key that is to stop working."""

    key: Annotated[str, Field(description="its id")]


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as it is listed, without its secret. Moments are texts as ISO 8601 writes them."""

    id: Annotated[str, Field(examples=["gp_0123456789ab"])]
    name: str
    grants: Annotated[Sequence[str], Field(examples=[["read:notes"]])]
    created_at: str
    expires_at: Annotated[str | None, Field(description="null: valid until it is revoked")]
    last_used_at: Annotated[str | None, Field(description="at most a minute behind; null: it was never used")]


@dataclass(frozen=True, slots=True)
class CreatedApiKey(ApiKey):
    """A new key. Its secret is shown this once."""

    key: Annotated[str, Field(description="what its owner sends; it is stored nowhere, and not shown again")]

    @classmethod
    def of(cls, made: ApiKey, key: str) -> Self:
        """Return a new key with what its owner sends."""
        return cls(made.id, made.name, made.grants, made.created_at, made.expires_at, made.last_used_at, key)


@dataclass(frozen=True, slots=True)
class StoredApiKey:
    """A key as the database has it.

    Attributes:
        hash: Of the secret. The secret is as long and as random as the hash, so that no slow hash is needed: nobody
            can try all secrets.
        expires_ms: In milliseconds since 1970; None: it does not expire.
    """

    listed: ApiKey
    hash: str
    grants: tuple[Grant, ...]
    expires_ms: int | None

    def fits(self, secret: str) -> bool:
        """Return whether a secret is that of the key. The time that this takes tells nothing."""
        return secrets.compare_digest(self.hash, hash_of(secret))

    def expired(self, now: datetime) -> bool:
        """Return whether the key has expired."""
        return self.expires_ms is not None and now.timestamp() * 1000 >= self.expires_ms


def new_key() -> tuple[str, str, str]:
    """Return the id of a new key, its secret, and what its owner sends."""
    own, secret = f"{_PREFIX}_{secrets.token_hex(_ID_BYTES)}", secrets.token_urlsafe(_SECRET_BYTES)
    return own, secret, f"{own}_{secret}"


def parts_of(key: str) -> tuple[str, str] | None:
    """Return the id and the secret of a key that somebody sent; None if it does not have the form of one."""
    found = _KEY.fullmatch(key)
    return (f"{_PREFIX}_{found[1]}", found[2]) if found else None


def hash_of(secret: str) -> str:
    """Return the hash of a secret, in hexadecimal digits."""
    return sha256(secret.encode()).hexdigest()


def key_id(text: str) -> str:
    """Return the id that somebody gave, which may stand at the front of a whole key.

    Raises:
        InvalidInput: If it is neither.
    """
    whole = parts_of(text)
    if whole is not None:
        return whole[0]
    if not re.fullmatch(rf"{_PREFIX}_[0-9a-f]{{{2 * _ID_BYTES}}}", text):
        raise InvalidInput(
            f"key is {text[:20]!r}; give the id that `graphpalace key list` shows, such as {_PREFIX}_0123456789ab",
            field="key",
            value=text[:20],
        )
    return text


def _utc(moment: datetime) -> datetime:
    """Return a time in UTC. A time without a zone is local time.

    Raises:
        InvalidInput: If it is outside the years that UTC has.
    """
    try:
        return moment.astimezone(UTC)
    except (OverflowError, ValueError):
        raise InvalidInput(
            f"expires_at is {moment}; it must be in the years 1 to 9999 of UTC", field="expires_at"
        ) from None


def stored(new: NewApiKey, own: str, secret: str, grants: tuple[Grant, ...], *, now: datetime) -> dict[str, Any]:
    """Return the properties of a new key as the database stores them."""
    return {
        "id": own,
        "name": new.name,
        "hash": hash_of(secret),
        "grants": [str(grant) for grant in grants],
        "created_at": now,
        "expires_at": None if new.expires_at is None else _utc(new.expires_at),
    }
