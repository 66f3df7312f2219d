// find_samples: those samples of pheromones of a palace that exist.
// params:  palace (string), keys (list of int: cycles)
// returns: key (int), properties (map)
// runs:    explicit transaction
UNWIND $keys AS key
MATCH (n:PheromoneSample {palace: $palace, cycle: key})
RETURN key, properties(n) AS properties
