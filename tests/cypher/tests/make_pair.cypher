// make_pair: two nodes that always have the same number, and many between them, so that reading both takes a while.
// params:  between (int)
// returns:
// runs:    implicit transaction
UNWIND range(1, $between) AS at
CREATE (n:Between {text: reduce(t = '', _ IN range(1, 40) | t + 'a long text ')})
WITH n
ORDER BY toInteger(split(elementId(n), ':')[2])
WITH collect(n) AS all
FOREACH (n IN [all[0], all[-1]] | SET n:Half, n.number = 0)
