// list_helpful: the drawers that helped most, by what is left of their exploitation and of the success of the edge to them; reads only warm drawers.
// params:  palace (string), wing_id (string or null), other_than (string or null: a wing that is left out), cycle (int), rates (map of share lost per cycle), floor (float), limit (int)
// returns: id (string), text (string)
// runs:    implicit transaction, reads
MATCH (d:Drawer)
USING INDEX SEEK d:Drawer(warm_in)
WHERE d.warm_in = $palace AND ($wing_id IS NULL OR d.wing_id = $wing_id) AND coalesce(d.wing_id <> $other_than, true)
MATCH (c:Closet)-[e:HAS_DRAWER]->(d)
WITH c, e, d,
  CASE WHEN $cycle > d.pheromone_cycle THEN $cycle - d.pheromone_cycle ELSE 0 END AS age,
  CASE WHEN $cycle > e.pheromone_cycle THEN $cycle - e.pheromone_cycle ELSE 0 END AS edge_age,
  CASE WHEN $cycle > c.pheromone_cycle THEN $cycle - c.pheromone_cycle ELSE 0 END AS closet_age
WITH d,
  coalesce(d.exploitation_pheromone, 0.0) * (1 - $rates.exploitation) ^ age AS exploitation,
  coalesce(e.success_pheromone, 0.0) * (1 - $rates.success) ^ edge_age AS success,
  coalesce(c.exploitation_pheromone, 0.0) * (1 - $rates.exploitation) ^ closet_age AS of_closet
WHERE exploitation >= $floor OR success >= $floor
RETURN d.id AS id, left(d.text, 400) AS text
ORDER BY exploitation + success DESC, of_closet DESC, d.id
LIMIT $limit
