// delete_entries: delete entries of diaries.
// params:  palace (string), entries (list of string)
// returns: deleted (int)
// runs:    explicit transaction that has locked the palace
MATCH (:Palace {name: $palace})-[:MANAGES]->(:Agent)-[:WROTE]->(e:DiaryEntry)
WHERE e.id IN $entries
DETACH DELETE e
RETURN count(*) AS deleted
