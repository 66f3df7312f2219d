// begin_write: lock a palace, and record the key of a write, or find what the write with this key did before.
// params:  palace (string), id (string), key (string), request (string: hash)
// returns: request (string), result (string or null: JSON, null if the write is new); no row if there is no such palace
// runs:    explicit transaction, before the write; the unique id makes two writes with one key one
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property
WITH p
WHERE p.dropped_at IS NULL
MERGE (k:WriteKey {id: $id})
ON CREATE SET k.key = $key, k.palace = $palace, k.request = $request, k.at = datetime()
RETURN k.request AS request, k.result AS result
