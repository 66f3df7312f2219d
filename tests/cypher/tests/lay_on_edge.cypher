MATCH (:Wing {id: $palace + '-warm'})-[e:HAS_ROOM]->(:Room {id: $palace + '-' + $room})
SET e.warm_in = $palace
SET e.success_pheromone = $success, e.pheromone_cycle = $cycle
