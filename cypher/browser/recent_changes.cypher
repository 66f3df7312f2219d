// Recent changes
// The latest 50 writes and deposits of the last day, the newest first.
WITH 'main' AS palace
CALL (palace) {
  MATCH (c:Change {palace: palace})
  WHERE c.revision > 0
  RETURN
    c.created_at AS at, 'revision ' + c.revision AS what, size(c.stored) AS stored, size(c.removed) AS removed,
    size(coalesce(c.nodes, [])) AS trail_nodes, size(coalesce(c.edges, [])) AS trail_edges
  ORDER BY c.revision DESC LIMIT 50
  UNION ALL
  MATCH (d:Deposit) WHERE d.palace = palace AND d.created_at > datetime() - duration('P1D')
  RETURN
    d.created_at AS at, 'deposit (' + d.kind + ') at cycle ' + d.cycle AS what, null AS stored, null AS removed,
    null AS trail_nodes, null AS trail_edges
  ORDER BY at DESC LIMIT 50
}
RETURN at, what, stored, removed, trail_nodes, trail_edges
ORDER BY at DESC
LIMIT 50
