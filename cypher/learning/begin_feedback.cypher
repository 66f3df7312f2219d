// begin_feedback: lock a palace's learning for one writer, and read what storing a feedback needs.
// params:  palace (string), id (string), neighbours (list of string: ids that are the same feedback for a while), same_within_s (int: during this time), drawers (list of string), cycle_seconds (float)
// returns: cycle (int), learned (int: feedbacks so far), same (string or null: id of the same feedback, if it is stored), drawers (list of map)
// runs:    explicit transaction
MATCH (p:Palace {name: $palace})
REMOVE p.warm_in // locks the palace, which has no such property, so that no two writers count from the same number
WITH p
WHERE p.dropped_at IS NULL // it may have been dropped while this query waited for the lock
RETURN
  p.cycle + toInteger((datetime().epochMillis - p.cycle_started_at.epochMillis) / (1000.0 * $cycle_seconds)) AS cycle,
  coalesce(p.learned, 0) AS learned,
  head(COLLECT {
    MATCH (f:Feedback)
    WHERE f.id IN $neighbours + [$id] AND (f.id = $id OR f.given_at > datetime() - duration({seconds: $same_within_s}))
    RETURN f.id ORDER BY f.given_at DESC
  }) AS same,
  COLLECT {
    UNWIND $drawers AS drawer
    MATCH (d:Drawer {id: drawer})
    WHERE d.palace = $palace
    MATCH (w:Wing)-[:HAS_ROOM]->(r:Room {id: d.room_id})
    MATCH (c:Closet)-[:HAS_DRAWER]->(d)
    RETURN d {
      .id, .narrative_vector, .narrative_strength, .narrative_cycle,
      wing: w.id, room: r.id, closet: c.id
    }
  } AS drawers
