// V0010 facts: finds facts by id, by predicate, and by the write that last changed them.
CREATE CONSTRAINT relates_to_id IF NOT EXISTS FOR ()-[e:RELATES_TO]-() REQUIRE e.id IS UNIQUE;
CREATE INDEX relates_to_predicate IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.palace, e.predicate);
CREATE INDEX relates_to_change IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.palace, e.fact_revision)
