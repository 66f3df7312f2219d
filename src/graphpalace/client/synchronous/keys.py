# Written by `make client` from ../asynchronous/keys.py; change that file.
"""Keys for others, each with roles in palaces or wings."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from graphpalace.client import wire
from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from graphpalace.domain.access.api_key import ApiKey, CreatedApiKey


class Keys:
    """The keys of a database that were made for others. A palace of such a key may use these methods if it is admin:*.

    Example:
        >>> made = palace.keys.create("Anna", ["read:notes", "write:notes/anna"])
        >>> made.key
        'gp_0123456789ab_...'
    """

    def __init__(self, link: Link) -> None:
        """Use the transport of a palace, but not its name."""
        self._link = Link(link.transport, None, timeout_s=link.timeout_s)

    def list(self) -> builtins.list[ApiKey]:
        """Return all keys without their secrets, the oldest first: for whom, what they allow, and their last use."""
        from graphpalace.domain.access.api_key import ApiKey

        return self._link.get(list[ApiKey], "/v1/keys")

    def create(self, name: str, grants: Sequence[str], *, expires_at: datetime | None = None) -> CreatedApiKey:
        """Make a key and return it; its secret is stored nowhere, and not shown again.

        Args:
            name: For whom it is, one line.
            grants: 1 to 100 of `ROLE:PALACE`, `ROLE:PALACE/WING` or `ROLE:*`, which is every palace. A role is read,
                write or admin; each includes the ones before it. The palace and the wing need not exist.
            expires_at: When it stops to work, in the future; a time without a zone is local time.
        Raises:
            InvalidInput: If the name or a grant is not valid, or the end is not in the future.
        """
        from graphpalace.domain.access.api_key import CreatedApiKey

        return self._link.post(CreatedApiKey, "/v1/keys", name=name, grants=grants, expires_at=expires_at)

    def revoke(self, key: str) -> None:
        """Revoke a key. It stops to work at once, and within two seconds at other services of the database.

        Args:
            key: Its id.
        Raises:
            InvalidInput: If this is no id of a key.
            NotFound: If there is no such key.
        """
        self._link.remove(type(None), f"/v1/keys/{wire.segment('key', key)}")
