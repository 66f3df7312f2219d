// forget_hashes: closets that lost drawers are no longer stored whole, so that ingesting them again brings them back.
// params:  closets (list of string)
// returns:
// runs:    explicit transaction, safe to repeat
UNWIND $closets AS id
MATCH (c:Closet {id: id})
SET c.content_hash = null
