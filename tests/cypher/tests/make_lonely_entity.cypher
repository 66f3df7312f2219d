// make_lonely_entity: an entity that no drawer refers to.
// params:  palace (string)
// returns:
// runs:    implicit transaction
CREATE (:Entity {id: 'lonely-' + $palace, palace: $palace, name: 'nobody'})
