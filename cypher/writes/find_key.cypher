// find_key: find what was done under a key.
// params:  key (string)
// returns: step (string), request (string), result (string or null: JSON), status (int or null), answer (string or null: JSON)
// runs:    implicit transaction, reads
MATCH (k:WriteKey {key: $key})
RETURN k.id AS step, k.request AS request, k.result AS result, k.status AS status, k.answer AS answer
