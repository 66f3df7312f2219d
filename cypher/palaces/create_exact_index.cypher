// create_exact_index: a second text index of one palace, of words as they are written: a word that agrees in its very
// form says more than one that agrees in its stem.
// params:
// returns:
// runs:    schema transaction, safe to repeat; __PALACE__ stands for the checked name
CREATE FULLTEXT INDEX drawer_exact___PALACE__ IF NOT EXISTS
FOR (d:Drawer___PALACE__) ON EACH [d.words]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words'}}
