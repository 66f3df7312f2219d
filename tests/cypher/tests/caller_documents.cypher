// caller_documents: documents of callers' own, as they are stored.
// params:  palace (string)
// returns: document (map)
// runs:    implicit transaction, reads
MATCH (c:CallerDocument) WHERE c.palace = $palace
RETURN properties(c) AS document ORDER BY c.namespace, c.name
