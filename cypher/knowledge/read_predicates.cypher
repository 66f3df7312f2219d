// read_predicates: read what the facts that were not taken back say of pairs of names.
// params:  palace (string), pairs (list of {source, target}: ids of entities)
// returns: source, target (string), predicates (list of string, sorted, each once)
// runs:    implicit transaction, reads
UNWIND $pairs AS pair
MATCH (n:Entity {id: pair.source})-[e:RELATES_TO]->(m:Entity {id: pair.target})
WHERE n.palace = $palace AND e.invalidated_at IS NULL
WITH pair, e.predicate AS predicate ORDER BY predicate
RETURN pair.source AS source, pair.target AS target, collect(DISTINCT predicate) AS predicates
