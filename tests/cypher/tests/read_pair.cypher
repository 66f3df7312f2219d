// read_pair: the numbers of both nodes.
// params:
// returns: number (int)
// runs:    implicit transaction, reads
MATCH (h:Half)
RETURN h.number AS number
