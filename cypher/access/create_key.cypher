// create_key: store a new API key. Of its secret, only a hash is stored.
// params:  id (string), name (string), hash (string), grants (list of string), created_at (datetime), expires_at (datetime or null)
// returns: id (string)
// runs:    implicit transaction; the unique id is random, so that a retry after a lost answer fails instead of making two
CREATE (k:ApiKey {id: $id})
SET k.name = $name, k.hash = $hash, k.grants = $grants, k.created_at = $created_at, k.expires_at = $expires_at
RETURN k.id AS id
