// V0003 publication_indexes: finds the publications of a palace by the ids that their offices gave them, and by family.
CREATE INDEX closet_pub IF NOT EXISTS FOR (n:Closet) ON (n.palace, n.pub_id);
CREATE INDEX closet_app IF NOT EXISTS FOR (n:Closet) ON (n.palace, n.app_id);
CREATE INDEX closet_exam IF NOT EXISTS FOR (n:Closet) ON (n.palace, n.exam_id);
CREATE INDEX closet_family IF NOT EXISTS FOR (n:Closet) ON (n.palace, n.family_id)
