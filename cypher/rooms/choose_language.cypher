// choose_language: give a wing a language, unless somebody else has just given it another; create the wing if needed.
// params:  palace (string), id (string), name (string), wing_type (string), language (string), analyzer (string or null), instead_of (string or null), base_cost (float)
// returns: analyzer (string or null): that of the wing now
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (p:Palace {name: $palace})
MERGE (w:Wing {id: $id})
ON CREATE SET
  w.palace = $palace, w.name = $name, w.wing_type = $wing_type, w.created_at = datetime(),
  w.exploitation_pheromone = 0.0, w.exploration_pheromone = 0.0
MERGE (p)-[e:CONTAINS]->(w)
ON CREATE SET e.base_cost = $base_cost, e.current_cost = $base_cost
WITH p, w, coalesce(w.language, '') = coalesce($instead_of, '') AS ours
WITH
  p, w,
  CASE WHEN ours THEN $language ELSE w.language END AS language,
  CASE WHEN ours THEN $analyzer ELSE w.analyzer END AS analyzer
SET w.language = language, w.analyzer = analyzer
SET
  p.language_analyzers = CASE
    WHEN analyzer IS NULL OR analyzer IN coalesce(p.language_analyzers, []) THEN p.language_analyzers
    ELSE coalesce(p.language_analyzers, []) + analyzer
  END
RETURN w.analyzer AS analyzer
