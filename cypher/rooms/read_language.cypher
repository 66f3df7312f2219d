// read_language: read what is known of a wing's language; no row if there is no such palace.
// params:  palace (string), wing_id (string)
// returns: language (string or null), analyzer (string or null), palace_analyzer (string)
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $palace})
OPTIONAL MATCH (w:Wing {id: $wing_id})
RETURN w.language AS language, w.analyzer AS analyzer, p.analyzer AS palace_analyzer
