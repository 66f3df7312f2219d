// create_nodes: create nodes with all that they have.
// params:  rows (list of map), label (string, placed as a literal: one label, or two)
// returns: created (int)
// runs:    explicit transaction that has locked the palace
UNWIND $rows AS row
CREATE (n:__LABEL__)
SET n = row
RETURN count(*) AS created
