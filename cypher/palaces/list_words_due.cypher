// list_words_due: list the palaces whose words are not all of a form, and how far each of them is.
// params:  form (int)
// returns: name (string), renewed_to (string), drawers (int), left (int: drawers that are still to be looked at)
// runs:    implicit transaction, reads
MATCH (p:Palace)
WHERE p.dropped_at IS NULL AND coalesce(p.words_form, 1) < $form
WITH p.name AS name, coalesce(p.words_renewed_to, '') AS renewed_to
RETURN
  name, renewed_to,
  COUNT { MATCH (d:Drawer) WHERE d.id > '' AND d.palace = name } AS drawers,
  COUNT { MATCH (d:Drawer) WHERE d.id > renewed_to AND d.palace = name } AS left
ORDER BY name
