// count_keywords: count how many of some words each drawer's text contains, ignoring case; drawers without any are left out.
// params:  terms (list of string)
// returns: ids (list of string), hits (list of int)
// runs:    implicit transaction, reads; __PALACE__ stands for the checked name
MATCH (d:Drawer___PALACE__)
WITH d.id AS id, toLower(d.text) AS text
WITH id, size([term IN $terms WHERE text CONTAINS term]) AS hits
WHERE hits > 0
RETURN collect(id) AS ids, collect(hits) AS hits
