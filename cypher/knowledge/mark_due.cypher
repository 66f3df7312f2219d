// mark_due: mark drawers of a palace to have their names read: those never read, or read by another recogniser.
// params:  palace (string), version (string: of the recogniser), again (bool: mark those that it has read too)
// returns: marked (int), due (int: with those that were marked before)
// runs:    auto-commit (CALL IN TRANSACTIONS), safe to repeat; __PALACE__ stands for the checked name
MATCH (d:Drawer___PALACE__)
WITH d, d.names_due IS NOT NULL AS before, coalesce(d.names_read, '') AS version
WHERE before OR $again OR version <> $version
CALL (d) {
  SET d.names_due = $palace
} IN TRANSACTIONS OF 1000 ROWS
RETURN sum(CASE WHEN before THEN 0 ELSE 1 END) AS marked, count(*) AS due
