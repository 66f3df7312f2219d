// take_back_facts: let a palace unlearn all facts.
// params:  palace (string)
// returns:
// runs:    implicit transaction
MATCH (:Entity {palace: $palace})-[r:RELATES_TO]->()
SET r.invalidated_at = datetime()
