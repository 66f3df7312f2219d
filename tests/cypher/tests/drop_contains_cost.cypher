// drop_contains_cost: as wings were before the way over the palace had a cost.
// params:  palace (string)
// returns:
// runs:    implicit transaction
MATCH (:Palace {name: $palace})-[e:CONTAINS]->(:Wing)
REMOVE e.base_cost, e.current_cost
