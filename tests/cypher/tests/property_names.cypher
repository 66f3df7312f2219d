// property_names: which properties nodes of a label have in a palace.
// params:  palace (string), label (string)
// returns: names (list of string)
// runs:    implicit transaction, reads
MATCH (n)
WHERE n.palace = $palace AND $label IN labels(n)
UNWIND keys(n) AS name
RETURN collect(DISTINCT name) AS names
