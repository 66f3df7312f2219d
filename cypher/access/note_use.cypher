// note_use: note that an API key was used, unless another service has noted a later use. A key that was deleted stays so.
// params:  id (string), at (datetime)
// returns:
// runs:    implicit transaction, safe to repeat
MATCH (k:ApiKey {id: $id})
WHERE k.last_used_at IS NULL OR k.last_used_at < $at
SET k.last_used_at = $at
