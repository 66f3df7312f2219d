// hold_palaces: lock all palaces until the transaction ends, as each write to a palace does first.
// params:
// returns: palaces (int)
// runs:    explicit transaction that holds the gate
MATCH (p:Palace)
REMOVE p.warm_in
RETURN count(*) AS palaces
