// list_pending: list the drawers that have no new vector yet.
// params:
// returns: ids (list of string), drawers (int): all of the palace
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
MATCH (d:Drawer___PALACE__)
RETURN collect(CASE WHEN d.next_embedding IS NULL THEN d.id END) AS ids, count(*) AS drawers
