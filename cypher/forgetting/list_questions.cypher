// list_questions: everything of a palace, besides drawers, in which somebody wrote words: kept questions, entries of diaries and names.
// params:  palace (string)
// returns: kind (string: search, feedback, run, diary or name), id (string), texts (list of string)
// runs:    implicit transaction, reads
CALL () {
  MATCH (n:Search) WHERE n.palace = $palace
  RETURN 'search' AS kind, n.id AS id, [n.query, n.names] AS texts
  UNION ALL
  MATCH (n:Feedback) WHERE n.palace = $palace AND n.learned IS NOT NULL
  RETURN 'feedback' AS kind, n.id AS id, [n.query] AS texts
  UNION ALL
  MATCH (n:Run) WHERE n.palace = $palace AND n.expires_at IS NOT NULL
  RETURN 'run' AS kind, n.id AS id, [n.recipe] AS texts
  UNION ALL
  MATCH (:Palace {name: $palace})-[:MANAGES]->(:Agent)-[:WROTE]->(n:DiaryEntry)
  WHERE NOT EXISTS { (n)-[:KEPT_IN]->(:Drawer) }
  RETURN 'diary' AS kind, n.id AS id, [one IN [n.topic, n.text] WHERE one IS NOT NULL] AS texts
  UNION ALL
  MATCH (n:Entity) WHERE n.palace = $palace AND n.name IS NOT NULL
  RETURN 'name' AS kind, n.id AS id, [n.name] + n.aliases AS texts
}
RETURN kind, id, texts
