// V0001 palace_schema: what every palace of the database shares. Full-text and vector indexes are made for each
// palace by cypher/palaces/create_*_index.cypher, because their statistics must not leak between palaces.
CREATE CONSTRAINT palace_id IF NOT EXISTS FOR (n:Palace) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT palace_name IF NOT EXISTS FOR (n:Palace) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT wing_id IF NOT EXISTS FOR (n:Wing) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT wing_name IF NOT EXISTS FOR (n:Wing) REQUIRE (n.palace, n.name) IS UNIQUE;
CREATE CONSTRAINT room_id IF NOT EXISTS FOR (n:Room) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT room_name IF NOT EXISTS FOR (n:Room) REQUIRE (n.palace, n.wing_id, n.name) IS UNIQUE;
CREATE CONSTRAINT closet_id IF NOT EXISTS FOR (n:Closet) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT drawer_id IF NOT EXISTS FOR (n:Drawer) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT agent_id IF NOT EXISTS FOR (n:Agent) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT run_id IF NOT EXISTS FOR (n:Run) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT change_revision IF NOT EXISTS FOR (n:Change) REQUIRE (n.palace, n.revision) IS UNIQUE;
CREATE INDEX closet_wing IF NOT EXISTS FOR (n:Closet) ON (n.palace, n.wing_id);
CREATE INDEX drawer_room IF NOT EXISTS FOR (n:Drawer) ON (n.palace, n.room_id);
CREATE INDEX drawer_wing IF NOT EXISTS FOR (n:Drawer) ON (n.palace, n.wing_id);
CREATE INDEX change_time IF NOT EXISTS FOR (n:Change) ON (n.created_at);
