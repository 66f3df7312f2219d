// list_indexes: every index with its state.
// params:
// returns: name (string), type (string), state (string), population (float), failure (string: why it failed, or empty), dimension (int: length of the vectors, or null)
// runs:    implicit transaction, reads
SHOW INDEXES YIELD name, type, state, populationPercent, failureMessage, options
RETURN
  name, type, state, populationPercent AS population, coalesce(failureMessage, '') AS failure,
  toInteger(options.indexConfig['vector.dimensions']) AS dimension
