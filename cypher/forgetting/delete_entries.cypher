// delete_entries: delete entries of diaries.
// params:  entries (list of string)
// returns: deleted (int)
// runs:    explicit transaction that has locked the palace
UNWIND $entries AS id
MATCH (e:DiaryEntry {id: id})
DETACH DELETE e
RETURN count(*) AS deleted
