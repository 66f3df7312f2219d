// price_contains: give the ways over the palaces their cost, where wings were made before these had one.
// params:  base_cost (float)
// returns: edges (int)
// runs:    implicit transaction, safe to repeat
MATCH (:Palace)-[e:CONTAINS]->(:Wing)
WHERE e.base_cost IS NULL
SET e.base_cost = $base_cost, e.current_cost = $base_cost
RETURN count(*) AS edges
