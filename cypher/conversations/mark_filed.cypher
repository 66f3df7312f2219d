// mark_filed: record how far the conversation of a closet is filed, unless another transaction has filed or forgotten it meanwhile.
// params:  id (string), drawers (list of string), before (string: the stamp it must have), host (string), conversation (string), project (string or null), turns (int), chain (string), last (string), stamp (string), marks (list of string: ids of the marks that it must not have)
// returns: there (list of string): those of the drawers that exist already; no row if the stamp is another one, or there is a mark
// runs:    explicit transaction that has locked the closet
MATCH (c:Closet {id: $id})
WHERE
  coalesce(c.filed_stamp, '') = $before
  AND NOT EXISTS { UNWIND $marks AS mark MATCH (:ForgottenMark {id: mark}) }
SET
  c.host = $host, c.conversation = $conversation, c.project = coalesce($project, c.project),
  c.filed_turns = $turns, c.filed_chain = $chain, c.filed_last = $last, c.filed_stamp = $stamp, c.filed_at = datetime()
RETURN COLLECT { UNWIND $drawers AS id MATCH (d:Drawer {id: id}) RETURN d.id } AS there
