// list_receipts: a page of what was forgotten in a palace, newest first.
// params:  palace (string), after (string or null: id of the receipt after which it begins), limit (int)
// returns: receipt (map)
// runs:    implicit transaction, reads
OPTIONAL MATCH (a:ForgetReceipt {id: $after})
MATCH (r:ForgetReceipt {palace: $palace})
WHERE a IS NULL OR r.at < a.at OR (r.at = a.at AND r.id > a.id)
WITH r ORDER BY r.at DESC, r.id LIMIT $limit
RETURN r {.id, .by, .kinds, .deleted, .drawers, .closets, .facts, .traces, at: toString(r.at)} AS receipt
