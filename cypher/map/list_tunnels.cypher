// list_tunnels: list the tunnels of a palace with the rooms at both ends. Not those of a room that lost its mean vector
// when a text was forgotten: they are drawn anew when the palace is settled.
// params:  palace (string)
// returns: wing, room, room_id, other_wing, other_room, other_room_id (strings), centroid, other_centroid (bytes)
// runs:    implicit transaction, reads
MATCH (:Palace {name: $palace})-[:CONTAINS]->(w:Wing)-[:HAS_ROOM]->(a:Room)-[:TUNNEL]->(b:Room)<-[:HAS_ROOM]-(o:Wing)
WHERE a.centroid IS NOT NULL AND b.centroid IS NOT NULL
RETURN
  w.name AS wing, a.name AS room, a.id AS room_id, o.name AS other_wing, b.name AS other_room, b.id AS other_room_id,
  a.centroid AS centroid, b.centroid AS other_centroid
