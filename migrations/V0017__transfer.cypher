// V0017 transfer: the agents and diary entries of a palace are found without a look at those of other palaces.
CREATE CONSTRAINT diary_entry_id IF NOT EXISTS FOR (n:DiaryEntry) REQUIRE n.id IS UNIQUE;
CREATE INDEX diary_entry_palace IF NOT EXISTS FOR (n:DiaryEntry) ON (n.palace);
CREATE INDEX agent_palace IF NOT EXISTS FOR (n:Agent) ON (n.palace);
