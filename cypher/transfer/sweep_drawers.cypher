// sweep_drawers: delete drawers of a palace that are in no closet.
// params:
// returns: swept (int)
// runs:    explicit transaction that has locked the palace, safe to repeat; __PALACE__ stands for the checked name
MATCH (d:Drawer___PALACE__)
WHERE NOT EXISTS { (:Closet)-[:HAS_DRAWER]->(d) }
DETACH DELETE d
RETURN count(*) AS swept
