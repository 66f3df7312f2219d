// V0005 learning_indexes: finds feedback and what searches showed.
CREATE CONSTRAINT feedback_id IF NOT EXISTS FOR (n:Feedback) REQUIRE n.id IS UNIQUE;
CREATE INDEX feedback_order IF NOT EXISTS FOR (n:Feedback) ON (n.palace, n.learned);
CREATE INDEX feedback_age IF NOT EXISTS FOR (n:Feedback) ON (n.palace, n.cycle);
CREATE CONSTRAINT search_id IF NOT EXISTS FOR (n:Search) REQUIRE n.id IS UNIQUE;
CREATE INDEX search_expiry IF NOT EXISTS FOR (n:Search) ON (n.expires_ms);
CREATE INDEX search_palace IF NOT EXISTS FOR (n:Search) ON (n.palace);
CREATE CONSTRAINT lane_id IF NOT EXISTS FOR (n:Lane) REQUIRE n.id IS UNIQUE;
CREATE INDEX lane_palace IF NOT EXISTS FOR (n:Lane) ON (n.palace)
