// finish_closets: record the hash of the source, which says that all its drawers are stored.
// params:  closets (list of {id, content_hash})
// returns:
// runs:    explicit transaction, safe to repeat
UNWIND $closets AS row
MATCH (c:Closet {id: row.id})
SET c.content_hash = row.content_hash, c.ingested_at = datetime()
