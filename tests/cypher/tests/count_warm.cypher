MATCH (:Palace {name: $palace})-[:CONTAINS]->(w:Wing)-[:HAS_ROOM]->(r:Room)
OPTIONAL MATCH (r)-[e:HALL]->(:Room)
RETURN count(e) AS edges, count(e.warm_in) AS warm_edges, count(DISTINCT r.warm_in) AS warm_rooms, collect(e.current_cost) AS costs
