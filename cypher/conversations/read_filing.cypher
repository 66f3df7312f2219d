// read_filing: read how far the conversation of a closet is filed.
// params:  palace (string), id (string)
// returns: title (string), project (string or null), state ({turns, chain, last, stamp}); no row if it was never filed
// runs:    implicit transaction, reads
MATCH (c:Closet {id: $id})
WHERE c.palace = $palace AND c.filed_stamp IS NOT NULL
RETURN
  c.title AS title, c.project AS project,
  {turns: c.filed_turns, chain: c.filed_chain, last: c.filed_last, stamp: c.filed_stamp} AS state
