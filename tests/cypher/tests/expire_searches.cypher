// expire_searches: let the time of all kept searches be over.
// params:  palace (string)
// returns: nothing
// runs:    implicit transaction
MATCH (s:Search) WHERE s.palace = $palace
SET s.expires_ms = 0
