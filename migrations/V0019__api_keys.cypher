// V0019 api_keys: the keys that the owner makes for others. They belong to no palace.
CREATE CONSTRAINT api_key_id IF NOT EXISTS FOR (k:ApiKey) REQUIRE k.id IS UNIQUE;
