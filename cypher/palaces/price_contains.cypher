// price_contains: set the cost of CONTAINS edges that were created before these had a cost.
// params:  base_cost (float)
// returns: edges (int)
// runs:    implicit transaction, safe to repeat
MATCH (p:Palace)-[e:CONTAINS]->(:Wing)
USING SCAN p:Palace
WHERE e.base_cost IS NULL
SET e.base_cost = $base_cost, e.current_cost = $base_cost
RETURN count(*) AS edges
