// read_language: read what is known of a wing's language, and some texts if it is not known; no row if there is no such palace.
// params:  palace (string), wing_id (string), texts (int: how many), chars (int: how much of each)
// returns: language (string or null), analyzer (string or null), palace_analyzer (string), texts (list of string)
// runs:    implicit transaction, reads
MATCH (p:Palace {name: $palace})
OPTIONAL MATCH (w:Wing {id: $wing_id})
CALL (w) {
  MATCH (d:Drawer {palace: $palace, wing_id: $wing_id})
  WHERE w.language IS NULL
  WITH d LIMIT $texts
  RETURN collect(left(d.text, $chars)) AS texts
}
RETURN w.language AS language, w.analyzer AS analyzer, p.analyzer AS palace_analyzer, texts
