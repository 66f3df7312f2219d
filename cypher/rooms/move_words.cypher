// move_words: move the words of some drawers of a wing to the properties of the wing's analyzer.
// params:  palace (string), wing_id (string), to (string: property of the words), others (list of string: properties that they may be in), most (int)
// returns: moved (int)
// runs:    explicit transaction that has locked the palace, safe to repeat
MATCH (d:Drawer {palace: $palace, wing_id: $wing_id})
WHERE d[$to] IS NULL
WITH d, head([name IN $others WHERE d[name] IS NOT NULL]) AS from
WHERE from IS NOT NULL
WITH d, from LIMIT $most
SET d[$to] = d[from], d['title_' + $to] = d['title_' + from]
REMOVE d[from], d['title_' + from]
RETURN count(*) AS moved
