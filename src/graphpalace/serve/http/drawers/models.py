"""Requests and responses of the routes for drawers."""

from __future__ import annotations

from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.serve.http.request_body import PalaceField, fields_of, with_example


class DrawerRequest(fields_of(NewDrawer)):
    """A text to store verbatim."""

    model_config = with_example({"text": "The door code is 4711.", "wing": "home", "room": "keys"})

    palace: PalaceField = None
