// delete_key: delete an API key.
// params:  id (string)
// returns: deleted (int)
// runs:    implicit transaction, safe to repeat
MATCH (k:ApiKey {id: $id})
DELETE k
RETURN count(*) AS deleted
