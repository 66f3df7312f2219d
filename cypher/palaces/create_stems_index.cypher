// create_stems_index: create the index of stemmed words of one palace; each palace has its own, and so its own word statistics.
// params:  analyzer (string, placed as a literal: the schema commands take no parameter there)
// returns:
// runs:    schema transaction, safe to repeat; __PALACE__ stands for the checked name
CREATE FULLTEXT INDEX drawer_stems___PALACE__ IF NOT EXISTS
FOR (d:Drawer___PALACE__) ON EACH [d.words, d.title_words]
OPTIONS {indexConfig: {`fulltext.analyzer`: '__ANALYZER__'}}
