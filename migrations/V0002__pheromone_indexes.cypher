// V0002 pheromone_indexes: finds the nodes and edges that carry a pheromone, however large the palace is.
// `warm_in` is the name of the palace; only what is warm has it, so that the cold cost nothing here.
CREATE INDEX wing_warm IF NOT EXISTS FOR (n:Wing) ON (n.warm_in);
CREATE INDEX room_warm IF NOT EXISTS FOR (n:Room) ON (n.warm_in);
CREATE INDEX closet_warm IF NOT EXISTS FOR (n:Closet) ON (n.warm_in);
CREATE INDEX drawer_warm IF NOT EXISTS FOR (n:Drawer) ON (n.warm_in);
CREATE INDEX entity_warm IF NOT EXISTS FOR (n:Entity) ON (n.warm_in);
CREATE INDEX has_room_warm IF NOT EXISTS FOR ()-[e:HAS_ROOM]-() ON (e.warm_in);
CREATE INDEX has_closet_warm IF NOT EXISTS FOR ()-[e:HAS_CLOSET]-() ON (e.warm_in);
CREATE INDEX has_drawer_warm IF NOT EXISTS FOR ()-[e:HAS_DRAWER]-() ON (e.warm_in);
CREATE INDEX hall_warm IF NOT EXISTS FOR ()-[e:HALL]-() ON (e.warm_in);
CREATE INDEX tunnel_warm IF NOT EXISTS FOR ()-[e:TUNNEL]-() ON (e.warm_in);
CREATE INDEX similar_to_warm IF NOT EXISTS FOR ()-[e:SIMILAR_TO]-() ON (e.warm_in);
CREATE INDEX references_warm IF NOT EXISTS FOR ()-[e:REFERENCES]-() ON (e.warm_in);
CREATE INDEX relates_to_warm IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.warm_in);
CREATE INDEX entity_name IF NOT EXISTS FOR (n:Entity) ON (n.palace, n.name);
CREATE CONSTRAINT deposit_id IF NOT EXISTS FOR (n:Deposit) REQUIRE n.id IS UNIQUE;
CREATE INDEX deposit_time IF NOT EXISTS FOR (n:Deposit) ON (n.palace, n.created_at)
