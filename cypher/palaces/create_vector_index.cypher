// create_vector_index: create the vector index of one palace over its int8 vectors (ADR 2).
// params:  dimension (int, placed as a literal)
// returns:
// runs:    schema transaction, safe to repeat; __PALACE__ stands for the checked name
CREATE VECTOR INDEX drawer_vector___PALACE__ IF NOT EXISTS
FOR (d:Drawer___PALACE__) ON (d.embedding_int8)
OPTIONS {indexConfig: {`vector.dimensions`: __DIMENSION__, `vector.similarity_function`: 'cosine'}}
