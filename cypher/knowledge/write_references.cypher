// write_references: link drawers to all entities that they mention, and to no other; edges that stay keep their pheromones.
// params:  drawers (list of {id, uses: list of {entity, count, is_title, titled, names: list of string, counts: list of int, signs: list of string or null}}), base_cost (float)
// returns: edges (int), touched (list of string: ids of entities whose drawers may be others now)
// runs:    explicit transaction that has locked the palace, safe to repeat
UNWIND $drawers AS row
MATCH (d:Drawer {id: row.id})
CALL (d, row) {
  OPTIONAL MATCH (d)-[old:REFERENCES]->(gone:Entity)
  WHERE NOT gone.id IN [use IN row.uses | use.entity]
  WITH old, gone.id AS id
  DELETE old
  RETURN collect(id) AS left
}
CALL (d) {
  OPTIONAL MATCH (d)-[parked:MENTIONED]->(:MergedEntity) // what it mentioned before names were joined by hand
  DELETE parked
  RETURN count(*) AS unparked
}
CALL (d, row) {
  UNWIND row.uses AS use
  MATCH (e:Entity {id: use.entity})
  MERGE (d)-[r:REFERENCES]->(e)
  ON CREATE SET
    r.base_cost = $base_cost, r.current_cost = $base_cost,
    r.success_pheromone = 0.0, r.traversal_pheromone = 0.0, r.recency_pheromone = 0.0
  SET
    r.count = use.count, r.is_title = use.is_title, r.titled = use.titled, r.names = use.names, r.counts = use.counts,
    r.signs = use.signs
  RETURN count(*) AS edges, collect(e.id) AS linked
}
WITH sum(edges) AS edges, collect(left + linked) AS ids
RETURN edges, reduce(every = [], some IN ids | every + some) AS touched
