// hold_palace: lock a palace until the transaction ends, so that nobody drops or changes it meanwhile.
// params:  palace (string)
// returns: name (string), model (string); no row if there is no such palace
// runs:    explicit transaction, as its first statement, so that all transactions take their locks in the same order
MATCH (p:Palace {name: $palace})
// This locks the palace, which has no such property. Setting a property to a sum with itself would lock the palace too,
// but Neo4j then takes two locks and returns one: a transaction that does so twice and one that does so once wait for
// each other forever. Therefore no query locks a palace that way.
REMOVE p.warm_in
WITH p
WHERE p.dropped_at IS NULL // it may have been dropped while this query waited for the lock
RETURN p.name AS name, p.embedding_model AS model
