// list_receipts: list what was forgotten in a palace, newest first.
// params:  palace (string), limit (int)
// returns: receipt (map)
// runs:    implicit transaction, reads
MATCH (r:ForgetReceipt {palace: $palace})
WITH r ORDER BY r.at DESC, r.id LIMIT $limit
RETURN r {.id, .by, .kinds, .deleted, .drawers, .closets, .facts, .traces, at: toString(r.at)} AS receipt
