// count_due: count the drawers of a palace whose names are still to be read.
// params:  palace (string)
// returns: due (int)
// runs:    implicit transaction, reads
MATCH (d:Drawer {names_due: $palace})
RETURN count(d) AS due
