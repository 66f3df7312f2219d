// reserve_lessons: count lessons that come into a palace, and return how many it had.
// params:  palace (string), more (int)
// returns: learned (int)
// runs:    explicit transaction that has locked the palace
MATCH (p:Palace {name: $palace})
WITH p, coalesce(p.learned, 0) AS learned, coalesce(p.learned, 0) + $more AS next
SET p.learned = next
RETURN learned
