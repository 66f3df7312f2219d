// create_exact_index: create the index of exact words of one palace, in which equal words count more than words with
// an equal stem.
// params:
// returns:
// runs:    schema transaction, safe to repeat; __PALACE__ stands for the checked name
CREATE FULLTEXT INDEX drawer_exact___PALACE__ IF NOT EXISTS
FOR (d:Drawer___PALACE__) ON EACH [d.words]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words'}}
