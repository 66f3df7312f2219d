// keep_result: record what a write did, in its transaction.
// params:  id (string), result (string: JSON)
// returns:
// runs:    explicit transaction, after begin_write
MATCH (k:WriteKey {id: $id})
SET k.result = $result
