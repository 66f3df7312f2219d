MATCH (:Closet)-[e:HAS_DRAWER]->(:Drawer {palace: $palace, id: $drawer})
SET e.success_pheromone = $success
