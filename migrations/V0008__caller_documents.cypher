// V0008 caller_documents: finds documents of callers' own that feedback was given on, and those that carry a pheromone.
CREATE CONSTRAINT caller_document_id IF NOT EXISTS FOR (n:CallerDocument) REQUIRE n.id IS UNIQUE;
CREATE INDEX caller_document_place IF NOT EXISTS FOR (n:CallerDocument) ON (n.palace, n.namespace);
CREATE INDEX caller_document_warm IF NOT EXISTS FOR (n:CallerDocument) ON (n.warm_in)
