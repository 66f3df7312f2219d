// count_all: all that belongs to a palace, whatever it is, and the palace itself if it was dropped.
// params:  palace (string)
// returns: nodes (int)
// runs:    implicit transaction, reads
MATCH (n) WHERE n.palace = $palace OR n.name = 'dropped ' + $palace OR 'Drawer_' + $palace IN labels(n)
RETURN count(n) AS nodes
