// mark_forgotten: note which turns or conversations some drawers are of, before they are forgotten, so that they are not filed again. A mark has no text.
// params:  palace (string), drawers (list of string), whole (bool: whether the conversations are forgotten, and not only the turns), conversation (string or null: id of the mark of a conversation, wherever it is filed)
// returns:
// runs:    explicit transaction that has locked the palace, safe to repeat
UNWIND $drawers AS id
MATCH (c:Closet)-[:HAS_DRAWER]->(d:Drawer {id: id})
WHERE d.turn IS NOT NULL
WITH collect(DISTINCT {id: CASE WHEN $whole THEN c.id ELSE d.turn END, closet: c.id}) AS parts
UNWIND parts + CASE WHEN $conversation IS NULL OR size(parts) = 0 THEN [] ELSE [{id: $conversation}] END AS part
MERGE (f:ForgottenMark {id: part.id})
ON CREATE SET f.palace = $palace, f.closet = part.closet, f.at = datetime()
