// change_pair: give both nodes the next number.
// params:
// returns: number (int)
// runs:    explicit transaction
MATCH (h:Half)
SET h.number = h.number + 1
RETURN max(h.number) AS number
