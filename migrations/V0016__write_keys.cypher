// V0016 write_keys: the keys under which writes were sent, so that each is done once.
CREATE CONSTRAINT write_key_id IF NOT EXISTS FOR (k:WriteKey) REQUIRE k.id IS UNIQUE;
CREATE INDEX write_key_key IF NOT EXISTS FOR (k:WriteKey) ON (k.key);
CREATE INDEX write_key_palace IF NOT EXISTS FOR (k:WriteKey) ON (k.palace);
CREATE INDEX write_key_at IF NOT EXISTS FOR (k:WriteKey) ON (k.at);
CREATE INDEX write_key_says IF NOT EXISTS FOR (k:WriteKey) ON (k.says);
