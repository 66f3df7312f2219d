# Written by `make client` from ../asynchronous/listed_palaces.py; change that file.
"""The palaces of a database, to list and to create, and what is known of it and of the service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from graphpalace.domain.palaces.palaces import DatabaseStatus, Palace
    from graphpalace.domain.palaces.settings_in_force import SettingsInForce


class ListedPalaces:
    """The palaces of a database, to list and to create, and what is known of it and of the service."""

    def __init__(self, link: Link) -> None:
        """Use the link of a palace."""
        self._link = link

    def list(self) -> list[Palace]:
        """List the palaces of the database with the number of their wings, rooms, closets and drawers."""
        from graphpalace.offers.palaces import LIST_PALACES

        return self._link.call(LIST_PALACES)

    def create(self, name: str) -> bool:
        """Create a palace for the configured embedding model, and tell whether it is new or existed already.

        Args:
            name: 1 to 63 of a-z, 0-9 and _, beginning with a letter.
        Raises:
            InvalidInput: If the name is not valid.
        """
        from graphpalace.offers.palaces import CREATE_PALACE

        return (self._link.call(CREATE_PALACE, name=name)).created

    def status(self) -> DatabaseStatus:
        """Show whether Neo4j answers, its version, its schema and the palaces.

        Raises:
            DatabaseUnavailable: If the service does not reach the database.
        """
        from graphpalace.offers.palaces import STATUS

        return self._link.call(STATUS)

    def settings(self) -> SettingsInForce:
        """Show the settings with which the service works, without its secrets, and where each value came from."""
        from graphpalace.offers.palaces import SETTINGS

        return self._link.call(SETTINGS)
