MATCH (r:Run)
WHERE r.palace = $palace
RETURN r.id AS id, r.kind AS kind, size(r.ids) AS members, size(r.scores) AS scores,
  COLLECT { MATCH (r)-[:DERIVED_FROM]->(s:Run) RETURN s.id ORDER BY s.id } AS derived_from
ORDER BY r.created_at, id
