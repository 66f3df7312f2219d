// find_restore: the restore that has begun and not ended.
// params:
// returns: file (string); no row if there is none
// runs:    implicit transaction, reads
MATCH (r:Restore)
RETURN r.file AS file
LIMIT 1
