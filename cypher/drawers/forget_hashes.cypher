// forget_hashes: mark closets as incomplete after drawers were deleted, so that the next ingest stores their sources again.
// params:  closets (list of string)
// returns:
// runs:    explicit transaction, safe to repeat
UNWIND $closets AS id
MATCH (c:Closet {id: id})
SET c.content_hash = null
