# Written by `make client` from ../asynchronous/access.py; change that file.
"""The keys of a database that were made for others."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from graphpalace.domain.access.api_key import ApiKey, CreatedApiKey


class Keys:
    """The keys of a database that were made for others.

    A palace that is reached with such a key may use these methods if the key is admin:*.
    """

    def __init__(self, link: Link) -> None:
        """Use the link of a palace."""
        self._link = link

    def list(self) -> list[ApiKey]:
        """List the keys that were made for others: for whom, what they allow, and when each was used last.

        The oldest come first.
        """
        from graphpalace.offers.access import LIST_KEYS

        return self._link.call(LIST_KEYS)

    def create(self, name: str, grants: Sequence[str], *, expires_at: datetime | None = None) -> CreatedApiKey:
        """Create a key for somebody.

        Only this answer contains the secret of the key.

        A role is read, write or admin, and each includes the ones before it. The palace and the wing need not exist. A
        time without a zone is local time of the service.

        Args:
            name: For whom it is, one line.
            grants: Roles with their places: read:notes (a palace), write:notes/anna (a wing of it) or admin:* (every
                palace).
            expires_at: When it stops working, in the future; default: valid until it is revoked.
        Raises:
            InvalidInput: If the name or a grant is not valid, or the end is not in the future.
        """
        from graphpalace.offers.access import CREATE_KEY

        return self._link.call(CREATE_KEY, name=name, grants=grants, expires_at=expires_at)

    def revoke(self, key: str) -> None:
        """Revoke a key.

        It stops working at once, and within two seconds in other services of the database.

        Args:
            key: Its id.
        Raises:
            InvalidInput: If this is not the id of a key.
            NotFound: If there is no such key.
        """
        from graphpalace.offers.access import REVOKE_KEY

        self._link.call(REVOKE_KEY, key=key)
