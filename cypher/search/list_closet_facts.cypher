// list_closet_facts: list the facts of closets that conditions refer to, for each of their rooms.
// params:  palace (string)
// returns: wing (string), room (string), room_id (string), closets (list of [id, codes, published, assignee, country])
// runs:    implicit transaction, reads
MATCH (:Palace {name: $palace})-[:CONTAINS]->(w:Wing)-[:HAS_ROOM]->(r:Room)-[:HAS_CLOSET]->(c:Closet)
RETURN
  w.name AS wing, r.name AS room, r.id AS room_id,
  collect([c.id, coalesce(c.codes, []), toString(c.published), c.assignee, c.country]) AS closets
