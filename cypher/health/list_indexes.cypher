// list_indexes: every index with its state.
// params:
// returns: name (string), type (string), state (string), population (float)
// runs:    implicit transaction, reads
SHOW INDEXES YIELD name, type, state, populationPercent
RETURN name, type, state, populationPercent AS population
