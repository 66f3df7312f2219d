// warm_references: lay another trail on each reference and each entity of a palace.
// params:  palace (string)
// returns:
// runs:    implicit transaction
MATCH (e:Entity {palace: $palace})<-[r:REFERENCES]-(d:Drawer)
SET
  r.success_pheromone = size(e.name) / 100.0 + d.position / 10.0, r.pheromone_cycle = 0, r.warm_in = $palace,
  e.exploitation_pheromone = size(e.name) / 50.0, e.pheromone_cycle = 0, e.warm_in = $palace
