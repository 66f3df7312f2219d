"""The routes for keys. Only who may do everything may use them."""

from __future__ import annotations

from graphpalace.domain.access.api_key import ApiKey, CreatedApiKey, NewApiKey
from graphpalace.serve.http.request_body import RequestBody, fields_of, value_of
from graphpalace.serve.http.router import Operations, new_router

router = new_router(keyed=False)  # an answer that has a secret must not be kept


class KeyRequest(fields_of(NewApiKey)):
    """A key to be made."""

    model_config = RequestBody.model_config | {
        "json_schema_extra": {"examples": [{"name": "Anna", "grants": ["read:notes", "write:notes/anna"]}]}
    }


@router.get("/keys", tags=["keys"])
async def list_keys(app: Operations) -> list[ApiKey]:
    """List the keys that were made for others: for whom, what they allow, and when each was used last."""
    return await app.api_keys.listed()


@router.post("/keys", status_code=201, tags=["keys"])
async def create_key(body: KeyRequest, app: Operations) -> CreatedApiKey:
    """Make a key for somebody. The answer is the only one that has its secret."""
    return await app.api_keys.create(value_of(body, NewApiKey))


@router.delete("/keys/{key}", status_code=204, tags=["keys"])
async def revoke_key(key: str, app: Operations) -> None:
    """Revoke a key, by its id. It stops to work at once, and within two seconds at other services of the database."""
    await app.api_keys.revoke(key)
