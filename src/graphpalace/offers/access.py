"""Keys for others, each with roles in palaces or wings."""

from __future__ import annotations

from graphpalace.domain.access.api_key import ApiKey, CreatedApiKey, KeyQuery, KeyToRevoke, NewApiKey
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.offers.offer import Group, Offer

LIST_KEYS = Offer(
    "keys.list",
    "GET /v1/keys",
    KeyQuery,
    list[ApiKey],
    "List the keys that were made for others: for whom, what they allow, and when each was used last.",
    of_palace=False,
    more="The oldest come first.",
)
CREATE_KEY = Offer(
    "keys.create",
    "POST /v1/keys",
    NewApiKey,
    CreatedApiKey,
    "Create a key for somebody. Only this answer contains the secret of the key.",
    of_palace=False,
    more="A role is read, write or admin, and each includes the ones before it. The palace and the wing need not exist."
    " A time without a zone is local time of the service.",
    raises={InvalidInput: "the name or a grant is not valid, or the end is not in the future"},
    example={"name": "Anna", "grants": ["read:notes", "write:notes/anna"]},
    positional=("name", "grants"),
    status=201,
)
REVOKE_KEY = Offer(
    "keys.revoke",
    "DELETE /v1/keys/{key}",
    KeyToRevoke,
    type(None),
    "Revoke a key. It stops working at once, and within two seconds in other services of the database.",
    of_palace=False,
    raises={
        InvalidInput: "this is not the id of a key",
        NotFound: "there is no such key",
    },
    positional=("key",),
    status=204,
)
KEYS = Group(
    "Keys",
    "The keys of a database that were made for others.",
    (LIST_KEYS, CREATE_KEY, REVOKE_KEY),
    more="A palace that is reached with such a key may use these methods if the key is admin:*.",
)
