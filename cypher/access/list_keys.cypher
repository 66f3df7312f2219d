// list_keys: list all API keys, the oldest first.
// params:
// returns: id (string), name (string), hash (string), grants (list of string), created_at (string), expires_at (string or null), expires_ms (int or null: since 1970), last_used_at (string or null)
// runs:    implicit transaction, reads
MATCH (k:ApiKey)
WITH k ORDER BY k.created_at, k.id
RETURN
  k.id AS id, k.name AS name, k.hash AS hash, k.grants AS grants, toString(k.created_at) AS created_at,
  toString(k.expires_at) AS expires_at, k.expires_at.epochMillis AS expires_ms, toString(k.last_used_at) AS last_used_at
