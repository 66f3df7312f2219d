// Answered questions
// The newest first, with the drawers that answered them.
WITH 'main' AS palace
MATCH (f:Feedback)
WHERE f.palace = palace AND f.learned IS NOT NULL
WITH f ORDER BY f.learned DESC LIMIT 100
MATCH (f)-[r:USEFUL]->(d:Drawer)
OPTIONAL MATCH (w:Wing)-[:HAS_ROOM]->(room:Room {id: d.room_id})
RETURN
  f.query AS question, w.name + '/' + room.name AS place, left(d.text, 120) AS text, r.reward AS reward,
  f.source AS source, f.given_at AS given_at
ORDER BY given_at DESC, reward DESC
