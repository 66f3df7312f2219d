// create_language_exact_index: create the index of exact words of a palace's wings in another language than the palace's.
// params:  analyzer (string, placed as a literal: the schema commands take no parameter there)
// returns:
// runs:    schema transaction, safe to repeat; __PALACE__ stands for the checked name
CREATE FULLTEXT INDEX drawer___ANALYZER___exact___PALACE__ IF NOT EXISTS
FOR (d:Drawer___PALACE__) ON EACH [d.words___ANALYZER__]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words'}}
