// split_references: move what drawers mention under some names from one entity to another.
// params:  keep (string), released (string), names (list of string: normalised), base_cost (float)
// returns: drawers (list of string)
// runs:    explicit transaction that has locked the palace
MATCH (a:Entity {id: $keep}), (b:Entity {id: $released})
MATCH (d:Drawer)-[r:REFERENCES]->(a)
OPTIONAL MATCH (d)-[parked:MENTIONED]->(b)
WITH d, r, b, parked, CASE WHEN parked IS NULL THEN $names ELSE coalesce(parked.names, []) END AS gone
WHERE parked IS NOT NULL OR any(name IN r.names WHERE name IN gone)
WITH
  d, r, b, parked, gone, [at IN range(0, size(coalesce(r.names, [])) - 1) WHERE NOT r.names[at] IN gone] AS left,
  [at IN range(0, size(coalesce(r.names, [])) - 1) WHERE r.names[at] IN gone] AS taken
WITH
  d, r, b, parked,
  CASE WHEN size(left) = 0 THEN 'whole' WHEN parked IS NULL THEN 'part' ELSE 'parked' END AS how,
  properties(r) AS was, properties(parked) AS aside,
  [at IN left | r.names[at]] AS left_names, [at IN left | r.counts[at]] AS left_counts,
  [at IN taken | r.names[at]] AS taken_names, [at IN taken | r.counts[at]] AS taken_counts,
  CASE WHEN r.titled IN gone THEN r.titled END AS taken_title, CASE WHEN NOT r.titled IN gone THEN r.titled END AS left_title
MERGE (d)-[n:REFERENCES]->(b)
ON CREATE SET
  n.base_cost = $base_cost, n.current_cost = $base_cost,
  n.success_pheromone = 0.0, n.traversal_pheromone = 0.0, n.recency_pheromone = 0.0
FOREACH (one IN CASE how WHEN 'parked' THEN [n] ELSE [] END | SET one = aside)
FOREACH (one IN CASE how WHEN 'whole' THEN [n] ELSE [] END | SET one = was)
FOREACH (one IN CASE how WHEN 'part' THEN [n] ELSE [] END |
  SET
    one.names = taken_names, one.counts = taken_counts, one.titled = taken_title, one.is_title = taken_title IS NOT NULL,
    one.count = reduce(sum = 0, count IN taken_counts | sum + count)
)
FOREACH (one IN CASE how WHEN 'whole' THEN [] ELSE [r] END |
  SET
    one.names = left_names, one.counts = left_counts, one.titled = left_title, one.is_title = left_title IS NOT NULL,
    one.count = reduce(sum = 0, count IN left_counts | sum + count)
)
FOREACH (one IN CASE how WHEN 'whole' THEN [r] ELSE [] END | DELETE one)
DELETE parked
RETURN collect(d.id) AS drawers
