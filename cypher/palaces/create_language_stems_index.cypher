// create_language_stems_index: create the index of stemmed words of a palace's wings in another language than the palace's.
// params:  analyzer (string, placed as a literal: the schema commands take no parameter there)
// returns:
// runs:    schema transaction, safe to repeat; __PALACE__ stands for the checked name
CREATE FULLTEXT INDEX drawer___ANALYZER___stems___PALACE__ IF NOT EXISTS
FOR (d:Drawer___PALACE__) ON EACH [d.words___ANALYZER__, d.title_words___ANALYZER__]
OPTIONS {indexConfig: {`fulltext.analyzer`: '__ANALYZER__'}}
