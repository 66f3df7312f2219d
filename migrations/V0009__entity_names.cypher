// V0009 entity_names: finds entities by name, names that were merged by hand, and drawers whose names are still to be read.
// `names_due` is the name of the palace; only drawers that wait for the reader of names have it.
CREATE INDEX entity_normalised_name IF NOT EXISTS FOR (n:Entity) ON (n.palace, n.normalised_name);
CREATE CONSTRAINT merged_entity_id IF NOT EXISTS FOR (n:MergedEntity) REQUIRE n.id IS UNIQUE;
CREATE INDEX merged_entity_name IF NOT EXISTS FOR (n:MergedEntity) ON (n.palace, n.normalised_name);
CREATE INDEX drawer_names_due IF NOT EXISTS FOR (n:Drawer) ON (n.names_due)
