// hold_palace: lock a palace until the transaction ends, so that nobody drops or changes it meanwhile.
// params:  palace (string)
// returns: name (string); no row if there is no such palace
// runs:    explicit transaction, as its first statement, so that all transactions take their locks in the same order
MATCH (p:Palace {name: $palace})
// This only takes the lock: a palace has no such property. Where a property is set to a sum with itself, Neo4j takes
// two locks and gives one back; who does so twice waits for ever for who does so once. So nobody does it to a palace.
REMOVE p.warm_in
WITH p
WHERE p.dropped_at IS NULL // it may have been dropped while this waited
RETURN p.name AS name
